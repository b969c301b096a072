// Exchange rates for the currency converter: the same conversion as the instant answer's, and the rates of past days, which
// are only asked for when someone opens the converter. Past rates come from Frankfurter alone, so they may differ a little
// from the ECB's rate of today; they're credited separately.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { type FindSource, findFor } from '@bowerbird/engines/source.ts'
import { frankfurter, rateSeries } from '@bowerbird/engines/sources/frankfurter.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { convertMoney, type MoneyConversion } from './currency.ts'

const DAY_MS = 86_400_000

export type ConvertedMoney = NonNullable<Awaited<ReturnType<typeof convertMoney>>>

export interface PastRates {
  /** Oldest first, at least two. */
  days: readonly { date: string; rate: string }[]
  attribution: string
}

/** A source that doesn't respond is told apart from one that has no such rate: only the first may work a moment later. */
export type Asked<Found> = { kind: 'found'; found: Found } | { kind: 'none' } | { kind: 'failed' }

export interface Exchange {
  convert: (conversion: MoneyConversion, isVisitor?: boolean) => Promise<Asked<ConvertedMoney>>
  /** The value of one `from` in `to` on each of the last days. */
  past: (pair: { from: string; to: string; days: number }, isVisitor?: boolean) => Promise<Asked<PastRates>>
}

interface ExchangeParts {
  find: FindSource
  startDeadline: () => Deadline
  clock: () => number
}

export function createExchange({ find, startDeadline, clock }: ExchangeParts): Exchange {
  async function within<Found>(ask: (deadline: Deadline) => Promise<Found | null>): Promise<Asked<Found>> {
    const deadline = startDeadline()
    try {
      const found = await ask(deadline)
      return found === null ? { kind: 'none' } : { kind: 'found', found }
    } catch (error) {
      if (error instanceof UpstreamError) return { kind: 'failed' }
      throw error
    } finally {
      deadline.cancel()
    }
  }

  return {
    convert: (conversion, isVisitor = false) =>
      within((deadline) => convertMoney(conversion, { find: findFor(find, isVisitor), deadline, now: clock() })),
    past: ({ from, to, days }, isVisitor = false) =>
      within(async (deadline) => {
        const bound = findFor(find, isVisitor)(frankfurter)
        if (!bound) return null
        const now = clock()
        const query = { base: from, quote: to, from: dayOf(now - days * DAY_MS), to: dayOf(now) }
        const { found } = await bound.ask(rateSeries, query, deadline)
        return found.length < 2 ? null : { days: found, attribution: bound.source.terms.attribution }
      }),
  }
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
