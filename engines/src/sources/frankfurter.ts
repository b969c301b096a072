// Frankfurter (v2): exchange rates blended from some seventy central banks, without a key; it can be self-hosted. Used
// for currencies that the ECB's file lacks, and if that file can't be fetched. Each row has its own date. We assume
// that an unknown currency is a 404 or a 422 with a message, or a missing row; this is unverified. All three mean "no
// rate". A series has a row for each day that has a rate; whether that includes weekends is unverified, and doesn't matter.
import { z } from 'zod'
import type { ProviderReply } from '../engine.ts'
import { asObject, asString, jsonListReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('FRANKFURTER_URL', 'https://api.frankfurter.dev') }

const RateRows = z.array(
  z.object({
    /** ISO 4217. */
    code: z.string(),
    date: z.iso.date(),
    /** The value of one euro, or of another base, as an exact decimal. */
    rate: z.string(),
  }),
)
type RateRows = z.infer<typeof RateRows>

const CODE = /^[A-Z]{3}$/

/** Fetches the rates of these currencies; unknown ones are left out. */
export const euroRates = defineCall<typeof settings>()({
  name: 'rates',
  keepSeconds: 3600,
  keyOf: (codes: readonly string[]) => sortedCodeList(codes),
  request: (codes) => request(sortedCodeList(codes)),
  parse: (reply, { now }) => readRows(reply, 'EUR', now),
  schema: RateRows,
})

export interface SeriesQuery {
  /** ISO 4217. */
  base: string
  quote: string
  /** The first and the last day, `2026-11-13`. */
  from: string
  to: string
}

const RateSeries = z.array(
  z.object({
    date: z.iso.date(),
    /** The value of one unit of the base, as an exact decimal. */
    rate: z.string(),
  }),
)
type RateSeries = z.infer<typeof RateSeries>

/** More than a year of days, so that a reply of any length stays small in the cache. */
const MAX_DAYS = 400

/** Fetches the rate of every day, oldest first; none if a currency is unknown. */
export const rateSeries = defineCall<typeof settings>()({
  name: 'series',
  keepSeconds: 3600,
  keyOf: ({ base, quote, from, to }: SeriesQuery) => [base, quote, from, to].join(' '),
  request: ({ base, quote, from, to }) => getJson('/v2/rates', { base, quotes: quote, from, to }),
  parse: (reply, { query, now }) => readSeries(readRows(reply, query.base, now), query),
  schema: RateSeries,
})

function readSeries(rows: RateRows, { quote, from, to }: SeriesQuery): RateSeries {
  const byDate = new Map(
    rows
      .filter(({ code, date }) => code === quote && date >= from && date <= to)
      .map(({ date, rate }) => [date, { date, rate }]),
  )
  return [...byDate.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1)).slice(-MAX_DAYS)
}

export const frankfurter = defineSource({
  slug: 'frankfurter',
  name: 'Frankfurter',
  homepage: 'https://frankfurter.dev',
  group: 'currency',
  settings,
  terms: { cacheIn: 'shared', pricePerCallMicros: 0, attribution: 'Rates of central banks, gathered by Frankfurter' },
  probe: {
    request: () => request('USD'),
    parse: (reply, { now }) => {
      if (readRows(reply, 'EUR', now).length === 0) {
        throw new UpstreamError('malformed', 'The provider has no rate of the US dollar.')
      }
    },
  },
})

const sortedCodeList = (codes: readonly string[]): string => codes.toSorted().join(',')

const request = (quotes: string) => getJson('/v2/rates', { base: 'EUR', quotes })

function readRows(reply: ProviderReply, wanted: string, now: number): RateRows {
  if ((reply.status === 404 || reply.status === 422) && asString(parseJsonObject(reply.body)?.['message']) !== '')
    return []
  const rows = jsonListReply(reply, { now })
  const rates = rows.flatMap((row) => {
    const { base, quote, date, rate } = asObject(row)
    const isRate = base === wanted && typeof quote === 'string' && CODE.test(quote)
    if (!isRate || typeof rate !== 'number' || !(rate > 0) || !z.iso.date().safeParse(date).success) return []
    return [{ code: quote, date: asString(date), rate: String(rate) }]
  })
  if (rates.length === 0 && rows.length > 0) {
    throw new UpstreamError('malformed', 'The provider answered with rates that cannot be read.')
  }
  return rates
}
