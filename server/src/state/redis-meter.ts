// The meter that all nodes share: one script and one round trip a request (`spend-script.ts`). Every key of a caller
// carries the hash tag {caller}, so that the script finds them on one node of a cluster. A month's counter lives only
// as long as the answer it was seeded with is good; the script then asks for a new one, and nothing is admitted meanwhile.
import type { LimitStates, Limits, LoadMonthUsage, Rate, SpendRequest, SpendVerdict, UsageCount } from './meter.ts'
import type { RedisLink } from './redis-link.ts'
import { bulk, bulks, defineScript, type Script } from './resp-command.ts'
import type { Reply } from './resp-reader.ts'
import type { SharedUsage } from './shared-usage.ts'
import { REFUND_SCRIPT, spendScript, weighScript } from '../limits/consume-script.ts'
import { dayOf, endOfMonth, monthOf, startOfMonth } from '../limits/usage-reading.ts'

/** As `Meter`, but `undefined` means that Redis is away. */
interface RedisMeter {
  spend: (request: SpendRequest) => Promise<SpendVerdict | undefined>
  weigh: (caller: string, limits: Limits) => Promise<LimitStates | undefined>
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

/** Where a request was counted. */
interface Counted {
  /** '' without a month cap. */
  month: string
  fields: [counted: string, refunded: string]
}

/** What a refund must know of the count it takes back. */
interface Refundable extends Counted {
  caller: string
  /** Days since 1970, as in the key. */
  day: number
  endpoint: string
}

const DAY_MS = 86_400_000
/** In a millisecond. */
const MICROSECONDS = 1_000
const REFUSED_BY = [undefined, 'burst', 'sustained', 'month'] as const
const MONTH_UNKNOWN = 4
/** A month may end, or a seed run out, between two questions; not again and again. */
const MOST_QUESTIONS = 4

const NO_FIELD = bulk('')
const refundScript = defineScript(REFUND_SCRIPT, { keys: 2, values: 2 })

export function createRedisMeter(parts: RedisMeterParts): RedisMeter {
  const { link, usage, clock, luaClock, prefix, loadMonthUsage } = parts
  const lua = spendScript(luaClock)
  const spendPlain = defineScript(lua, { keys: 4, values: 5 })
  const spendCapped = defineScript(lua, { keys: 4, values: 11 })
  const valuesOf = rememberRates()

  function ask({ caller, limits: { burst, sustained } }: SpendRequest, script: Script, usageValues: string) {
    const tag = `${prefix}{${caller}}`
    const length = Buffer.byteLength(tag)
    const keys =
      `$${length + 6}\r\n${tag}:burst\r\n$${length + 10}\r\n${tag}:sustained\r\n` +
      `$${length + 7}\r\n${tag}:usage:\r\n$${length + 7}\r\n${tag}:month:\r\n`
    return link.evaluate(script, keys + valuesOf(burst) + valuesOf(sustained) + usageValues)
  }

  function judge(reply: Reply | undefined, { caller, endpoint }: SpendRequest, counted: Counted | undefined) {
    const numbers = numbersOf(reply)
    if (!numbers) return undefined
    const isCounted = numbers[0] === 0 && endpoint !== undefined && counted !== undefined
    const refund = isCounted
      ? createRefund(parts, { caller, endpoint, day: numbers[6] ?? 0, ...counted })
      : nothingToRefund
    return verdictOf(numbers, refund)
  }

  async function spendWithMonth(request: SpendRequest, endpoint: string, cap: number) {
    let month = monthOf(clock())
    let seed: { used: number | ''; validMs: number } = { used: '', validMs: 0 }
    for (let question = 0; question < MOST_QUESTIONS; question++) {
      const fields = usage.fieldsOf(endpoint)
      const bounds = [startOfMonth(month) * MICROSECONDS, endOfMonth(month) * MICROSECONDS]
      const values = [fields[0], cap, month, ...bounds, seed.used, seed.validMs]
      const reply = await ask(request, spendCapped, bulks(...values.map(String)))
      const [code, now] = numbersOf(reply) ?? []
      if (code !== MONTH_UNKNOWN) return judge(reply, request, { month, fields })
      month = monthOf(now ?? 0)
      seed = await loadMonthUsage(request.caller, month)
    }
    return undefined
  }

  return {
    // Every request passes here, so one promise must do where there is no month cap.
    spend(request) {
      const { endpoint, limits } = request
      if (endpoint === undefined)
        return ask(request, spendPlain, NO_FIELD).then((reply) => judge(reply, request, undefined))
      usage.announce(request.caller)
      if (limits.monthlyCap !== undefined) return spendWithMonth(request, endpoint, limits.monthlyCap)
      const fields = usage.fieldsOf(endpoint)
      return ask(request, spendPlain, bulk(fields[0])).then((reply) => judge(reply, request, { month: '', fields }))
    },
    weigh: createWeighing(parts, valuesOf),
    // Why it could not be read, the link has logged.
    usageOf: (caller, day) => usage.read(caller, day).catch(() => undefined),
  }
}

function createWeighing(
  { link, luaClock, prefix }: RedisMeterParts,
  valuesOf: (rate: Rate) => string,
): RedisMeter['weigh'] {
  const script = defineScript(weighScript(luaClock), { keys: 2, values: 4 })
  return async (caller, limits) => {
    const tag = `${prefix}{${caller}}`
    const keys = bulks(`${tag}:burst`, `${tag}:sustained`)
    const reply = await link.evaluate(script, keys + valuesOf(limits.burst) + valuesOf(limits.sustained))
    const numbers = numbersOf(reply)
    if (!numbers) return undefined
    const [burst = 0, burstReset = 0, sustained = 0, sustainedReset = 0] = numbers
    return {
      burst: { remaining: burst, resetSeconds: burstReset },
      sustained: { remaining: sustained, resetSeconds: sustainedReset },
    }
  }
}

/** Not waited for. When Redis is away by then, this process takes the count back. */
function createRefund({ link, usage, prefix, refundElsewhere }: RedisMeterParts, count: Refundable): () => void {
  let isRefunded = false
  return () => {
    if (isRefunded) return
    isRefunded = true
    const { caller, day, month, endpoint, fields } = count
    const tag = `${prefix}{${caller}}`
    if (link.isAway()) {
      refundElsewhere(caller, dayOf(day * DAY_MS), endpoint)
      return
    }
    usage.announce(caller)
    void link.evaluate(refundScript, bulks(`${tag}:usage:${day}`, `${tag}:month:${month}`, ...fields))
  }
}

/** Hardly any rate is another than that of the request before. */
function rememberRates(): (rate: Rate) => string {
  const known = new WeakMap<Rate, string>()
  return (rate) => {
    const remembered = known.get(rate)
    if (remembered !== undefined) return remembered
    const values = bulks(`${rate.count}`, `${rate.windowMs * MICROSECONDS}`)
    known.set(rate, values)
    return values
  }
}

// The script gives whole numbers and nothing else.
const numbersOf = (reply: Reply | undefined) => (Array.isArray(reply) ? (reply as number[]) : undefined)

const nothingToRefund = (): void => undefined

function verdictOf(reply: number[], refund: () => void): SpendVerdict {
  return {
    refusedBy: REFUSED_BY[reply[0] ?? 0],
    retryAfterSeconds: reply[1] ?? 0,
    burst: { remaining: reply[2] ?? 0, resetSeconds: reply[3] ?? 0 },
    sustained: { remaining: reply[4] ?? 0, resetSeconds: reply[5] ?? 0 },
    refund,
  }
}
