// What the operator is willing to spend on a provider in a UTC month, which is never exceeded: reserve → call → settle.
// The cost of a call is reserved before the call and billed or released afterwards, so that calls in progress count
// too, across all nodes.
//
// When in doubt, the provider is not called: while Redis is unavailable (if there is one), while the ledger in
// PostgreSQL cannot be written, and while past spending is unknown. A reservation left behind by a killed node counts as
// spent after a minute.
import { randomBytes } from 'node:crypto'
import { UpstreamError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { RedisClient } from '../../storage/redis-client.ts'
import { REDIS_CLOCK } from '../consume-script.ts'
import { endOfMonth, monthOf } from '../usage-reading.ts'
import type { BudgetSettings } from './budget-store.ts'
import type { CostLedger } from './cost-ledger.ts'
import { createMemoryBudgetStore } from './memory-budget-store.ts'
import { createRedisBudgetStore } from './redis-budget-store.ts'

/** The share of one call. Exactly one of the two is called, once; neither is waited for. */
export interface Reservation {
  /** The call reached the provider, or nobody can know. Also counts it in the ledger. */
  bill: () => void
  /** It certainly did not. */
  release: () => void
}

export interface ProviderBudget {
  /**
   * For a call that costs the provider's price times `priceFactor`.
   * Throws UpstreamError `overBudget` if the call must not be made.
   */
  reserve: (priceFactor?: number) => Promise<Reservation>
}

interface BudgetParts {
  redis: RedisClient | undefined
  ledger: CostLedger
  clock: () => number
  log: Log
  luaClock?: string
  prefix?: string
}

/** A month may end, or the store lose its data, between two attempts, but not repeatedly. */
const MOST_QUESTIONS = 4
const CLOSED_RETRY_SECONDS = 5

/** Creates the budget of each provider; undefined for one without a cap, which needs no reservations. */
export function createProviderBudgets(parts: BudgetParts) {
  const { redis, ledger, clock, log, luaClock = REDIS_CLOCK, prefix = 'bb:' } = parts
  const node = `${randomBytes(6).toString('hex')}:`
  const store = redis
    ? createRedisBudgetStore({ redis, clock, luaClock, prefix, node })
    : createMemoryBudgetStore(clock)
  const providers: string[] = []
  let reservations = 0

  /** When many calls find a month unknown at the same time, PostgreSQL is queried once. */
  const learning = new Map<string, Promise<boolean>>()
  function learn(provider: string, month: string): Promise<boolean> {
    const key = `${provider} ${month}`
    const underWay = learning.get(key) ?? tell(provider, month).finally(() => learning.delete(key))
    learning.set(key, underWay)
    return underWay
  }

  async function tell(provider: string, month: string): Promise<boolean> {
    try {
      return await store.learn(provider, month, await ledger.readMonth(provider, month))
    } catch (error) {
      log.debug({ err: new Error('could not read the cost ledger', { cause: error }), provider })
      return false
    }
  }

  function createReservation(provider: string, id: string, priceMicros: number): Reservation {
    return {
      bill: () => store.settle({ provider, id }, { ...ledger.count(provider, priceMicros) }),
      release: () => store.settle({ provider, id }, undefined),
    }
  }

  async function reserve(provider: string, settings: BudgetSettings): Promise<Reservation> {
    const id = `${node}${++reservations}`
    for (let question = 0; question < MOST_QUESTIONS; question++) {
      if (!ledger.isWritable()) throw closed()
      const month = monthOf(clock())
      const verdict = await store.reserve({ provider, month, id, settings })
      if (verdict === undefined) throw closed()
      if (verdict === 'granted') return createReservation(provider, id, settings.pricePerCallMicros)
      if (verdict === 'promised') throw spent(1)
      if (verdict === 'spent') throw spent(Math.ceil((endOfMonth(month) - clock()) / 1000))
      if (!(await learn(provider, month))) throw closed()
    }
    throw closed()
  }

  return (provider: string, settings: BudgetSettings): ProviderBudget | undefined => {
    if (settings.callsPerMonth === undefined && settings.microsPerMonth === undefined) return undefined
    if (providers.length === 0) ledger.alsoWrite((isForced) => store.counts(providers, isForced))
    providers.push(provider)
    return {
      reserve: (priceFactor = 1) =>
        reserve(provider, { ...settings, pricePerCallMicros: priceOf(settings.pricePerCallMicros, priceFactor) }),
    }
  }
}

/** Whole millionths of a US dollar. */
export const priceOf = (pricePerCallMicros: number, priceFactor: number): number =>
  Math.ceil(pricePerCallMicros * priceFactor)

const spent = (retryAfterSeconds: number): UpstreamError =>
  new UpstreamError('overBudget', 'the budget for the provider is used up', {
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  })

const closed = (): UpstreamError =>
  new UpstreamError('overBudget', 'the cost of a call cannot be recorded right now', {
    retryAfterSeconds: CLOSED_RETRY_SECONDS,
  })
