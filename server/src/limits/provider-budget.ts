// What the operator is willing to spend on a provider in a UTC month, never exceeded: reserve → call → settle. The share
// of a call is reserved before it is made and is billed or given back after it, so that calls under way count too, on
// all nodes together.
//
// When in doubt the provider is not asked: while Redis is away (where there is one), while PostgreSQL's ledger
// cannot be written, and while it is not known what was spent before. A reservation that a killed node leaves
// behind ends by itself after a minute.
import { randomBytes } from 'node:crypto'
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { BudgetSettings } from './budget-store.ts'
import type { CostLedger } from './cost-ledger.ts'
import { createMemoryBudgetStore } from './memory-budget-store.ts'
import { createRedisBudgetStore } from '../state/redis-budget-store.ts'
import type { RedisLink } from '../state/redis-link.ts'
import { REDIS_CLOCK } from './consume-script.ts'
import { endOfMonth, monthOf } from './usage-reading.ts'

/** One call's share. One of the two is called, once; neither is waited for. */
interface Reservation {
  /** The call reached the provider, or nobody can know. Also counts it in the ledger. */
  bill: () => void
  /** It certainly did not. */
  release: () => void
}

export interface ProviderBudget {
  /** Throws UpstreamError `overBudget` when the call must not be made. */
  reserve: () => Promise<Reservation>
}

interface BudgetParts {
  redis: RedisLink | undefined
  ledger: CostLedger
  clock: () => number
  log: Log
  luaClock?: string
  prefix?: string
}

/** A month may end, or what was told be lost, between two questions; not again and again. */
const MOST_QUESTIONS = 4
const CLOSED_RETRY_SECONDS = 5

/** Gives each provider its budget; undefined for one without a cap, which needs no reservation. */
export function createProviderBudgets(parts: BudgetParts) {
  const { redis, ledger, clock, log, luaClock = REDIS_CLOCK, prefix = 'bb:' } = parts
  const store = redis
    ? createRedisBudgetStore({ link: redis, clock, luaClock, prefix })
    : createMemoryBudgetStore(clock)
  const node = randomBytes(6).toString('hex')
  const providers: string[] = []
  let reservations = 0

  /** Many calls that find a month unknown at once ask PostgreSQL once. */
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
      log.debug({ err: new Error('the cost ledger could not be read', { cause: error }), provider })
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
    const id = `${node}:${++reservations}`
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
    return { reserve: () => reserve(provider, settings) }
  }
}

const spent = (retryAfterSeconds: number): UpstreamError =>
  new UpstreamError('overBudget', 'the budget for the provider is spent', {
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  })

const closed = (): UpstreamError =>
  new UpstreamError('overBudget', 'what the provider has cost cannot be recorded now', {
    retryAfterSeconds: CLOSED_RETRY_SECONDS,
  })
