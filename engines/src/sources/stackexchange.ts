// Stack Exchange: programming questions and their answers, from Stack Overflow. API 2.3, JSON over HTTP. An IP address
// may make 300 calls a day without a key and 10,000 with one: the rate limit below is the former, and an operator with
// a key sets STACKEXCHANGE_RATE_LIMIT. Throttling is status 400 with an error number in the body. `backoff` in a good
// reply is the number of seconds before this method may be called again; we return it as a time. Titles and bodies are
// HTML.
import { z } from 'zod'
import type { ProviderReply } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { HttpUrl, httpAddress } from '../parsing/http-address.ts'
import {
  asArray,
  asObject,
  asString,
  asTitle,
  hitsOf,
  type JsonObject,
  jsonReply,
  parseJsonObject,
} from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { plainText } from '../parsing/plain-text.ts'
import { throttled } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = {
  baseUrl: setting('STACKEXCHANGE_URL', 'https://api.stackexchange.com'),
  apiKey: secret('STACKEXCHANGE_API_KEY', ''),
}

const SITE = 'stackoverflow'
const MAX_QUESTIONS = 5
const MAX_ANSWERS = 5
const MAX_ANSWER_LENGTH = 1200
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

const integerOrZero = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0)

/** Every error is a 400; the body says which. */
export const stackReply = (reply: ProviderReply, { now }: { now: number }): JsonObject => {
  const { error_id: id, error_message: message } = asObject(parseJsonObject(reply.body))
  if (reply.status === 400 && id === THROTTLE_VIOLATION) {
    const [, seconds = ''] = /\b(\d{1,7}) seconds/.exec(asString(message)) ?? []
    throw throttled(reply, now, Number.parseInt(seconds, 10))
  }
  if (reply.status === 400 && id !== undefined) {
    throw new UpstreamError('rejected', 'The provider refused the request (status 400).')
  }
  return jsonReply(reply, { now })
}

interface Items {
  items: readonly unknown[]
  /** Don't call this method before this time, in milliseconds since 1970; 0: no restriction. */
  notBefore: number
}

const itemsOf = (reply: ProviderReply, now: number): Items => {
  const { items, backoff } = stackReply(reply, { now })
  if (!Array.isArray(items)) throw new UpstreamError('malformed', 'The provider answered with no items.')
  return { items, notBefore: integerOrZero(backoff) > 0 ? now + integerOrZero(backoff) * 1000 : 0 }
}

const MAX_LINES = 40
const MAX_LINE_LENGTH = 300

const lineOf = (markup: string): string => {
  const code = markup.trimStart()
  const indentation = markup.slice(0, markup.length - code.length).replaceAll('\t', '    ')
  return `${indentation.replace(/[^ ]/g, '').slice(0, MAX_LINE_LENGTH)}${plainText(code, MAX_LINE_LENGTH)}`.trimEnd()
}

const codeOf = (markup: string): string => {
  const lines = markup.split('\n', MAX_LINES + 1)
  const text = lines.slice(0, MAX_LINES).map(lineOf)
  if (lines.length > MAX_LINES) text.push('…')
  return text.join('\n').replace(/^\n{1,40}|\n{1,40}$/g, '')
}

/**
 * Separates the first code block from the rest. `code` is plain text that keeps its indentation, at most 40 lines of
 * it, or '' if there is no code block; `rest` is still HTML. No pattern runs over the whole text, so its length does no
 * harm.
 */
const splitCode = (html: string): { code: string; rest: string } => {
  const start = html.indexOf('<pre')
  const end = start === -1 ? -1 : html.indexOf('</pre>', start)
  if (end === -1) return { code: '', rest: html }
  const block = html.slice(start, end)
  // `<pre class="x"><code>` is not part of the first line, but spaces after it are.
  const openingTags = /^<pre[^<>]{0,200}>(?:<code[^<>]{0,200}>)?/.exec(block)?.[0] ?? ''
  return { code: codeOf(block.slice(openingTags.length)), rest: `${html.slice(0, start)} ${html.slice(end)}` }
}

const questionOf = (question: JsonObject): StackQuestion | undefined => {
  const [id, url, name] = [
    integerOrZero(question['question_id']),
    httpAddress(question['link']),
    asTitle(question['title']),
  ]
  if (id <= 0 || url === '' || name === '') return undefined
  return {
    id,
    title: name,
    url,
    tags: asArray(question['tags']).map(asTitle).filter(Boolean),
    score: integerOrZero(question['score']),
    acceptedAnswerId: integerOrZero(question['accepted_answer_id']),
    askedAt: parseTimestamp(question['creation_date']) ?? null,
  }
}

const answerOf = (answer: JsonObject): StackAnswer | undefined => {
  const [id, body] = [integerOrZero(answer['answer_id']), asString(answer['body'])]
  if (id <= 0 || body === '') return undefined
  const { code, rest } = splitCode(body)
  return {
    id,
    isAccepted: answer['is_accepted'] === true,
    score: integerOrZero(answer['score']),
    text: plainText(rest, MAX_ANSWER_LENGTH),
    code,
    author: asTitle(asObject(answer['owner'])['display_name']),
    licence: asTitle(answer['content_license']),
  }
}

/** Questions that have an accepted answer, best first. */
export const stackQuestions = defineCall<typeof settings>()({
  name: 'questions',
  keepSeconds: 86_400,
  keyOf: ({ text }: { text: string }) => text,
  request: ({ text }, { apiKey }) =>
    getJson('/2.3/search/advanced', {
      site: SITE,
      q: text,
      sort: 'relevance',
      order: 'desc',
      accepted: 'True',
      answers: 1,
      pagesize: MAX_QUESTIONS,
      key: apiKey || undefined,
    }),
  parse: (reply, { now }) => {
    const { items, notBefore } = itemsOf(reply, now)
    return { questions: hitsOf(items, questionOf), notBefore }
  },
  schema: z.object({ questions: z.array(Question), notBefore: z.number() }),
})

/** The answers to a question, best first. */
export const stackAnswers = defineCall<typeof settings>()({
  name: 'answers',
  keepSeconds: 86_400,
  keyOf: ({ questionId }: { questionId: number }) => String(questionId),
  request: ({ questionId }, { apiKey }) =>
    getJson(`/2.3/questions/${questionId}/answers`, {
      site: SITE,
      order: 'desc',
      sort: 'votes',
      pagesize: MAX_ANSWERS,
      filter: 'withbody',
      key: apiKey || undefined,
    }),
  parse: (reply, { now }) => {
    const { items, notBefore } = itemsOf(reply, now)
    return { answers: hitsOf(items, answerOf), notBefore }
  },
  schema: z.object({ answers: z.array(Answer), notBefore: z.number() }),
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
