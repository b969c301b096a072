// An answered programming question from Stack Overflow. Only programming queries are searched for, because without a
// key there are 300 calls a day. Shown if the question has an accepted answer and shares most of the significant words:
// three quarters of the query's words are in its title or tags, and half of the title's words are in the query or tags.
import {
  type StackAnswer,
  type StackQuestion,
  stackAnswers,
  stackexchange,
  stackQuestions,
} from '@bowerbird/engines/sources/stackexchange.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { z } from 'zod'
import { Attribution, type CardContext, defineCard } from './card.ts'
import { sharedPart, wordsOf } from './names.ts'

const SHARED_OF_QUERY = 0.75
const SHARED_OF_TITLE = 0.5

const STOP_WORDS = new Set(
  (
    'a an and are as at be by can do does for from get have how i if in into is it its me my not of on ' +
    'or should so that the then there this to use using was what when which why will with without you ' +
    'your'
  ).split(' '),
)

/** Drops stop words and turns plurals into singulars. */
const significantWords = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))

function matchesQuery({ title, tags, acceptedAnswerId }: StackQuestion, text: string): boolean {
  const queryWords = significantWords(text)
  const titleWords = significantWords(title)
  const titleAndTagWords = [...titleWords, ...tags.flatMap(significantWords)]
  return (
    acceptedAnswerId > 0 &&
    sharedPart(queryWords, titleAndTagWords) >= SHARED_OF_QUERY &&
    sharedPart(titleWords, [...queryWords, ...tags.flatMap(significantWords)]) >= SHARED_OF_TITLE
  )
}

/** Throws instead of calling a method while the provider's back-off for it lasts. */
async function askUnlessBackingOff<Found extends { notBefore: number }>(
  method: string,
  { quietUntil, now }: CardContext,
  ask: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const name = `${stackexchange.slug} ${method}`
  const waitMs = (quietUntil.get(name) ?? 0) - now
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    throw new UpstreamError('throttled', 'The provider asks us to slow down.', { retryAfterSeconds })
  }
  const found = await ask()
  if (found && found.notBefore > now) quietUntil.set(name, found.notBefore)
  return found
}

const LICENCE_VERSION = /^CC BY-SA ([234]\.[05])$/

function attributionFor({ author, licence }: StackAnswer, url: string): z.output<typeof Attribution> {
  const [, version = '4.0'] = LICENCE_VERSION.exec(licence) ?? []
  return {
    text: author === '' ? 'Stack Overflow' : `${author} on Stack Overflow`,
    url,
    licence: licence === '' ? `CC BY-SA ${version}` : licence,
    licence_url: `https://creativecommons.org/licenses/by-sa/${version}/`,
  }
}

export const stackexchangeCard = defineCard({
  kind: 'stackexchange',
  summary: 'A programming question with an accepted answer.',
  sources: [stackexchange],
  reply: z.object({
    title: z.string(),
    url: z.string(),
    score: z.int(),
    tags: z.array(z.string()),
    asked_at: z.string().describe('ISO 8601, or empty.'),
    answer: z.object({
      text: z.string().describe('Plain text, shortened.'),
      code: z.string().describe('The first code block in the answer, with its line breaks, or empty.'),
      score: z.int(),
      author: z.string(),
      url: z.string(),
    }),
    attribution: Attribution,
  }),
  async ask(context) {
    const { text, ask } = context
    if (!isAboutProgramming(text)) return null
    const found = await askUnlessBackingOff('questions', context, () => ask(stackexchange, stackQuestions, { text }))
    const question = found?.questions.find((one) => matchesQuery(one, text))
    if (!question) return null
    const { id: questionId } = question
    const replies = await askUnlessBackingOff('answers', context, () =>
      ask(stackexchange, stackAnswers, { questionId }),
    )
    const answer = replies?.answers.find(({ isAccepted }) => isAccepted)
    if (!answer) return null
    const url = new URL(`/a/${answer.id}`, question.url).href
    return {
      title: question.title,
      url: question.url,
      score: question.score,
      tags: question.tags,
      asked_at: question.askedAt === null ? '' : new Date(question.askedAt).toISOString(),
      answer: { text: answer.text, code: answer.code, score: answer.score, author: answer.author, url },
      attribution: attributionFor(answer, url),
    }
  },
})

const TECHNOLOGIES = new Set(
  (
    'javascript typescript c++ c# php golang kotlin matlab perl haskell scala clojure elixir erlang fortran ' +
    'cobol vba html css sass scss sql mysql postgresql postgres sqlite mongodb redis graphql json xml yaml ' +
    'csv regex html5 css3 jquery reactjs vuejs nodejs npm numpy pandas matplotlib tensorflow pytorch opencv ' +
    'django fastapi laravel symfony hibernate junit pytest jupyter git github gitlab docker kubernetes ' +
    'dockerfile ansible terraform nginx linux ubuntu debian bash powershell cmd vim emacs vscode xcode ' +
    'webpack eslint async await ajax websocket oauth jwt cors utf8 unicode ascii base64 uuid api dataframe ' +
    'tuple tkinter selenium boto3 aws azure firebase nextjs dotnet winforms wpf'
  ).split(' '),
)

/** Each also means something else. */
const AMBIGUOUS = new Set(
  (
    'python java ruby rust go swift c r dart julia lua react angular vue node spring flask rails express ' +
    'excel shell cron maven gradle jenkins spark unity godot pip conda'
  ).split(' '),
)

const PROGRAMMING_WORDS = new Set(
  (
    'array arrays list lists string strings dict dictionary map hashmap object objects class classes function ' +
    'functions method methods variable variables loop loops iterate integer int float boolean enum struct ' +
    'pointer reference null nil none undefined exception exceptions error errors traceback stacktrace compile ' +
    'compiler runtime syntax parse parser regex thread threads async callback promise decorator generator ' +
    'lambda closure inheritance interface constructor import module modules package packages library install ' +
    'script code program file files directory path read write print input output sort reverse split join ' +
    'replace append remove delete duplicates index column row query table database server request response ' +
    'http port socket debug log logging test unit mock install upgrade convert cast format datetime timestamp ' +
    'random substring concatenate merge filter count length size type types'
  ).split(' '),
)

const ERROR_NAME = /\b[A-Z]\w{2,30}(?:Error|Exception|Warning)\b|\bsegmentation fault\b|\bstack overflow\b/
const CODE_NAME = /\b[a-z]\w{1,30}\(\)|\b[a-z]{2,20}_[a-z]{2,20}\b|\b[a-z]{2,15}[A-Z][a-z]{2,15}\b/
const CODE_FILE = /(?:^|\s)\.(?:py|js|ts|rb|rs|cpp|cs|java|php|sh)\b/

const MIN_WORDS = 2
const MAX_WORDS = 18

/**
 * Tells whether a query is about programming. An unambiguous word (`javascript`, `numpy`) is enough; one that is also a
 * snake, an island or a fish needs a second programming word (`list`, `error`, `install`). Anything shaped like an error
 * or an identifier also counts: `TypeError`, `getElementById()`, `snake_case`, `.py`.
 */
export function isAboutProgramming(text: string): boolean {
  const words = wordsOf(text)
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return false
  if (words.some((word) => TECHNOLOGIES.has(word))) return true
  if ([ERROR_NAME, CODE_NAME, CODE_FILE].some((form) => form.test(text))) return true
  return words.some((word) => AMBIGUOUS.has(word)) && words.some((word) => PROGRAMMING_WORDS.has(word))
}
