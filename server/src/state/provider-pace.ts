// A provider's own rate, kept by all nodes together: "50 calls a second" means that no second ever sees more than 50.
// Reserving the next free moment is one script in Redis. It remembers the last `calls` moments it gave, some of which may
// lie ahead; the next is free a window after the oldest of them. So 50 may go at once when nothing went before, and
// with 1 a second each waits for the one before it.
//
// Between the moment given and the provider lie a network, an event loop and another network, none of them even. The
// window is therefore kept longer than the provider asks for (× 1.1 + 50 ms), and half of the difference is how late a
// moment may still be used; the other half is for the way to the provider. Moments are Redis', and `distant-clock.ts`
// knows when they are here.
//
// While Redis is away, and where there is none, the process keeps the pace by itself, for each node. It remembers what Redis
// gave it too, and its own memory counts in Redis as well, so neither going nor coming back gives this node more.
import type { Redis } from 'ioredis'
import { DistantClock } from './distant-clock.ts'
import type { RedisLink } from './redis-link.ts'
import { REDIS_CLOCK } from './spend-script.ts'

/** As an engine's terms declare it. */
export interface PaceRate {
  calls: number
  perSeconds: number
}

/** The call may go between these two moments of the given clock; or nothing was taken, and when to ask again. */
type Turn = { from: number; until: number } | { retryAfterMs: number }

export interface ProviderPace {
  /** Takes the next free moment unless it is further away than this. A moment that is not used is lost. */
  reserve: (maxWaitMs: number) => Promise<Turn>
}

interface PaceParts {
  redis: RedisLink | undefined
  /** Milliseconds of a clock that only runs forward. */
  clock?: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock?: string
  prefix?: string
}

/** In a millisecond. */
const MICROSECONDS = 1_000

/**
 * KEYS: the list of moments given. ARGV: calls, window, longest wait, not before so long from now; in microseconds.
 * Gives [1, now, moment] or, with nothing taken, [0, now, moment]. A clock set back makes the pace slower, never faster.
 */
const reserveScript = (clock: string): string => `
local now = ${clock}
local calls, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local newest, oldest = redis.call('LINDEX', KEYS[1], -1), redis.call('LINDEX', KEYS[1], -calls)
local at = math.max(now + ARGV[4], tonumber(newest or 0))
if oldest then at = math.max(at, oldest + window) end
if at - now > tonumber(ARGV[3]) then return { 0, now, at } end
redis.call('RPUSH', KEYS[1], string.format('%.0f', at))
redis.call('LTRIM', KEYS[1], -calls, -1)
redis.call('PEXPIRE', KEYS[1], math.ceil((at - now + window) / 1000))
return { 1, now, at }
`

interface Scripts {
  bowerbirdPace: (key: string, ...rest: number[]) => Promise<[isTaken: number, now: number, moment: number]>
  bowerbirdPaceTime: () => Promise<number>
}

// `defineCommand` adds the methods at run time, which the client's type cannot know.
const scripts = (client: Redis) => client as Redis & Scripts

/** However uncertain the time, a moment must be usable at all. */
const LEAST_USABLE_MS = 10

/** Gives each provider its pace. */
export function createProviderPaces(parts: PaceParts): (slug: string, rate: PaceRate) => ProviderPace {
  const { redis, clock = () => performance.now(), luaClock = REDIS_CLOCK, prefix = 'bb:' } = parts
  const redisClock = redis && watchRedisClock(redis, clock, luaClock)
  redis?.client.defineCommand('bowerbirdPace', { lua: reserveScript(luaClock), numberOfKeys: 1 })

  return (slug, { calls, perSeconds }) => {
    const key = `${prefix}{provider:${slug}}:pace`
    const windowMs = perSeconds * 1_000 * 1.1 + 50
    const usableMs = (windowMs - perSeconds * 1_000) / 2
    const own = new GivenMoments(calls, windowMs)

    /** Undefined: Redis is away. */
    async function reserveInRedis(maxWaitMs: number): Promise<Turn | undefined> {
      const sentAt = clock()
      const limits = [windowMs, maxWaitMs, own.nextFree(sentAt) - sentAt].map((ms) => Math.ceil(ms * MICROSECONDS))
      const reply = await redis?.attempt((client) => scripts(client).bowerbirdPace(key, calls, ...limits))
      if (!reply || !redisClock) return undefined
      const [isTaken, time, moment] = [reply[0] === 1, reply[1] / MICROSECONDS, reply[2] / MICROSECONDS]
      redisClock.see({ sentAt, time, receivedAt: clock() })
      if (!isTaken) return { retryAfterMs: moment - time }
      const { at, uncertainMs } = redisClock.locate(moment)
      own.add(at)
      return { from: at, until: at + Math.max(LEAST_USABLE_MS, usableMs - uncertainMs) }
    }

    function reserveHere(maxWaitMs: number): Turn {
      const now = clock()
      const from = own.nextFree(now)
      if (from - now > maxWaitMs) return { retryAfterMs: from - now }
      own.add(from)
      return { from, until: from + usableMs }
    }

    return { reserve: async (maxWaitMs) => (await reserveInRedis(maxWaitMs)) ?? reserveHere(maxWaitMs) }
  }
}

/** Looked at before there is any load, which would make the first answers slow. */
function watchRedisClock(link: RedisLink, clock: () => number, luaClock: string): DistantClock {
  link.client.defineCommand('bowerbirdPaceTime', { lua: `return ${luaClock}`, numberOfKeys: 0, readOnly: true })
  const distant = new DistantClock()
  async function look(): Promise<void> {
    const sentAt = clock()
    const time = await link.attempt((client) => scripts(client).bowerbirdPaceTime())
    if (time !== undefined) distant.see({ sentAt, time: time / MICROSECONDS, receivedAt: clock() })
  }
  link.client.on('ready', () => void look())
  // Not at once: what is sent with it in one pipeline must have been defined before it.
  setImmediate(() => void look())
  return distant
}

/** The last moments given, oldest first from `#next` on once there are as many as a window holds. */
class GivenMoments {
  readonly #calls: number
  readonly #windowMs: number
  readonly #moments: number[] = []
  #next = 0
  #newest = Number.NEGATIVE_INFINITY

  constructor(calls: number, windowMs: number) {
    this.#calls = calls
    this.#windowMs = windowMs
  }

  nextFree(now: number): number {
    const oldest = this.#moments.length < this.#calls ? undefined : this.#moments[this.#next]
    return Math.max(now, this.#newest, oldest === undefined ? now : oldest + this.#windowMs)
  }

  add(at: number): void {
    this.#newest = Math.max(this.#newest, at)
    this.#moments[this.#next] = this.#newest
    this.#next = (this.#next + 1) % this.#calls
  }
}
