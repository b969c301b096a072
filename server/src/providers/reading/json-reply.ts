// How adapters read a reply. Providers drop fields, send null, '' or another type than they document, so the readers
// are total: whatever is not what was asked for reads as empty. Only a reply that is no JSON object at all is an error,
// and so is a list of results of which not one can be read: an outage must not look like "no results".
import { UpstreamError } from '../../errors.ts'
import { plainText } from '../../text/plain-text.ts'
import type { ProviderReply } from '../engine.ts'
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
    // The parser's message quotes the body, which must not travel any further.
    return undefined
  }
}

/** The JSON object in a body, or undefined. */
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

/** The JSON object a provider answered with, or the UpstreamError that its status or its body amounts to. */
export const jsonReply = (reply: ProviderReply, { now }: { now: number }): JsonRecord => {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const page = jsonIn(reply.body)
  if (page === undefined) throw new UpstreamError('malformed', whatIsWrongWith(reply.body))
  return page
}

/** The same for a provider that answers with a list. */
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

/** ISO 8601 or Unix seconds → milliseconds. No zone means UTC. 0 or an absurd date is how some say "unknown". */
export const moment = (value: unknown): number | undefined => {
  const time = millisecondsIn(value)
  return time > 0 && time < YEAR_2100 ? time : undefined
}

/** Each result as a hit; `read` answers undefined for one that must be dropped. */
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

/** The list of results; its absence means that this is no search page. */
export const resultList = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new UpstreamError('malformed', 'The provider answered with no search page.')
  return value
}
