// Stack Exchange: programming questions and their answers, from Stack Overflow. API 2.3, JSON over HTTP. An IP address
// may make 300 calls a day without a key and 10,000 with one: the rate limit below is the former, and an operator with
// a key sets STACKEXCHANGE_PACE. Throttling is status 400 with an error number in the body. `backoff` in a good reply
// means that this method must not be called again for so many seconds; it is returned as a time. Titles and bodies are
// HTML.
import { z } from 'zod'
import type { ProviderReply } from '../engine.ts'
import { partCode } from '../parsing/code-in-html.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { HttpUrl } from '../parsing/http-url.ts'
import { jsonIn, jsonReply, list, moment, record, title, word } from '../parsing/json-reply.ts'
import { plainText } from '../parsing/plain-text.ts'
import { queryString } from '../parsing/query-string.ts'
import { errorWithWait } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = {
  baseUrl: setting('STACKEXCHANGE_URL', 'https://api.stackexchange.com'),
  apiKey: secret('STACKEXCHANGE_API_KEY', ''),
}

const SITE = 'stackoverflow'
const QUESTIONS = 5
const ANSWERS = 5
const LONGEST_ANSWER = 1200
const THROTTLE_VIOLATION = 502

const Question = z.object({
  id: z.number(),
  title: z.string(),
  url: HttpUrl,
  tags: z.array(z.string()),
  score: z.number(),
  /** 0 if none was accepted. */
  acceptedAnswerId: z.number(),
  /** Milliseconds since 1970, or null. */
  askedAt: z.number().nullable(),
})
export type StackQuestion = z.infer<typeof Question>

const Answer = z.object({
  id: z.number(),
  isAccepted: z.boolean(),
  score: z.number(),
  /** Plain text, cut after a word; '' if there is only code. */
  text: z.string(),
  /** The first code block, with its line breaks, or ''. */
  code: z.string(),
  author: z.string(),
  licence: z.string(),
})
export type StackAnswer = z.infer<typeof Answer>

const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0)

/** Every error is a 400; the body says which. */
const refusalOf = (reply: ProviderReply): UpstreamError | undefined => {
  const body = record(jsonIn(reply.body))
  if (reply.status !== 400 || body['error_id'] === undefined) return undefined
  if (body['error_id'] !== THROTTLE_VIOLATION) {
    return new UpstreamError('rejected', 'The provider refused the request (status 400).')
  }
  const [, seconds = ''] = /\b(\d{1,7}) seconds/.exec(word(body['error_message'])) ?? []
  return errorWithWait('throttled', 'The provider asks us to slow down.', Number.parseInt(seconds, 10))
}

interface Items {
  items: readonly unknown[]
  /** Don't call this method before this time, in milliseconds since 1970; 0: no restriction. */
  notBefore: number
}

const itemsOf = (reply: ProviderReply, now: number): Items => {
  const refusal = refusalOf(reply)
  if (refusal) throw refusal
  const { items, backoff } = jsonReply(reply, { now })
  if (!Array.isArray(items)) throw new UpstreamError('malformed', 'The provider answered with no items.')
  return { items, notBefore: count(backoff) > 0 ? now + count(backoff) * 1000 : 0 }
}

/** Keeps the items that can be read. Throws if there are some and none can be read. */
const readable = <Thing>(items: readonly unknown[], read: (item: unknown) => Thing | undefined): Thing[] => {
  const things = items.map(read).filter((thing) => thing !== undefined)
  if (things.length === 0 && items.length > 0) {
    throw new UpstreamError('malformed', 'The provider answered with items that cannot be read.')
  }
  return things
}

const questionOf = (given: unknown): StackQuestion | undefined => {
  const question = record(given)
  const [id, url, name] = [count(question['question_id']), httpAddress(question['link']), title(question['title'])]
  if (id <= 0 || url === '' || name === '') return undefined
  return {
    id,
    title: name,
    url,
    tags: list(question['tags']).map(title).filter(Boolean),
    score: count(question['score']),
    acceptedAnswerId: count(question['accepted_answer_id']),
    askedAt: moment(question['creation_date']) ?? null,
  }
}

const answerOf = (given: unknown): StackAnswer | undefined => {
  const answer = record(given)
  const [id, body] = [count(answer['answer_id']), word(answer['body'])]
  if (id <= 0 || body === '') return undefined
  const { code, rest } = partCode(body)
  return {
    id,
    isAccepted: answer['is_accepted'] === true,
    score: count(answer['score']),
    text: plainText(rest, LONGEST_ANSWER),
    code,
    author: title(record(answer['owner'])['display_name']),
    licence: title(answer['content_license']),
  }
}

const keyed = (apiKey: string) => (apiKey === '' ? undefined : apiKey)

const JSON_ONLY = { headers: { accept: 'application/json' } }

/** Questions that have an accepted answer, best first. */
export const stackQuestions = defineCall<typeof settings>()({
  name: 'questions',
  keepSeconds: 86_400,
  keyOf: ({ text }: { text: string }) => text,
  request: ({ text }, { apiKey }) => ({
    path: `/2.3/search/advanced${queryString({
      site: SITE,
      q: text,
      sort: 'relevance',
      order: 'desc',
      accepted: 'True',
      answers: 1,
      pagesize: QUESTIONS,
      key: keyed(apiKey),
    })}`,
    ...JSON_ONLY,
  }),
  parse: (reply, { now }) => {
    const { items, notBefore } = itemsOf(reply, now)
    return { questions: readable(items, questionOf), notBefore }
  },
  found: z.object({ questions: z.array(Question), notBefore: z.number() }),
})

/** The answers to a question, best first. */
export const stackAnswers = defineCall<typeof settings>()({
  name: 'answers',
  keepSeconds: 86_400,
  keyOf: ({ questionId }: { questionId: number }) => String(questionId),
  request: ({ questionId }, { apiKey }) => ({
    path: `/2.3/questions/${questionId}/answers${queryString({
      site: SITE,
      order: 'desc',
      sort: 'votes',
      pagesize: ANSWERS,
      filter: 'withbody',
      key: keyed(apiKey),
    })}`,
    ...JSON_ONLY,
  }),
  parse: (reply, { now }) => {
    const { items, notBefore } = itemsOf(reply, now)
    return { answers: readable(items, answerOf), notBefore }
  },
  found: z.object({ answers: z.array(Answer), notBefore: z.number() }),
})

export const stackexchange = defineSource({
  slug: 'stackexchange',
  name: 'Stack Exchange',
  homepage: 'https://stackexchange.com',
  group: 'cards',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Questions and answers from Stack Overflow, CC BY-SA, with their authors and links',
    rateLimit: { calls: 300, perSeconds: 86_400 },
  },
})
