// The European Central Bank's euro reference rates: one small XML file, published about 16:00 CET on working days,
// without a key. It has some thirty currencies, and the set changes (a country joins the euro, a currency is
// suspended), so nothing here lists them. For information only, not for transactions.
import { z } from 'zod'
import type { ProviderReply } from '../engine.ts'
import { statusError } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('ECB_URL', 'https://www.ecb.europa.eu') }

const DailyRates = z.object({
  /** The day they were set, `2026-11-13`. */
  date: z.iso.date(),
  /** The value of one euro by ISO 4217 code, as the exact decimal in the file. */
  rates: z.record(z.string(), z.string()),
})
type DailyRates = z.infer<typeof DailyRates>

const CUBE = /<Cube\s([^<>]{1,200})>/g
const ATTRIBUTE = /(\w{1,20})\s{0,5}=\s{0,5}(?:'([^'<]{0,40})'|"([^"<]{0,40})")/g
const CODE = /^[A-Z]{3}$/
const RATE = /^\d{1,12}(?:\.\d{1,12})?$/

export const dailyRates = defineCall<typeof settings>()({
  name: 'daily',
  keepSeconds: 3600,
  keyOf: (_query: null) => 'daily',
  request: () => ({ path: '/stats/eurofxref/eurofxref-daily.xml', headers: { accept: 'application/xml, text/xml' } }),
  parse: (reply, { now }) => readDailyRates(reply, now),
  schema: DailyRates,
})

export const ecb = defineSource({
  slug: 'ecb',
  name: 'European Central Bank',
  homepage:
    'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html',
  group: 'currency',
  settings,
  terms: { cacheIn: 'shared', pricePerCallMicros: 0, attribution: 'Euro reference rates of the European Central Bank' },
  probe: dailyRates,
})

function readDailyRates(reply: ProviderReply, now: number): DailyRates {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const rates: Record<string, string> = {}
  let date = ''
  for (const [, attributes = ''] of reply.body.matchAll(CUBE)) {
    const cube = attributesIn(attributes)
    // The files of past rates have the same format with many days, newest first.
    if (cube['time'] !== undefined && date !== '') break
    date ||= cube['time'] ?? ''
    const { currency = '', rate = '' } = cube
    if (CODE.test(currency) && RATE.test(rate) && Number(rate) > 0) rates[currency] = rate
  }
  const isWhole = reply.body.trimEnd().endsWith('>') && reply.body.includes('</Cube>')
  if (!isWhole || !z.iso.date().safeParse(date).success || Object.keys(rates).length === 0) {
    throw new UpstreamError('malformed', 'The provider answered with something that is not its file of rates.')
  }
  return { date, rates }
}

function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', single, double] of text.matchAll(ATTRIBUTE)) attributes[name] = single ?? double ?? ''
  return attributes
}
