// Exchange rates for an answer: the ECB's file first; Frankfurter for a currency that the file lacks, and when it
// cannot be had. The last good rates of each source are kept for as long as the process lives, beyond the life of the
// cache, because a rate of last week with its date is worth more than none. They belong to the source as this instance
// has bound it, so two instances in one process do not share them.
import { UpstreamError } from '../../errors.ts'
import type { BoundSource } from '../../providers/source.ts'
import { dailyRates, ecb } from '../../providers/sources/ecb.ts'
import { euroRates, frankfurter } from '../../providers/sources/frankfurter.ts'
import { createDeadline, type Deadline } from '../../upstream/deadline.ts'
import type { AnswerContext } from '../answer.ts'

export interface EuroRate {
  /** What one euro is worth, as an exact decimal. */
  rate: string
  /** The day of it, `2026-11-13`. */
  date: string
}

export interface Rates {
  of: ReadonlyMap<string, EuroRate>
  source: { slug: string; name: string; attribution: string }
}

type Reach = Pick<AnswerContext, 'find' | 'deadline'>

const lastGood = new WeakMap<BoundSource, Map<string, EuroRate>>()
/** What the first source may use of the time, so that the second has some too. */
const FIRST_SHARE = 0.6

/**
 * Rates of all the currencies, from one source. `null`: nobody has them. Rejects when nobody who might could be asked.
 */
export async function ratesOf(codes: readonly string[], reach: Reach): Promise<Rates | null> {
  const failures: UpstreamError[] = []
  const kept: Rates[] = []
  for (const ask of [askBank, askFrankfurter]) {
    const asked = await ask(codes, reach)
    if (asked === undefined) continue
    if ('rates' in asked) {
      if (hasAll(asked.rates, codes)) return asked.rates
      continue
    }
    failures.push(asked.error)
    if (asked.kept && hasAll(asked.kept, codes)) kept.push(asked.kept)
  }
  if (kept[0]) return kept[0]
  if (failures[0]) throw failures[0]
  return null
}

const hasAll = ({ of }: Rates, codes: readonly string[]): boolean => codes.every((code) => of.has(code))

type Asked = { rates: Rates } | { error: UpstreamError; kept: Rates | undefined } | undefined

async function askBank(_codes: readonly string[], { find, deadline }: Reach): Promise<Asked> {
  const bank = find(ecb)
  if (!bank) return undefined
  return await orLastGood(bank, async () => {
    const { found } = await within(deadline, FIRST_SHARE, (until) => bank.ask(dailyRates, null, until))
    const { date, rates } = found
    return new Map([
      ['EUR', { rate: '1', date }],
      ...Object.entries(rates).map(([code, rate]): [string, EuroRate] => [code, { rate, date }]),
    ])
  })
}

async function askFrankfurter(codes: readonly string[], { find, deadline }: Reach): Promise<Asked> {
  const bound = find(frankfurter)
  if (!bound) return undefined
  return await orLastGood(bound, async () => {
    const foreign = codes.filter((code) => code !== 'EUR')
    const { found } = await bound.ask(euroRates, foreign, deadline)
    const rates = new Map(found.map(({ code, rate, date }): [string, EuroRate] => [code, { rate, date }]))
    // One euro is one euro on whatever day the other rate is of.
    const [first] = rates.values()
    if (first) rates.set('EUR', { rate: '1', date: first.date })
    return rates
  })
}

async function orLastGood(bound: BoundSource, ask: () => Promise<Map<string, EuroRate>>): Promise<Asked> {
  const { slug, name, terms } = bound.source
  const source = { slug, name, attribution: terms.attribution }
  const before = lastGood.get(bound)
  try {
    const of = await ask()
    lastGood.set(bound, new Map([...(before ?? []), ...of]))
    return { rates: { of, source } }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { error, kept: before && { of: before, source } }
  }
}

/** A part of what is left of the time, ended when the whole is. */
async function within<Result>(
  deadline: Deadline,
  share: number,
  act: (until: Deadline) => Promise<Result>,
): Promise<Result> {
  const own = createDeadline(deadline.remainingMs() * share)
  const release = deadline.onExpire(() => own.cancel())
  try {
    return await act(own)
  } finally {
    release()
    own.cancel()
  }
}
