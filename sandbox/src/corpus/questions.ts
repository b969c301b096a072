// The invented questions on programming, with their accepted answers. All of it is written for the sandbox.

export interface ProgrammingQuestion {
  id: number
  title: string
  tags: readonly string[]
  score: number
  answer: { text: string; code: string; score: number; author: string }
}

const question = (title: string, { id, tags, text, code }: Written): ProgrammingQuestion => ({
  id,
  title,
  tags: tags.split(' '),
  score: 20 + (id % 700),
  answer: { text, code, score: 30 + (id % 900), author: ['Robin', 'Sam "the" Tester', 'Ming & Co'][id % 3] ?? '' },
})

interface Written {
  id: number
  tags: string
  text: string
  code: string
}

export const PROGRAMMING_QUESTIONS: readonly ProgrammingQuestion[] = [
  question('How do I reverse a list in Python?', {
    id: 100_201,
    tags: 'python list',
    text: 'Use a slice for a new list, or the method to turn the list itself around.',
    code: 'items = [1, 2, 3]\n\nfor item in reversed(items):\n    print(item)\n\nitems.reverse()  # in place',
  }),
  question('How do I undo the last commit in Git?', {
    id: 100_305,
    tags: 'git',
    text: 'Move the branch back by one. The changes stay in your folder unless you ask for a hard reset.',
    code: 'git reset --soft HEAD~1',
  }),
  question('Remove duplicates from an array in JavaScript', {
    id: 100_411,
    tags: 'javascript arrays',
    text: 'A set keeps each value once, in the order in which they were added.',
    code:
      'const unique = [...new Set(values)]\n\n' +
      'if (unique.length < values.length) {\n  console.log("there were some")\n}',
  }),
  question('How to center a div with CSS?', {
    id: 100_512,
    tags: 'html css',
    text: 'Make the parent a grid.',
    code: '.parent {\n  display: grid;\n  place-items: center;\n}',
  }),
  question('What is the difference between an INNER JOIN and a LEFT JOIN in SQL?', {
    id: 100_620,
    tags: 'sql join',
    text: 'An inner join gives only the rows that match on both sides. A left join gives every row of the left table.',
    code: 'SELECT a.name, b.total\nFROM a LEFT JOIN b ON b.a_id = a.id',
  }),
  question('Loop over all files in a directory with Bash', {
    id: 100_733,
    tags: 'bash shell loops',
    text: 'Quote the name, because it may contain spaces.',
    code: 'for file in ./*; do\n  echo "$file"\ndone',
  }),
  question('TypeError: Cannot read properties of undefined', {
    id: 100_801,
    tags: 'javascript',
    text: 'Something before the dot is undefined. Find out why, or ask for it with ?. where that is no mistake.',
    code: "const city = user?.address?.city ?? 'unknown'",
  }),
  question('How do I parse a JSON string in Python?', {
    id: 100_909,
    tags: 'python json',
    text: 'The standard library has it.',
    code: 'import json\n\ndata = json.loads(text)',
  }),
]
