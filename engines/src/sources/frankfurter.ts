// Frankfurter (v2): exchange rates blended from some seventy central banks, without a key; it can be self-hosted. Used
// for currencies that the ECB's file lacks, and if that file can't be fetched. Each row has its own date. We assume
// that an unknown currency is a 404 or a 422 with a message, or a missing row; this is unverified. All three mean "no
// rate".
import { z } from 'zod'
import type { ProviderReply } from '../engine.ts'
import { asObject, asString, jsonListReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('FRANKFURTER_URL', 'https://api.frankfurter.dev') }

const EuroRates = z.array(
  z.object({
    /** ISO 4217. */
    code: z.string(),
    date: z.iso.date(),
    /** The value of one euro, as an exact decimal. */
    rate: z.string(),
  }),
)
type EuroRates = z.infer<typeof EuroRates>

const CODE = /^[A-Z]{3}$/

/** Fetches the rates of these currencies; unknown ones are left out. */
export const euroRates = defineCall<typeof settings>()({
  name: 'rates',
  keepSeconds: 3600,
  keyOf: (codes: readonly string[]) => sortedCodeList(codes),
  request: (codes) => request(sortedCodeList(codes)),
  parse: (reply, { now }) => readRates(reply, now),
  schema: EuroRates,
})

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
      if (readRates(reply, now).length === 0) {
        throw new UpstreamError('malformed', 'The provider has no rate of the US dollar.')
      }
    },
  },
})

const sortedCodeList = (codes: readonly string[]): string => codes.toSorted().join(',')

const request = (quotes: string) => getJson('/v2/rates', { base: 'EUR', quotes })

function readRates(reply: ProviderReply, now: number): EuroRates {
  if ((reply.status === 404 || reply.status === 422) && asString(parseJsonObject(reply.body)?.['message']) !== '')
    return []
  const rows = jsonListReply(reply, { now })
  const rates = rows.flatMap((row) => {
    const { base, quote, date, rate } = asObject(row)
    const isRate = base === 'EUR' && typeof quote === 'string' && CODE.test(quote)
    if (!isRate || typeof rate !== 'number' || !(rate > 0) || !z.iso.date().safeParse(date).success) return []
    return [{ code: quote, date: asString(date), rate: String(rate) }]
  })
  if (rates.length === 0 && rows.length > 0) {
    throw new UpstreamError('malformed', 'The provider answered with rates that cannot be read.')
  }
  return rates
}
