import { describe, expect, it } from 'vitest'
import { stageCard } from './card.test-harness.ts'
import { isAboutProgramming, stackexchangeCard } from './stackexchange-card.ts'

const question = (title: string, rest = {}) => ({
  id: 10,
  title,
  url: 'https://stackoverflow.com/questions/10/x',
  tags: ['python'],
  score: 5,
  acceptedAnswerId: 11,
  askedAt: 1_760_000_000_000,
  ...rest,
})
const ANSWERS = {
  answers: [
    { id: 12, isAccepted: false, score: 99, text: 'No.', code: '', author: 'Bob', licence: 'CC BY-SA 4.0' },
    { id: 11, isAccepted: true, score: 7, text: 'Yes.', code: 'x', author: 'Ada', licence: 'CC BY-SA 3.0' },
  ],
  notBefore: 0,
}
const TEXT = 'how to reverse a list in python'
const stage = (text: string, ...questions: unknown[]) =>
  stageCard({ text, says: { questions: { questions, notBefore: 0 }, answers: ANSWERS } })
const ask = (text: string, ...questions: unknown[]) => stackexchangeCard.ask(stage(text, ...questions).context)

describe('the Stack Exchange card', () => {
  it('shows the accepted answer, with its author and licence', async () => {
    expect(await ask(TEXT, question('How do I reverse a list?'))).toEqual({
      title: 'How do I reverse a list?',
      url: 'https://stackoverflow.com/questions/10/x',
      score: 5,
      tags: ['python'],
      asked_at: '2025-10-09T08:53:20.000Z',
      answer: { text: 'Yes.', code: 'x', score: 7, author: 'Ada', url: 'https://stackoverflow.com/a/11' },
      attribution: {
        text: 'Ada on Stack Overflow',
        url: 'https://stackoverflow.com/a/11',
        licence: 'CC BY-SA 3.0',
        licence_url: 'https://creativecommons.org/licenses/by-sa/3.0/',
      },
    })
  })

  it('takes the first question that shares most words', async () => {
    const found = await ask(TEXT, question('How do I sort a list in Python?'), question('Reversing: reverse lists'))
    expect(found?.title).toBe('Reversing: reverse lists')
  })

  it.each([
    ['another question', question('How do I sort a dictionary by value?')],
    [
      'a much longer question',
      question('Reverse a list of nested tuples while keeping duplicates unstable order numpy'),
    ],
    ['a question without an accepted answer', question('How do I reverse a list?', { acceptedAnswerId: 0 })],
  ])('null: %s', async (_what, found) => {
    expect(await ask(TEXT, found)).toBeNull()
  })

  it('other queries are not sent', async () => {
    const { context, asked } = stage('reverse osmosis')
    expect([await stackexchangeCard.ask(context), asked]).toEqual([null, []])
  })

  it('backs off exactly as long as the provider asks', async () => {
    const { context, asked } = stageCard({
      text: TEXT,
      now: 1_000,
      says: { questions: { questions: [], notBefore: 11_000 } },
    })
    await stackexchangeCard.ask(context)
    await expect(stackexchangeCard.ask({ ...context, now: 10_500 })).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 1,
    })
    expect(asked).toHaveLength(1)
    await stackexchangeCard.ask({ ...context, now: 11_001 })
    expect(asked).toHaveLength(2)
  })
})

it.each([
  'how to reverse a list in python',
  'javascript remove duplicates from array',
  'git undo last commit',
  'c++ vector vs array',
  'c# linq group by',
  'TypeError: cannot read properties of undefined',
  'java NullPointerException',
  'document.getElementById() returns null',
  'rust string to int convert',
  'segmentation fault core dumped',
  'snake_case vs camelCase',
])('%s is about programming', (text) => {
  expect(isAboutProgramming(text)).toBe(true)
})

it.each([
  'python',
  'python snake enclosure',
  'java island holidays',
  'ruby ring',
  'swift taylor tickets',
  'rust remover for cars',
  'go to the moon',
  'react to news',
  'weather paris',
  'javascript',
  'unity church near me',
  'x '.repeat(19),
  '',
])('%j is not about programming', (text) => {
  expect(isAboutProgramming(text)).toBe(false)
})
