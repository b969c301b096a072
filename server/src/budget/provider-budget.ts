// Enforces the operator's monthly caps on a provider (UTC months); they are never exceeded. A call is spent before it
// is made, by one conditional statement, so all nodes share one cap and the calls of a killed node stay
// spent. Only a call that certainly never reached the provider is refunded.
//
// Visitors of a public website together spend at most a share of each cap, so that strangers can't use up
// what the keys and accounts of an instance need. Their calls are spent from a row of their own as well. A search that joins
// a call which is under way shares its outcome, even if a visitor began it.
//
// The same statement counts the call in `provider_costs`, so the displayed costs and the budget always agree. If it
// fails or takes too long, the provider isn't called.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import { dayOf, endOfMonth, monthOf } from '../text/utc-day.ts'

export interface BudgetSettings {
  /** The caps for a UTC month; undefined for none. */
  callsPerMonth?: number | undefined
  microsPerMonth?: number | undefined
  /** Millionths of a US dollar. */
  pricePerCallMicros: number
}

export interface ProviderBudget {
  /**
   * Spends a call that costs the provider's price times `priceFactor`. Throws UpstreamError `overBudget` within
   * `maxWaitMs` if the call must not be made.
   */
  consume: (call: { priceFactor: number; isForVisitor: boolean }, maxWaitMs: number) => Promise<Refund>
}

/** Refunds a call that certainly never reached the provider, in the background. If that fails, the call stays spent. */
export type Refund = () => void

interface BudgetParts {
  database: Pick<Database, 'query' | 'db'>
  clock: () => number
  /** How much of every cap visitors may spend together, from 0 to 1. */
  visitorShare: number
  log: Log
}

const DATABASE_RETRY_SECONDS = 5

/**
 * Creates the month's row, which includes calls made this month while the provider had no cap. Each process runs it
 * once a month per provider.
 */
const openMonth = (db: Kysely<Schema>, provider: string, month: string) => {
  const spent = (column: 'calls' | 'micros') => sql<number>`(
    select coalesce(sum(${sql.ref(column)}), 0) from provider_costs
    where provider = ${provider} and day >= ${month} and day < ${dayOf(endOfMonth(month.slice(0, 7)))})`
  return db
    .insertInto('provider_budgets')
    .values({ provider, month, calls: spent('calls'), micros: spent('micros') })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'month']).doUpdateSet({
        calls: sql`greatest(provider_budgets.calls, excluded.calls)`,
        micros: sql`greatest(provider_budgets.micros, excluded.micros)`,
      }),
    )
    .execute()
}

/** No provider has a space in its name. */
const visitorsOf = (provider: string): string => `${provider} visitors`

interface Change {
  provider: string
  /** The first day of the month. */
  month: string
  day: string
  calls: 1 | -1
  micros: number
  caps: Caps
  isForVisitor: boolean
}

type Caps = Pick<BudgetSettings, 'callsPerMonth' | 'microsPerMonth'>

/** Creates each provider's budget; undefined without a cap, so that its calls wait for nothing. */
export function createProviderBudgets({ database, clock, visitorShare, log }: BudgetParts) {
  let isFailing = false

  function noteFailure(error: unknown): void {
    if (isFailing) return
    isFailing = true
    log.warn({ err: new Error('could not record the cost of a call; providers with a cap rest', { cause: error }) })
  }

  const shareOf = (cap: number | undefined): number | null =>
    cap === undefined ? null : Math.floor(cap * visitorShare)

  /**
   * Updates the visitors' share, if the call is for one, then the month, then the day, if the caps allow it. Should others
   * spend the last call at the same moment, the visitors' share may lose one; the month never exceeds its cap.
   */
  async function change({ provider, month, day, calls, micros, caps, isForVisitor }: Change): Promise<boolean> {
    const { callsPerMonth, microsPerMonth } = caps
    const whole = [provider, month, day, calls, micros, callsPerMonth ?? null, microsPerMonth ?? null]
    const share = [isForVisitor ? visitorsOf(provider) : null, shareOf(callsPerMonth), shareOf(microsPerMonth)]
    const changed = await database.query('change-provider-budget', [...whole, ...share])
    if (isFailing) log.info('recording the cost of calls again')
    isFailing = false
    return changed.length > 0
  }

  function refund(spent: Change): void {
    change({ ...spent, calls: -1, micros: -spent.micros, caps: {} }).catch(noteFailure)
  }

  return (provider: string, { pricePerCallMicros, ...caps }: BudgetSettings): ProviderBudget | undefined => {
    if (caps.callsPerMonth === undefined && caps.microsPerMonth === undefined) return undefined
    /** By row. */
    const openMonths = new Map<string, string>()

    async function ensureMonth(row: string, month: string): Promise<void> {
      if (openMonths.get(row) === month) return
      await openMonth(database.db, row, month)
      openMonths.set(row, month)
    }

    async function consumeNow(call: Change): Promise<boolean> {
      await ensureMonth(provider, call.month)
      if (call.isForVisitor) await ensureMonth(visitorsOf(provider), call.month)
      return await change(call)
    }

    return {
      async consume({ priceFactor, isForVisitor }, maxWaitMs) {
        const now = clock()
        const micros = priceOf(pricePerCallMicros, priceFactor)
        const call: Change = {
          provider,
          month: `${monthOf(now)}-01`,
          day: dayOf(now),
          calls: 1,
          micros,
          caps,
          isForVisitor: visitorShare < 1 && isForVisitor,
        }
        const consuming = consumeNow(call)
        const isSpent = await within(maxWaitMs, consuming).catch((error: unknown) => {
          noteFailure(error)
          // The database may still spend the call, which won't be made.
          consuming.then((isSpentLate) => isSpentLate && refund(call), noteFailure)
          throw cannotRecord()
        })
        if (!isSpent) throw usedUp(endOfMonth(monthOf(now)) - now)
        return () => refund(call)
      },
    }
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`the database did not answer within ${Math.round(ms)} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Whole millionths of a US dollar. */
export const priceOf = (pricePerCallMicros: number, priceFactor: number): number =>
  Math.ceil(pricePerCallMicros * priceFactor)

const usedUp = (retryAfterMs: number): UpstreamError =>
  new UpstreamError('overBudget', 'the budget for the provider is used up', {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  })

const cannotRecord = (): UpstreamError =>
  new UpstreamError('overBudget', 'the cost of a call cannot be recorded right now', {
    retryAfterSeconds: DATABASE_RETRY_SECONDS,
  })
