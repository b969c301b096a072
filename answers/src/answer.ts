// The contract of an instant answer: one object that declares its matching, its answer, its documentation
// (docs/reference/answers.md is generated from the examples) and its schema in the OpenAPI document.
//
// `match` sees every query, so it is synchronous, takes microseconds, uses no patterns that backtrack for long, and
// returns `null` at the first sign that the query isn't for it. A wrong answer above the results is worse than none: a
// query must contain an explicit trigger, or have a form that nothing else has. `answer` may query a data source, and
// may still decline (`null`); then the answers after it are tried.
//
// Every answer object has `type` (the slug), `query` (as asked) and `text`: one line that a person or a program can
// read on its own. Everything else is declared in `reply`. Numbers that must be exact are strings.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { FindSource } from '@bowerbird/engines/source.ts'
import type { z } from 'zod'
import type { Language, Question } from './question.ts'

export interface Example {
  q: string
  lang?: Language
}

/** The client, according to the connection and the trusted proxies. */
export interface AnswerClient {
  ip: string
}

/** The client's location, if it was shared. */
export interface AnswerPoint {
  latitude: number
  longitude: number
}

export interface TranslationRequest {
  text: string
  target: string
  /** Omitted: detect the language. */
  source?: string
}

export interface Translation {
  text: string
  /** Language codes, as the backend uses them. */
  source: string
  target: string
}

export interface AnswerContext {
  question: Question
  /** Milliseconds since 1970. */
  now: number
  /** A whole number from 0 to `below` - 1, unpredictable. `below` is at most 2^48. */
  random: (below: number) => number
  client: AnswerClient
  /** The client's IANA time zone. `undefined`: not given; days are in UTC and the text notes it (`clientDay`). */
  zone: string | undefined
  /** `undefined`: not given. */
  point: AnswerPoint | undefined
  find: FindSource
  /**
   * `undefined`: no translation backend is configured. Rejects with UpstreamError or Refusal; resolves to `null` if the
   * backend doesn't support the language.
   */
  translate: ((request: TranslationRequest) => Promise<Translation | null>) | undefined
  /** Ends every call made for this answer. */
  deadline: Deadline
}

export type AnswerBody<Reply extends z.ZodObject> = z.output<Reply> & { text: string }

export interface Answer<Match = unknown, Reply extends z.ZodObject = z.ZodObject> {
  /** Also the answer's `type`. Lower-case words with underscores. */
  slug: string
  title: string
  /** One sentence for the documentation: what it answers. */
  summary: string
  /** The first one is shown. Each must be answered, and by this answer. */
  examples: readonly [Example, ...Example[]]
  /** The answer is random or about the client: it must not be cached and is never logged. */
  isPersonal?: boolean
  /** The members besides `type`, `query` and `text`. */
  reply: Reply
  match(question: Question): Match | null
  /** Rejects with UpstreamError if a source fails: an outage must not look like "no answer". */
  answer(match: Match, context: AnswerContext): AnswerBody<Reply> | null | Promise<AnswerBody<Reply> | null>
}

export const defineAnswer = <Match, Reply extends z.ZodObject>(answer: Answer<Match, Reply>): Answer<Match, Reply> =>
  answer
