import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource, FindSource, Source } from '@bowerbird/engines/source.ts'
import { ecb } from '@bowerbird/engines/sources/ecb.ts'
import { frankfurter } from '@bowerbird/engines/sources/frankfurter.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { Exact } from '../lib/numbers.ts'
import { createExchange } from './exchange.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const SERIES = [
  { date: '2026-11-12', rate: '0.86' },
  { date: '2026-11-13', rate: '0.87' },
]

/** An exchange whose two sources say what the test tells them to; one that has nothing to say isn't configured. */
function openExchange(replies: { ecb?: () => unknown; frankfurter?: (query: unknown) => unknown }) {
  const bind = (source: Source, reply: (query: unknown) => unknown): BoundSource => ({
    source,
    ask: async (call, query) => ({ found: call.schema.parse(reply(query)), isStale: false, ageMs: 0 }),
  })
  const bound = new Map([
    ['ecb', replies.ecb && bind(ecb, replies.ecb)],
    ['frankfurter', replies.frankfurter && bind(frankfurter, replies.frankfurter)],
  ])
  // What is bound under a slug is the source of that slug.
  const find = (({ slug }: Source) => bound.get(slug)) as FindSource
  return createExchange({ find, startDeadline: () => createDeadline(1_000), clock: () => NOW })
}

const fails = () => {
  throw new UpstreamError('unreachable', 'The provider is out of order (status 503).')
}
const CONVERSION = { amount: new Exact(10), from: 'USD', to: 'EUR', locale: 'en' }
const PAIR = { from: 'USD', to: 'EUR', days: 30 }

describe('the exchange', () => {
  it('converts as the instant answer does', async () => {
    const { convert } = openExchange({ ecb: () => ({ date: '2026-11-13', rates: { USD: '1.25' } }) })
    expect(await convert(CONVERSION)).toMatchObject({
      kind: 'found',
      found: {
        result: '8',
        rate: '0.8',
        date: '2026-11-13',
        text: '10 USD = 8.00 EUR (European Central Bank, 13 November 2026)',
      },
    })
  })

  it('asks for the past rates of the days before today', async () => {
    const asked: unknown[] = []
    const { past } = openExchange({
      frankfurter: (query) => {
        asked.push(query)
        return SERIES
      },
    })
    expect(await past(PAIR)).toEqual({
      kind: 'found',
      found: { days: SERIES, attribution: 'Rates of central banks, gathered by Frankfurter' },
    })
    expect(asked).toEqual([{ base: 'USD', quote: 'EUR', from: '2026-10-16', to: '2026-11-15' }])
  })

  it('has no line with fewer than two days, or without the source', async () => {
    expect(await openExchange({ frankfurter: () => SERIES.slice(1) }).past(PAIR)).toEqual({ kind: 'none' })
    expect(await openExchange({}).past(PAIR)).toEqual({ kind: 'none' })
  })

  it('an outage is told apart from a missing rate, and a bug from both', async () => {
    const { convert, past } = openExchange({ ecb: fails, frankfurter: fails })
    expect(await convert(CONVERSION)).toEqual({ kind: 'failed' })
    expect(await past(PAIR)).toEqual({ kind: 'failed' })
    const bug = new TypeError('a bug')
    const broken = openExchange({
      frankfurter: () => {
        throw bug
      },
    })
    await expect(broken.past(PAIR)).rejects.toBe(bug)
  })
})
