// Exchange rates for the currency answer: the ECB's file first, then Frankfurter if the file lacks a currency or is
// unavailable. The last good rates of each source are kept for the life of the process, beyond their cache lifetime,
// because last week's rate with its date is better than none. They are stored per bound source, so two instances in one
// process don't share them.

import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource } from '@bowerbird/engines/source.ts'
import { dailyRates, ecb } from '@bowerbird/engines/sources/ecb.ts'
import { euroRates, frankfurter } from '@bowerbird/engines/sources/frankfurter.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { AnswerContext } from '../answer.ts'

export interface EuroRate {
  /** The value of one euro, as an exact decimal. */
  rate: string
  /** The date of the rate, `2026-11-13`. */
  date: string
}

export interface Rates {
  byCode: ReadonlyMap<string, EuroRate>
  source: { slug: string; name: string; attribution: string }
}

type SourceAccess = Pick<AnswerContext, 'find' | 'deadline'>

const lastGood = new WeakMap<BoundSource, Map<string, EuroRate>>()
/** The first source's share of the time, so that some is left for the second. */
const FIRST_SHARE = 0.6

/**
 * Returns rates for all the currencies from one source. `null`: no source has them. Rejects if a source that might have
 * them failed and no last good rates cover them.
 */
export async function ratesOf(codes: readonly string[], access: SourceAccess): Promise<Rates | null> {
  const failures: UpstreamError[] = []
  const kept: Rates[] = []
  for (const ask of [askEcb, askFrankfurter]) {
    const reply = await ask(codes, access)
    if (reply === undefined) continue
    if ('rates' in reply) {
      if (hasAll(reply.rates, codes)) return reply.rates
      continue
    }
    failures.push(reply.error)
    if (reply.kept && hasAll(reply.kept, codes)) kept.push(reply.kept)
  }
  if (kept[0]) return kept[0]
  if (failures[0]) throw failures[0]
  return null
}

const hasAll = ({ byCode }: Rates, codes: readonly string[]): boolean => codes.every((code) => byCode.has(code))

type SourceReply = { rates: Rates } | { error: UpstreamError; kept: Rates | undefined } | undefined

async function askEcb(_codes: readonly string[], { find, deadline }: SourceAccess): Promise<SourceReply> {
  const bank = find(ecb)
  if (!bank) return undefined
  return await orLastGood(bank, async () => {
    const { found } = await withShareOf(deadline, FIRST_SHARE, (until) => bank.ask(dailyRates, null, until))
    const { date, rates } = found
    return new Map([
      ['EUR', { rate: '1', date }],
      ...Object.entries(rates).map(([code, rate]): [string, EuroRate] => [code, { rate, date }]),
    ])
  })
}

async function askFrankfurter(codes: readonly string[], { find, deadline }: SourceAccess): Promise<SourceReply> {
  const bound = find(frankfurter)
  if (!bound) return undefined
  return await orLastGood(bound, async () => {
    const foreign = codes.filter((code) => code !== 'EUR')
    const { found } = await bound.ask(euroRates, foreign, deadline)
    const rates = new Map(found.map(({ code, rate, date }): [string, EuroRate] => [code, { rate, date }]))
    // The euro's own rate is always 1, so give it the date of the other rate.
    const [first] = rates.values()
    if (first) rates.set('EUR', { rate: '1', date: first.date })
    return rates
  })
}

async function orLastGood(bound: BoundSource, ask: () => Promise<Map<string, EuroRate>>): Promise<SourceReply> {
  const { slug, name, terms } = bound.source
  const source = { slug, name, attribution: terms.attribution }
  const before = lastGood.get(bound)
  try {
    const byCode = await ask()
    lastGood.set(bound, new Map([...(before ?? []), ...byCode]))
    return { rates: { byCode, source } }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { error, kept: before && { byCode: before, source } }
  }
}

/** Runs `act` with a share of the remaining time; expires early if the whole deadline does. */
async function withShareOf<Result>(
  deadline: Deadline,
  share: number,
  run: (until: Deadline) => Promise<Result>,
): Promise<Result> {
  const shortened = createDeadline(deadline.remainingMs() * share)
  const release = deadline.onExpire(() => shortened.cancel())
  try {
    return await run(shortened)
  } finally {
    release()
    shortened.cancel()
  }
}
