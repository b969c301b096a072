// The budgets of an instance without Redis, in its single process. Another process on the same database, such as an
// older one that is just stopping, may have spent something too, so the ledger is read again every minute.

import { dayOf, monthOf } from '../usage-reading.ts'
import { type BudgetSettings, type BudgetStore, RESERVATION_MS, UNSETTLED } from './budget-store.ts'
import type { CostCount } from './cost-rows.ts'

interface Spending {
  month: string
  /** By day and process. */
  counts: Map<string, CostCount>
  calls: number
  micros: number
  knownUntil: number
}

const KNOWN_FOR_MS = 60_000

export function createMemoryBudgetStore(clock: () => number): BudgetStore {
  const spendings = new Map<string, Spending>()
  /** By provider: when each open reservation ends, by id. */
  const open = new Map<string, Map<string, number>>()
  /** Reservations that were never settled. */
  const unsettled: CostCount[] = []

  function spendingOf(provider: string, month: string): Spending {
    const known = spendings.get(provider)
    if (known?.month === month) return known
    const spending = { month, counts: new Map(), calls: 0, micros: 0, knownUntil: Number.NEGATIVE_INFINITY }
    spendings.set(provider, spending)
    return spending
  }

  function openOf(provider: string, priceMicros: number): Map<string, number> {
    const reservations = open.get(provider) ?? new Map<string, number>()
    open.set(provider, reservations)
    // The oldest come first.
    for (const [id, endsAt] of reservations) {
      if (endsAt > clock()) break
      reservations.delete(id)
      const day = dayOf(clock())
      const count = { provider, day, source: `${UNSETTLED}${id}`, calls: 1, micros: Math.round(priceMicros) }
      unsettled.push(count)
      raise(spendingOf(provider, monthOf(clock())), count)
    }
    return reservations
  }

  return {
    async reserve({ provider, month, id, settings }) {
      const spending = spendingOf(provider, month)
      if (clock() >= spending.knownUntil) return 'unknown'
      const reservations = openOf(provider, settings.pricePerCallMicros)
      if (!fits(spending, settings, reservations.size)) return fits(spending, settings, 0) ? 'promised' : 'spent'
      reservations.set(id, clock() + RESERVATION_MS)
      return 'granted'
    },
    settle({ provider, id }, count) {
      open.get(provider)?.delete(id)
      if (count) raise(spendingOf(provider, count.day.slice(0, 7)), count)
    },
    async learn(provider, month, counts) {
      const spending = spendingOf(provider, month)
      for (const count of counts) raise(spending, count)
      spending.knownUntil = clock() + KNOWN_FOR_MS
      return true
    },
    counts: async () => unsettled,
  }
}

function fits(spending: Spending, settings: BudgetSettings, promised: number): boolean {
  const { callsPerMonth = Number.POSITIVE_INFINITY, microsPerMonth = Number.POSITIVE_INFINITY } = settings
  return (
    spending.calls + promised + 1 <= callsPerMonth &&
    spending.micros + (promised + 1) * settings.pricePerCallMicros <= microsPerMonth
  )
}

function raise(spending: Spending, { provider, day, source, calls, micros }: CostCount): void {
  const key = `${day} ${source}`
  const known = spending.counts.get(key)
  const raised = Math.max(calls, known?.calls ?? 0)
  const raisedMicros = Math.max(micros, known?.micros ?? 0)
  spending.calls += raised - (known?.calls ?? 0)
  spending.micros += raisedMicros - (known?.micros ?? 0)
  spending.counts.set(key, { provider, day, source, calls: raised, micros: raisedMicros })
}
