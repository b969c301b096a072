// Rates of exchange, when sources fail, lack a currency or are slow; the tables have the texts of answers.
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource, FindSource, Source } from '@bowerbird/engines/source.ts'
import { ecb } from '@bowerbird/engines/sources/ecb.ts'
import { frankfurter } from '@bowerbird/engines/sources/frankfurter.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { passUntilDone, simulateTime } from '../../../engines/test/simulated-time.ts'
import type { AnswerContext } from '../answer.ts'
import { Exact } from '../lib/numbers.ts'
import { readQuestion } from '../question.ts'
import { currency } from './currency.ts'
import { createExchange } from './exchange.ts'
import { ratesOf } from './exchange-rates.ts'

simulateTime()

const BANK = { date: '2026-11-13', rates: { USD: '1.25', GBP: '0.8' } }
const OTHER = [
  { code: 'USD', date: '2026-11-12', rate: '1.2' },
  { code: 'KWD', date: '2026-11-13', rate: '0.36' },
]
const SERIES = [
  { date: '2026-11-12', rate: '0.86' },
  { date: '2026-11-13', rate: '0.87' },
]

const outage = new UpstreamError('unreachable', 'The provider is out of order (status 503).')
const bug = new TypeError('a bug')
const fail = (error: Error) => () => {
  throw error
}

type Reply = (query: unknown) => unknown

/** Two sources that say what the test tells them to; one that has nothing to say isn't configured. */
function openSources(replies: { bank?: Reply; other?: Reply }) {
  const asked: string[] = []
  const bind = (source: Source, reply: Reply): BoundSource => ({
    source,
    async ask(call, query) {
      asked.push(source.slug)
      return { found: call.schema.parse(reply(query)), isStale: false, ageMs: 0 }
    },
  })
  const bound = {
    [ecb.slug]: replies.bank && bind(ecb, (query) => replies.bank?.(query)),
    [frankfurter.slug]: replies.other && bind(frankfurter, (query) => replies.other?.(query)),
  }
  // What is bound under a slug is the source of that slug.
  const find = (({ slug }: Source) => bound[slug]) as FindSource
  const startDeadline = () => createDeadline(1_000)
  return {
    asked,
    find,
    getRates: (...codes: string[]) => ratesOf(codes, { find, deadline: startDeadline() }),
    exchange: createExchange({ find, startDeadline, clock: () => Date.UTC(2026, 10, 15, 12) }),
  }
}

describe('exchange rates', () => {
  it('come from the ECB alone if it has both currencies', async () => {
    const { getRates, asked } = openSources({ bank: () => BANK, other: () => OTHER })
    const found = await getRates('USD', 'EUR')
    expect(found?.byCode.get('USD')).toEqual({ rate: '1.25', date: '2026-11-13' })
    expect(found?.byCode.get('EUR')).toEqual({ rate: '1', date: '2026-11-13' })
    expect(found?.source.slug).toBe('ecb')
    expect(asked).toEqual(['ecb'])
  })

  it('both come from Frankfurter if the ECB lacks one', async () => {
    const { getRates, asked } = openSources({ bank: () => BANK, other: () => OTHER })
    const found = await getRates('USD', 'KWD')
    expect(found?.byCode.get('USD')?.rate).toBe('1.2')
    expect(found?.byCode.get('KWD')?.rate).toBe('0.36')
    expect(found?.source.slug).toBe('frankfurter')
    expect(asked).toEqual(['ecb', 'frankfurter'])
  })

  it('come from Frankfurter if the ECB fails', async () => {
    const { getRates } = openSources({ bank: fail(outage), other: () => OTHER })
    expect((await getRates('EUR', 'USD'))?.source.slug).toBe('frankfurter')
  })

  it('are the last good ones, with their date, if both sources fail', async () => {
    const replies = { bank: (): unknown => BANK, other: (): unknown => OTHER }
    const { getRates } = openSources(replies)
    await getRates('USD', 'GBP')
    await getRates('USD', 'KWD')
    Object.assign(replies, { bank: fail(outage), other: fail(outage) })
    expect((await getRates('USD', 'GBP'))?.byCode.get('GBP')).toEqual({ rate: '0.8', date: '2026-11-13' })
    expect((await getRates('USD', 'KWD'))?.source.slug).toBe('frankfurter')
    await expect(getRates('USD', 'VND')).rejects.toBe(outage)
  })

  it('are not shared between two instances in one process', async () => {
    await openSources({ bank: () => BANK }).getRates('USD', 'EUR')
    await expect(openSources({ bank: fail(outage) }).getRates('USD', 'EUR')).rejects.toBe(outage)
  })

  it('are null if no source has them or none is configured', async () => {
    expect(await openSources({ bank: () => BANK, other: () => OTHER }).getRates('USD', 'XAF')).toBeNull()
    expect(await openSources({}).getRates('USD', 'EUR')).toBeNull()
  })

  it('an outage of the only source that might have them is an error, not "no answer"', async () => {
    await expect(openSources({ bank: () => BANK, other: fail(outage) }).getRates('USD', 'KWD')).rejects.toBe(outage)
  })

  it('a bug is not treated as an outage', async () => {
    await expect(openSources({ bank: fail(bug) }).getRates('USD', 'EUR')).rejects.toBe(bug)
    await expect(openSources({ other: fail(bug) }).exchange.past(PAIR)).rejects.toBe(bug)
  })

  it('the first source leaves time for the second', async () => {
    const slow: BoundSource = {
      source: ecb,
      ask: async (_call, _query, limit) =>
        await new Promise((_, reject) => limit.onExpire(() => reject(new UpstreamError('timeout', 'Too late.')))),
    }
    const { find } = openSources({ other: () => OTHER })
    const both = ((source: Source) => (source.slug === ecb.slug ? slow : find(source))) as FindSource
    const deadline = createDeadline(1_000)
    const rates = await passUntilDone(ratesOf(['EUR', 'USD'], { find: both, deadline }))
    expect(rates?.source.slug).toBe('frankfurter')
    expect(deadline.remainingMs()).toBeGreaterThan(0)
  })
})

describe('the answer', () => {
  const { find } = openSources({ bank: () => BANK, other: () => OTHER })
  async function ask(q: string, now: string) {
    const question = readQuestion(q, 'en')
    const match = question && currency.match(question)
    if (!match) return null
    // Only what the answer uses of its context is here.
    const context = { question, now: Date.parse(now), find, deadline: createDeadline(1_000) } as AnswerContext
    return await currency.answer(match, context)
  }

  it('shows the date, and marks rates that are more than four days old', async () => {
    expect(await ask('10 eur to usd', '2026-11-17T23:59Z')).toMatchObject({ is_stale: false, result: '12.5' })
    expect(await ask('10 eur to usd', '2026-11-18T00:00Z')).toMatchObject({
      is_stale: true,
      text: '10 EUR = 12.50 USD (European Central Bank, 13 November 2026, out of date)',
    })
  })

  it('has the older of two dates', async () => {
    expect(await ask('10 usd to kwd', '2026-11-14T00:00Z')).toMatchObject({ date: '2026-11-12', result: '3' })
  })
})

const CONVERSION = { amount: new Exact(10), from: 'USD', to: 'EUR', locale: 'en' }
const PAIR = { from: 'USD', to: 'EUR', days: 30 }

describe('the exchange', () => {
  it('converts as the instant answer does', async () => {
    const found = {
      result: '8',
      rate: '0.8',
      date: '2026-11-13',
      text: '10 USD = 8.00 EUR (European Central Bank, 13 November 2026)',
    }
    const { convert } = openSources({ bank: () => BANK }).exchange
    expect(await convert(CONVERSION)).toMatchObject({ kind: 'found', found })
  })

  it('asks for the past rates of the days before today', async () => {
    const queries: unknown[] = []
    const { past } = openSources({
      other(query) {
        queries.push(query)
        return SERIES
      },
    }).exchange
    const found = { days: SERIES, attribution: 'Rates of central banks, gathered by Frankfurter' }
    expect(await past(PAIR)).toEqual({ kind: 'found', found })
    expect(queries).toEqual([{ base: 'USD', quote: 'EUR', from: '2026-10-16', to: '2026-11-15' }])
  })

  it('has no line with fewer than two days, or without the source', async () => {
    expect(await openSources({ other: () => SERIES.slice(1) }).exchange.past(PAIR)).toEqual({ kind: 'none' })
    expect(await openSources({}).exchange.past(PAIR)).toEqual({ kind: 'none' })
  })

  it('tells an outage apart from a missing rate', async () => {
    const { convert, past } = openSources({ bank: fail(outage), other: fail(outage) }).exchange
    expect(await convert(CONVERSION)).toEqual({ kind: 'failed' })
    expect(await past(PAIR)).toEqual({ kind: 'failed' })
  })
})
