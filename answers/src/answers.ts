// Tries every instant answer in order and returns the first result.
//
// A failing source is an error, never `null`, which would mean that no instant answer applies to the query. A bug in one
// answer only costs that answer: it is reported, and the others are tried.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { type FindSource, findFor } from '@bowerbird/engines/source.ts'
import type { Answer, AnswerClient, AnswerContext, AnswerPoint, Translation, TranslationRequest } from './answer.ts'
import { type Question, readQuestion } from './question.ts'

export interface InstantAnswer {
  type: string
  query: string
  text: string
  [member: string]: unknown
}

export interface GivenAnswer {
  answer: InstantAnswer
  /** It must not be cached. */
  isPersonal: boolean
  /** Callers in other time zones may get a different answer. */
  usesZone: boolean
}

export interface AnswerRequest {
  text: string
  lang: string
  client: AnswerClient
  /** A validated IANA name. */
  zone?: string | undefined
  point?: AnswerPoint | undefined
  /** Only answers that are computed here: the text holds a secret, which no source may see. */
  asksNobody?: boolean | undefined
  /** It is for a visitor of a public website, whose calls to sources have a budget of their own. */
  isVisitor?: boolean | undefined
}

export interface Answers {
  /** The answers that are turned on, in order. */
  list: readonly Answer[]
  answer: (request: AnswerRequest) => Promise<GivenAnswer | null>
}

interface AnswersParts {
  answers: readonly Answer[]
  find: FindSource
  translate: ((request: TranslationRequest, isVisitor: boolean) => Promise<Translation | null>) | undefined
  startDeadline: () => Deadline
  clock: () => number
  random: (below: number) => number
  /** Called if an answer throws. Throws the error for the client, or returns so that the next answer is tried. */
  onError: (answer: Answer, error: unknown) => void
}

export function createAnswers(parts: AnswersParts): Answers {
  const { answers, onError } = parts

  async function findFirst(question: Question, request: AnswerRequest): Promise<GivenAnswer | null> {
    const { context, used, end } = openContext(parts, question, request)
    try {
      for (const answer of answers) {
        const pending = tryAnswer(answer, context)
        // Most answers decline most queries: awaiting each one would cost more than the match itself.
        const body = pending instanceof Promise ? await pending : pending
        if (body === null) continue
        const { text, ...members } = body
        return {
          answer: { type: answer.slug, query: question.text, text, ...members },
          isPersonal: used.point || (answer.isPersonal ?? false),
          usesZone: used.zone,
        }
      }
      return null
    } finally {
      end()
    }
  }

  function tryAnswer(answer: Answer, context: AnswerContext): ReturnType<Answer['answer']> {
    try {
      const match = answer.match(context.question)
      if (match === null) return null
      const body = answer.answer(match, context)
      return body instanceof Promise ? body.catch((error: unknown) => reportError(answer, error)) : body
    } catch (error) {
      return reportError(answer, error)
    }
  }

  function reportError(answer: Answer, error: unknown): null {
    onError(answer, error)
    return null
  }

  return {
    list: answers,
    async answer(request) {
      const question = readQuestion(request.text, request.lang)
      return question ? await findFirst(question, request) : null
    },
  }
}

/** Builds the context for the answers and records which details of the client they read. The deadline starts on first use. */
function openContext(
  { find, translate, random, clock, startDeadline }: AnswersParts,
  question: Question,
  { client, zone, point, asksNobody, isVisitor = false }: AnswerRequest,
): { context: AnswerContext; used: { zone: boolean; point: boolean }; end: () => void } {
  const used = { zone: false, point: false }
  let deadline: Deadline | undefined
  const context: AnswerContext = {
    question,
    now: clock(),
    random,
    client,
    find: asksNobody ? () => undefined : findFor(find, isVisitor),
    translate: asksNobody || !translate ? undefined : (request) => translate(request, isVisitor),
    get zone() {
      used.zone = true
      return zone
    },
    get point() {
      used.point = point !== undefined
      return point
    },
    get deadline() {
      deadline ??= startDeadline()
      return deadline
    },
  }
  return { context, used, end: () => deadline?.cancel() }
}
