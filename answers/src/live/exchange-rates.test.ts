import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource, FindSource, Source } from '@bowerbird/engines/source.ts'
import { ecb } from '@bowerbird/engines/sources/ecb.ts'
import { frankfurter } from '@bowerbird/engines/sources/frankfurter.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { passUntilDone, simulateTime } from '../../../engines/test/simulated-time.ts'
import type { AnswerContext } from '../answer.ts'
import { readQuestion } from '../question.ts'
import { currency } from './currency.ts'
import { ratesOf } from './exchange-rates.ts'

const BANK = { date: '2026-11-13', rates: { USD: '1.25', GBP: '0.8' } }
const OTHER = [
  { code: 'USD', date: '2026-11-12', rate: '1.2' },
  { code: 'KWD', date: '2026-11-13', rate: '0.36' },
]
simulateTime()

const fault = new UpstreamError('unreachable', 'The provider is out of order (status 503).')

type Script = () => unknown

/** Two sources that say what the test tells them to, in the place of those of an instance. */
function openExchange(scripts: { bank?: Script; other?: Script }) {
  const asked: string[] = []
  const bind = (source: Source, script: Script): BoundSource => ({
    source,
    async ask(call, query) {
      asked.push(source.slug)
      const found = call.schema.parse(await script())
      return { found, isStale: false, ageMs: 0, query }
    },
  })
  const bound = new Map<string, BoundSource>()
  if (scripts.bank)
    bound.set(
      'ecb',
      bind(ecb, () => scripts.bank?.()),
    )
  if (scripts.other)
    bound.set(
      'frankfurter',
      bind(frankfurter, () => scripts.other?.()),
    )
  // What is bound under a slug is the source of that slug.
  const find = (({ slug }: Source) => bound.get(slug)) as FindSource
  const reach = () => ({ find, deadline: createDeadline(1_000) })
  return { asked, reach, rates: (...codes: string[]) => ratesOf(codes, reach()) }
}

const fails = () => {
  throw fault
}

describe('exchange rates', () => {
  it('come from the ECB alone if it has both currencies', async () => {
    const { rates, asked } = openExchange({ bank: () => BANK, other: () => OTHER })
    const found = await rates('USD', 'EUR')
    expect(found?.byCode.get('USD')).toEqual({ rate: '1.25', date: '2026-11-13' })
    expect(found?.byCode.get('EUR')).toEqual({ rate: '1', date: '2026-11-13' })
    expect(found?.source.slug).toBe('ecb')
    expect(asked).toEqual(['ecb'])
  })

  it('both come from Frankfurter if the ECB lacks one', async () => {
    const { rates, asked } = openExchange({ bank: () => BANK, other: () => OTHER })
    const found = await rates('USD', 'KWD')
    expect([found?.byCode.get('USD')?.rate, found?.byCode.get('KWD')?.rate, found?.source.slug]).toEqual([
      '1.2',
      '0.36',
      'frankfurter',
    ])
    expect(asked).toEqual(['ecb', 'frankfurter'])
  })

  it('come from Frankfurter if the ECB fails', async () => {
    const { rates } = openExchange({ bank: fails, other: () => OTHER })
    expect((await rates('EUR', 'USD'))?.source.slug).toBe('frankfurter')
  })

  it('are the last good ones, with their date, if both sources fail', async () => {
    const scripts: { bank: Script; other: Script } = { bank: () => BANK, other: () => OTHER }
    const { rates } = openExchange(scripts)
    await rates('USD', 'GBP')
    await rates('USD', 'KWD')
    scripts.bank = fails
    scripts.other = fails
    expect((await rates('USD', 'GBP'))?.byCode.get('GBP')).toEqual({ rate: '0.8', date: '2026-11-13' })
    expect((await rates('USD', 'KWD'))?.source.slug).toBe('frankfurter')
    await expect(rates('USD', 'VND')).rejects.toBe(fault)
  })

  it('are not shared between two instances in one process', async () => {
    await openExchange({ bank: () => BANK }).rates('USD', 'EUR')
    await expect(openExchange({ bank: fails }).rates('USD', 'EUR')).rejects.toBe(fault)
  })

  it('are null if no source has them or none is configured', async () => {
    expect(await openExchange({ bank: () => BANK, other: () => OTHER }).rates('USD', 'XAF')).toBeNull()
    expect(await openExchange({}).rates('USD', 'EUR')).toBeNull()
  })

  it('an outage of the only source that might have them is an error, not "no answer"', async () => {
    await expect(openExchange({ bank: () => BANK, other: fails }).rates('USD', 'KWD')).rejects.toBe(fault)
  })

  it('a bug is not treated as an outage', async () => {
    const bug = new TypeError('a bug')
    const { rates } = openExchange({
      bank: () => {
        throw bug
      },
    })
    await expect(rates('USD', 'EUR')).rejects.toBe(bug)
  })

  it('the first source leaves time for the second', async () => {
    const bound: BoundSource = {
      source: ecb,
      ask: async (_call, _query, deadline) =>
        await new Promise((_, reject) => deadline.onExpire(() => reject(new UpstreamError('timeout', 'Too late.')))),
    }
    const { reach } = openExchange({ other: () => OTHER })
    const { find, deadline } = reach()
    const both = ((source: Source) => (source.slug === 'ecb' ? bound : find(source))) as FindSource
    const rates = await passUntilDone(ratesOf(['EUR', 'USD'], { find: both, deadline }))
    expect(rates?.source.slug).toBe('frankfurter')
    expect(deadline.remainingMs()).toBeGreaterThan(0)
  })
})

describe('the answer', () => {
  const { reach } = openExchange({ bank: () => BANK, other: () => OTHER })
  async function asked(q: string, now: string) {
    const question = readQuestion(q, 'en')
    const match = question && currency.match(question)
    if (!question || !match) return null
    // Only what the answer uses of its context is here.
    return await currency.answer(match, { question, now: Date.parse(now), ...reach() } as AnswerContext)
  }

  it('shows the date, and marks rates that are more than four days old', async () => {
    expect(await asked('10 eur to usd', '2026-11-17T23:59Z')).toMatchObject({ is_stale: false, result: '12.5' })
    expect(await asked('10 eur to usd', '2026-11-18T00:00Z')).toMatchObject({
      is_stale: true,
      text: '10 EUR = 12.50 USD (European Central Bank, 13 November 2026, out of date)',
    })
  })

  it('has the older of two dates', async () => {
    expect(await asked('10 usd to kwd', '2026-11-14T00:00Z')).toMatchObject({ date: '2026-11-12', result: '3' })
  })
})
