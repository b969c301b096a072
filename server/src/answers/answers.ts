// Asks every instant answer in turn and gives the first that has something to say.
//
// A source that fails is told as a refusal and never as `null`, which would mean that the query is not one for an
// instant answer. A bug in one answer costs its own answer only: it is logged, and the others go on.
import { Refusal, UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { FindSource } from '../providers/source.ts'
import type { Deadline } from '../upstream/deadline.ts'
import type { Answer, AnswerClient, AnswerContext } from './answer.ts'
import { createAnswerMemory, type Used, watch } from './answer-memory.ts'
import { type Question, readQuestion } from './question.ts'

export interface InstantAnswer {
  type: string
  query: string
  text: string
  [member: string]: unknown
}

export interface GivenAnswer {
  answer: InstantAnswer
  /** Nobody may keep it. */
  isPersonal: boolean
}

export interface Answers {
  /** The answers that are switched on, in their order. */
  list: readonly Answer[]
  answer: (asked: { text: string; lang: string; client: AnswerClient }) => Promise<GivenAnswer | null>
}

interface AnswersParts {
  answers: readonly Answer[]
  find: FindSource
  translate: AnswerContext['translate']
  startDeadline: () => Deadline
  clock: () => number
  random: (below: number) => number
  log: Log
}

const RETRY_SECONDS = 5

export function createAnswers(parts: AnswersParts): Answers {
  const { answers, find, translate, random, log } = parts
  const memory = createAnswerMemory<GivenAnswer>()

  async function firstOf(question: Question, client: AnswerClient, key: string): Promise<GivenAnswer | null> {
    const { context, used, end } = watch({ question, random, client, find, translate }, parts)
    try {
      for (const answer of answers) {
        const giving = bodyOf(answer, context, used)
        // Most queries are not for most answers: awaiting each of those would cost more than asking it.
        const body = giving instanceof Promise ? await giving : giving
        if (body === null) continue
        const { text, ...members } = body
        const isPersonal = answer.isPersonal ?? false
        const given = { answer: { type: answer.slug, query: question.text, text, ...members }, isPersonal }
        memory.keep(key, given, used)
        return given
      }
      memory.keep(key, null, used)
      return null
    } finally {
      end()
    }
  }

  function bodyOf(answer: Answer, context: AnswerContext, used: Used): ReturnType<Answer['answer']> {
    try {
      const match = answer.match(context.question)
      if (match === null) return null
      const body = answer.answer(match, context)
      return body instanceof Promise ? body.catch((error: unknown) => failed(answer, error, used)) : body
    } catch (error) {
      return failed(answer, error, used)
    }
  }

  function failed(answer: Answer, error: unknown, used: Used): null {
    if (error instanceof Refusal) throw error
    if (error instanceof UpstreamError) throw unavailable(answer, error)
    log.error({ err: error, answer: answer.slug })
    // The next one who asks may have more luck.
    used.world = true
    return null
  }

  return {
    list: answers,
    async answer({ text, lang, client }) {
      const key = `${lang} ${text}`
      const known = memory.find(key, parts.clock())
      if (known !== undefined) return known
      const question = readQuestion(text, lang)
      return question ? await firstOf(question, client, key) : null
    },
  }
}

const unavailable = ({ title }: Answer, { retryAfterSeconds }: UpstreamError): Refusal =>
  new Refusal(503, `${title}: the provider did not answer. Try again in a moment.`, {
    'Retry-After': String(retryAfterSeconds ?? RETRY_SECONDS),
  })
