// Reads JSON replies. Providers drop fields, or send null, '' or another type than documented, so these readers never
// fail: a value of the wrong type reads as empty. Only two things are errors: a reply that is not a JSON object, and a
// list of results none of which can be read. An outage must not look like "no results".
import type { ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { parseJson } from './parse-json.ts'
import { plainText } from './plain-text.ts'
import { statusError } from './status-error.ts'

const MAX_TITLE_LENGTH = 300
const MAX_DESCRIPTION_LENGTH = 1000

export type JsonObject = Readonly<Record<string, unknown>>

const EMPTY_OBJECT: JsonObject = {}
const EMPTY_ARRAY: readonly unknown[] = []

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a body, or `undefined` if it is not JSON. */
export const jsonOrNothing = (body: string): unknown => {
  try {
    return parseJson(body)
  } catch {
    // Drop the parser's message: it quotes the body.
    return undefined
  }
}

/** The JSON object in a body, or `undefined`. */
export const parseJsonObject = (body: string): JsonObject | undefined => {
  const value = jsonOrNothing(body)
  return isObject(value) ? value : undefined
}

/** In our own words, without quoting it. */
export const describeBadBody = (body: string, as: 'json' | 'feed' = 'json'): string => {
  const start = body.trimStart().charAt(0)
  if (start === '') return 'The provider answered with nothing.'
  if (as === 'feed') return 'The provider answered with something that is not a whole feed.'
  return start === '<'
    ? 'The provider answered with a web page instead of results.'
    : 'The provider answered with something that is not a whole JSON object.'
}

/** Returns the reply's JSON object. Throws UpstreamError for an error status or a body that isn't one. */
export const jsonReply = (reply: ProviderReply, { now }: { now: number }): JsonObject => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const body = parseJsonObject(reply.body)
  if (body === undefined) throw new UpstreamError('malformed', describeBadBody(reply.body))
  return body
}

/** Like `jsonReply`, for a provider that replies with a list. */
export const jsonListReply = (reply: ProviderReply, { now }: { now: number }): readonly unknown[] => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const value = jsonOrNothing(reply.body)
  if (!Array.isArray(value)) throw new UpstreamError('malformed', describeBadBody(reply.body))
  return value
}

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : EMPTY_OBJECT)

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : EMPTY_ARRAY)

/** The string exactly as sent, such as a code or a status; '' for anything else. */
export const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

export const asTitle = (value: unknown): string => (typeof value === 'string' ? plainText(value, MAX_TITLE_LENGTH) : '')

export const asDescription = (value: unknown): string =>
  typeof value === 'string' ? plainText(value, MAX_DESCRIPTION_LENGTH) : ''

/** A whole number above zero, or its digits; `undefined` for anything else. */
export const asCount = (value: unknown): number | undefined => {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : undefined
}

/** Reads each result as a hit; `read` returns `undefined` to drop one. */
export const hitsOf = <Hit>(results: unknown, read: (result: JsonObject) => Hit | undefined): Hit[] =>
  readableHits(asArray(results), (result) => read(asObject(result)))

/** The same for results of any kind. */
export const readableHits = <Result, Hit>(
  results: readonly Result[],
  read: (result: Result) => Hit | undefined,
): Hit[] => {
  const hits: Hit[] = []
  for (const result of results) {
    const hit = read(result)
    if (hit !== undefined) hits.push(hit)
  }
  if (hits.length === 0 && results.length > 0) {
    throw new UpstreamError('malformed', 'The provider answered with results that cannot be read.')
  }
  return hits
}

export const noSearchPage = (): UpstreamError =>
  new UpstreamError('malformed', 'The provider answered with no search page.')

/** The list of results. Throws if it is missing: then the reply isn't a search page. */
export const resultList = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw noSearchPage()
  return value
}

/**
 * Reads completions in the OpenSearch format, which most providers send: `["typed", ["one", "two"], …]`. The rest of
 * the reply differs by provider and isn't needed. There is no clock here, so a Retry-After date is ignored.
 */
export const openSearchCompletions = (reply: ProviderReply): string[] => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, Number.NaN)
  const [, list] = asArray(jsonOrNothing(reply.body))
  const completions = asArray(list)
    .map(asTitle)
    .filter((completion) => completion !== '')
  const isUnreadable = asArray(list).length > 0 && completions.length === 0
  if (!Array.isArray(list) || isUnreadable) {
    throw new UpstreamError('malformed', 'The provider answered with no completions.')
  }
  return completions
}
