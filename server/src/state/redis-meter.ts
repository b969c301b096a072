// The meter that all nodes share: one script and one round trip a request (`spend-script.ts`). Every key of a caller
// carries the hash tag {caller}, so that the script finds them on one node of a cluster. A month's counter lives only
// as long as the answer it was seeded with is good; the script then asks for a new one, and nothing is admitted meanwhile.
import type { Redis } from 'ioredis'
import type { LoadMonthUsage, SpendRequest, SpendVerdict, UsageCount } from './meter.ts'
import type { RedisLink } from './redis-link.ts'
import type { SharedUsage } from './shared-usage.ts'
import { REFUND_SCRIPT, spendScript } from './spend-script.ts'
import { dayOf, endOfMonth, monthOf, startOfMonth } from './usage-reading.ts'

/** As `Meter`, but `undefined` means that Redis is away. */
interface RedisMeter {
  spend: (request: SpendRequest) => Promise<SpendVerdict | undefined>
  usageOf: (caller: string, day: string) => Promise<UsageCount[] | undefined>
}

interface RedisMeterParts {
  link: RedisLink
  usage: SharedUsage
  clock: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock: string
  prefix: string
  loadMonthUsage: LoadMonthUsage
  /** Takes back what Redis has counted when Redis is away by then. */
  refundElsewhere: (caller: string, day: string, endpoint: string) => void
}

interface Scripts {
  bowerbirdSpend: (...keysAndArguments: (string | number)[]) => Promise<number[]>
  bowerbirdRefund: (...keysAndArguments: string[]) => Promise<unknown>
}

/** What a refund must know of the count it takes back. */
interface Counted {
  caller: string
  /** Days since 1970, as in the key. */
  day: number
  month: string
  endpoint: string
  fields: [counted: string, refunded: string]
}

const DAY_MS = 86_400_000
/** In a millisecond. */
const MICROSECONDS = 1_000
const REFUSED_BY = [undefined, 'burst', 'sustained', 'month'] as const
const MONTH_UNKNOWN = 4
/** A month may end, or a seed run out, between two questions; not again and again. */
const MOST_QUESTIONS = 4

// `defineCommand` adds the methods at run time, which the client's type cannot know.
const scripts = (client: Redis) => client as Redis & Scripts

export function createRedisMeter(parts: RedisMeterParts): RedisMeter {
  const { link, usage, clock, luaClock, prefix, loadMonthUsage } = parts
  link.client.defineCommand('bowerbirdSpend', { lua: spendScript(luaClock), numberOfKeys: 4 })
  link.client.defineCommand('bowerbirdRefund', { lua: REFUND_SCRIPT, numberOfKeys: 2 })

  async function ask({ caller, limits: { burst, sustained } }: SpendRequest, usageArguments: (string | number)[]) {
    const tag = `${prefix}{${caller}}`
    return await link.attempt((client) =>
      scripts(client).bowerbirdSpend(
        `${tag}:burst`,
        `${tag}:sustained`,
        `${tag}:usage:`,
        `${tag}:month:`,
        burst.count,
        burst.windowMs * MICROSECONDS,
        sustained.count,
        sustained.windowMs * MICROSECONDS,
        ...usageArguments,
      ),
    )
  }

  async function askWithMonth(request: SpendRequest, field: string, cap: number) {
    let month = monthOf(clock())
    let seed: { used: number | ''; validMs: number } = { used: '', validMs: 0 }
    for (let question = 0; question < MOST_QUESTIONS; question++) {
      const bounds = [startOfMonth(month) * MICROSECONDS, endOfMonth(month) * MICROSECONDS]
      const reply = await ask(request, [field, cap, month, ...bounds, seed.used, seed.validMs])
      if (reply?.[0] !== MONTH_UNKNOWN) return { reply, month }
      month = monthOf(reply[1] ?? 0)
      seed = await loadMonthUsage(request.caller, month)
    }
    return { reply: undefined, month }
  }

  return {
    async spend(request) {
      const { caller, limits, endpoint } = request
      if (endpoint === undefined) {
        const reply = await ask(request, [''])
        return reply && verdictOf(reply, nothingToRefund)
      }
      usage.announce(caller)
      const fields = usage.fieldsOf(endpoint)
      const { reply, month } =
        limits.monthlyCap === undefined
          ? { reply: await ask(request, [fields[0]]), month: '' }
          : await askWithMonth(request, fields[0], limits.monthlyCap)
      if (!reply) return undefined
      const [code, day = 0] = [reply[0], reply[6]]
      return verdictOf(
        reply,
        code === 0 ? createRefund(parts, { caller, day, month, endpoint, fields }) : nothingToRefund,
      )
    },
    usageOf: (caller, day) => link.attempt(() => usage.read(caller, day)),
  }
}

/** Not waited for. When Redis is away by then, this process takes the count back. */
function createRefund({ link, usage, prefix, refundElsewhere }: RedisMeterParts, count: Counted): () => void {
  const { caller, day, month, endpoint, fields } = count
  const tag = `${prefix}{${caller}}`
  let isRefunded = false
  return () => {
    if (isRefunded) return
    isRefunded = true
    if (link.isAway()) {
      refundElsewhere(caller, dayOf(day * DAY_MS), endpoint)
      return
    }
    usage.announce(caller)
    void link.attempt((client) =>
      scripts(client).bowerbirdRefund(`${tag}:usage:${day}`, `${tag}:month:${month}`, ...fields),
    )
  }
}

const nothingToRefund = (): void => undefined

function verdictOf(reply: number[], refund: () => void): SpendVerdict {
  const [code = 0, retryAfterSeconds = 0, burstRemaining = 0, burstReset = 0, remaining = 0, reset = 0] = reply
  return {
    refusedBy: REFUSED_BY[code],
    retryAfterSeconds,
    burst: { remaining: burstRemaining, resetSeconds: burstReset },
    sustained: { remaining, resetSeconds: reset },
    refund,
  }
}
