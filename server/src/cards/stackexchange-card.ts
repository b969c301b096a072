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
import { isAboutProgramming } from './programming-words.ts'

const SHARED_OF_QUERY = 0.75
const SHARED_OF_TITLE = 0.5

const EMPTY_WORDS = new Set(
  (
    'a an and are as at be by can do does for from get have how i if in into is it its me my not of on ' +
    'or should so that the then there this to use using was what when which why will with without you ' +
    'your'
  ).split(' '),
)

/** Drops stop words and turns plurals into singulars. */
const wordsThatMatter = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !EMPTY_WORDS.has(word))
    .map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))

function isMeant({ title, tags, acceptedAnswerId }: StackQuestion, text: string): boolean {
  const asked = wordsThatMatter(text)
  const titled = wordsThatMatter(title)
  const known = [...titled, ...tags.flatMap(wordsThatMatter)]
  return (
    acceptedAnswerId > 0 &&
    sharedPart(asked, known) >= SHARED_OF_QUERY &&
    sharedPart(titled, [...asked, ...tags.flatMap(wordsThatMatter)]) >= SHARED_OF_TITLE
  )
}

/** Throws instead of calling a method while the provider's back-off for it lasts. */
async function askUnlessQuiet<Found extends { notBefore: number }>(
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
    const found = await askUnlessQuiet('questions', context, () => ask(stackexchange, stackQuestions, { text }))
    const question = found?.questions.find((one) => isMeant(one, text))
    if (!question) return null
    const { id: questionId } = question
    const replies = await askUnlessQuiet('answers', context, () => ask(stackexchange, stackAnswers, { questionId }))
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
