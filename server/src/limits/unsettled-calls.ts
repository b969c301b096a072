// Calls that this node made to Redis and got no answer to. The node has decided and counted by itself, so what Redis
// has done must not count as well. Once Redis is back and the deadline has passed, nothing can run any more, and Redis
// says which calls of the broken connection it has counted for a caller; the others never will be. If Redis has lost its
// data, none was counted, which is just as true.
import type { Unanswered } from '../storage/redis-answer.ts'
import type { RedisClient } from '../storage/redis-client.ts'
import { defineScript } from '../storage/redis-script.ts'
import { callsRunScript } from './consume-script.ts'
import { tagOf } from './redis-names.ts'

interface UnsettledCall {
  /** The caller's, in Redis. */
  name: string
  call: Unanswered
  settle: (hasRun: boolean) => void
}

export interface UnsettledCalls {
  add: (call: UnsettledCall) => void
  /** Settles what can be settled now. Never throws. */
  settle: () => Promise<void>
}

interface UnsettledCallsParts {
  redis: RedisClient
  luaClock: string
  prefix: string
  /** Calls that nobody heard of have run for a caller. Days are days since 1970. */
  onFound: (name: string, days: number[]) => Promise<void>
}

const DAY_MICROSECONDS = 86_400_000_000
/** A refund concerns the day on which the request was counted, at most this long ago. */
const EARLIEST_MICROSECONDS = 120_000_000

export function createUnsettledCalls({ redis, luaClock, prefix, onFound }: UnsettledCallsParts): UnsettledCalls {
  const callsRun = defineScript(callsRunScript(luaClock))
  let unsettled: UnsettledCall[] = []

  /** The calls of one caller on one connection, in order. */
  async function settleGroup(group: UnsettledCall[]): Promise<boolean> {
    const last = group.at(-1)
    if (!last) return true
    const { connection, deadline } = last.call
    const days = [deadline - EARLIEST_MICROSECONDS, deadline].map((at) => Math.floor(at / DAY_MICROSECONDS))
    const keys = days.map((day) => `${tagOf(prefix, last.name)}:usage:${day}`)
    const reply = await redis.evaluate(callsRun, keys, [connection, deadline])
    if (typeof reply !== 'string') return false
    const ran = new Set(reply.split(' ').filter(Boolean).map(Number))
    // Before anything is taken back: from here on the counts in Redis are the only ones.
    if (group.some(({ call }) => ran.has(call.number))) await onFound(last.name, days)
    for (const { call, settle } of group) settle(ran.has(call.number))
    return true
  }

  return {
    add: (call) => void unsettled.push(call),
    async settle() {
      if (unsettled.length === 0) return
      const groups = Map.groupBy(unsettled, ({ name, call }) => `${call.connection} ${name}`)
      unsettled = []
      await Promise.all(
        [...groups.values()].map(async (group) => {
          const isSettled = await settleGroup(group).catch(() => false)
          if (!isSettled) unsettled.push(...group)
        }),
      )
    },
  }
}
