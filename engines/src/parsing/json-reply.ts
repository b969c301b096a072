// Reads JSON replies. Providers drop fields, or send null, '' or another type than documented, so these readers never
// fail: a value of the wrong type reads as empty. Only two things are errors: a reply that is not a JSON object, and a
// list of results none of which can be read. An outage must not look like "no results".

import type { ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { plainText } from './plain-text.ts'
import { statusError } from './status-error.ts'

const LONGEST_TITLE = 300
const LONGEST_DESCRIPTION = 1000
const YEAR_2100 = Date.UTC(2100, 0)

type JsonRecord = Readonly<Record<string, unknown>>

const EMPTY_RECORD: JsonRecord = {}
const EMPTY_LIST: readonly unknown[] = []

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valueIn = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    // Drop the parser's message: it quotes the body.
    return undefined
  }
}

/** The JSON object in a body, or `undefined`. */
export const jsonIn = (body: string): JsonRecord | undefined => {
  const value = valueIn(body)
  return isRecord(value) ? value : undefined
}

const whatIsWrongWith = (body: string): string => {
  const start = body.trimStart().charAt(0)
  if (start === '') return 'The provider answered with nothing.'
  return start === '<'
    ? 'The provider answered with a web page instead of results.'
    : 'The provider answered with something that is not a whole JSON object.'
}

/** Returns the reply's JSON object. Throws UpstreamError for an error status or a body that isn't one. */
export const jsonReply = (reply: ProviderReply, { now }: { now: number }): JsonRecord => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const page = jsonIn(reply.body)
  if (page === undefined) throw new UpstreamError('malformed', whatIsWrongWith(reply.body))
  return page
}

/** Like `jsonReply`, for a provider that replies with a list. */
export const jsonListReply = (reply: ProviderReply, { now }: { now: number }): readonly unknown[] => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const value = valueIn(reply.body)
  if (!Array.isArray(value)) throw new UpstreamError('malformed', whatIsWrongWith(reply.body))
  return value
}

export const record = (value: unknown): JsonRecord => (isRecord(value) ? value : EMPTY_RECORD)

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : EMPTY_LIST)

/** A code or a status word, exactly as sent. */
export const word = (value: unknown): string => (typeof value === 'string' ? value : '')

export const title = (value: unknown): string => (typeof value === 'string' ? plainText(value, LONGEST_TITLE) : '')

export const description = (value: unknown): string =>
  typeof value === 'string' ? plainText(value, LONGEST_DESCRIPTION) : ''

const isoMoment = (value: string): number => {
  const hasZone =
    value.length === 10 || value.endsWith('Z') || value.lastIndexOf('+') > 10 || value.lastIndexOf('-') > 10
  return Date.parse(hasZone ? value : `${value}Z`)
}

const millisecondsIn = (value: unknown): number => {
  if (typeof value === 'number') return value * 1000
  if (typeof value !== 'string') return Number.NaN
  return value.charAt(4) === '-' && value.charAt(7) === '-' ? isoMoment(value) : Number(value) * 1000
}

/**
 * ISO 8601 or Unix seconds → milliseconds. No zone means UTC. Some providers send 0 or an absurd date for "unknown".
 */
export const moment = (value: unknown): number | undefined => {
  const time = millisecondsIn(value)
  return time > 0 && time < YEAR_2100 ? time : undefined
}

/** Reads each result as a hit; `read` returns `undefined` to drop one. */
export const hitsOf = <Hit>(results: unknown, read: (result: JsonRecord) => Hit | undefined): Hit[] => {
  const hits: Hit[] = []
  const given = list(results)
  for (const result of given) {
    const hit = read(record(result))
    if (hit !== undefined) hits.push(hit)
  }
  if (hits.length === 0 && given.length > 0) {
    throw new UpstreamError('malformed', 'The provider answered with results that cannot be read.')
  }
  return hits
}

/** The list of results. Throws if it is missing: then the reply isn't a search page. */
export const resultList = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new UpstreamError('malformed', 'The provider answered with no search page.')
  return value
}
