// Frankfurter, v2: `GET /v2/rates?base=&quotes=` as a list of rows, and `GET /v2/rate/{base}/{quote}` as one row.
// Keyless. A base that is requested as a quote has a row too, of rate 1. Errors are `{"message": …}`. Our own choice:
// an unknown currency is a 422, and `date`, `group`, `providers` and `expand` are not simulated.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { FURTHER_RATES, lastBankingDay, REFERENCE_RATES } from '../corpus/exchange-rates.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

const EURO_RATES: Readonly<Record<string, string>> = { EUR: '1', ...REFERENCE_RATES, ...FURTHER_RATES }
const PLAYED: readonly string[] = ['base', 'quotes']

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
  return { status: 200, json: quotes.map((quote) => row(base, quote, now)), headers: KEPT }
}

function onePair(base: string, quote: string, now: number): ProviderReply {
  const isKnown = base in EURO_RATES && quote in EURO_RATES
  return isKnown ? { status: 200, json: row(base, quote, now), headers: KEPT } : message(404, 'not found')
}

const row = (base: string, quote: string, now: number) => ({
  date: lastBankingDay(now),
  base,
  quote,
  rate: Number((Number(EURO_RATES[quote]) / Number(EURO_RATES[base])).toPrecision(8)),
})

const KEPT = { 'cache-control': 'public, max-age=86400' }

const message = (status: number, text: string): ProviderReply => ({ status, json: { message: text } })
