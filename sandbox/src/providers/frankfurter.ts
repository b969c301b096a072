// Frankfurter, v2: `GET /v2/rates?base=&quotes=` as a list of rows, also of the days `from=` to `to=`, and
// `GET /v2/rate/{base}/{quote}` as one row. Keyless. A base that is requested as a quote has a row too, of rate 1. Errors
// are `{"message": …}`. Our own choice: an unknown currency is a 422, weekends have no rows, and `date`, `group`,
// `providers` and `expand` are not simulated.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { bankingDays, FURTHER_RATES, lastBankingDay, REFERENCE_RATES, shareOfToday } from '../corpus/exchange-rates.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

const EURO_RATES: Readonly<Record<string, string>> = { EUR: '1', ...REFERENCE_RATES, ...FURTHER_RATES }
const DAY = /^\d{4}-\d\d-\d\d$/
const PLAYED: readonly string[] = ['base', 'quotes', 'from', 'to']

export const frankfurter = defineProvider({
  slug: 'frankfurter',
  key: '',
  readsHeaders: [],
  optionalMembers: [],
  answer(request, corpus) {
    if (request.method !== 'GET') return undefined
    const pair = /^\/v2\/rate\/([^/]+)\/([^/]+)$/.exec(request.path)
    if (pair !== null) return onePair(pair[1] ?? '', pair[2] ?? '', request.now)
    return request.path === '/v2/rates' ? rates(request, corpus === EMPTY_CORPUS) : undefined
  },
  badKey: () => message(403, 'forbidden'),
  throttled: (_now, retryAfterSeconds) => ({
    ...message(429, 'too many requests'),
    headers: { 'retry-after': String(retryAfterSeconds) },
  }),
  failure: (_now, status) => message(status, status === 404 ? 'not found' : 'service unavailable'),
})

function rates({ query, now }: ProviderRequest, isEmpty: boolean): ProviderReply {
  const unknown = [...query.keys()].find((name) => !PLAYED.includes(name))
  if (unknown !== undefined) return message(422, `the sandbox does not play ${unknown}`)
  const base = query.get('base') ?? 'EUR'
  const quotes = query.get('quotes')?.split(',') ?? Object.keys(EURO_RATES)
  if (![base, ...quotes].every((code) => code in EURO_RATES)) return message(422, 'invalid currency')
  if (isEmpty) return { status: 200, json: [] }
  const last = lastBankingDay(now)
  const [from, to] = [query.get('from') ?? last, query.get('to') ?? last]
  if (!DAY.test(from) || !DAY.test(to)) return message(422, 'invalid date')
  // Without `from`, the latest rates.
  const days = query.has('from') ? bankingDays(from, to < last ? to : last) : [last]
  const rows = days.flatMap((date) => quotes.map((quote) => row(base, quote, { date, last })))
  return { status: 200, json: rows, headers: KEPT }
}

function onePair(base: string, quote: string, now: number): ProviderReply {
  const isKnown = base in EURO_RATES && quote in EURO_RATES
  const date = lastBankingDay(now)
  return isKnown
    ? { status: 200, json: row(base, quote, { date, last: date }), headers: KEPT }
    : message(404, 'not found')
}

const row = (base: string, quote: string, { date, last }: { date: string; last: string }) => ({
  date,
  base,
  quote,
  rate: Number((euroRate(quote, date, last) / euroRate(base, date, last)).toPrecision(8)),
})

/** The euro is always worth one euro. */
const euroRate = (code: string, date: string, last: string): number =>
  Number(EURO_RATES[code]) * (code === 'EUR' ? 1 : shareOfToday(code, date, last))

const KEPT = { 'cache-control': 'public, max-age=86400' }

const message = (status: number, text: string): ProviderReply => ({ status, json: { message: text } })
