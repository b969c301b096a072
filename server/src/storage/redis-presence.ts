// What the log says of Redis: that it is unavailable and why, once and then once a minute for as long as that lasts, and
// once when it is back. A command that is refused by a Redis which works otherwise is reported as rarely.
import type { Log } from '../log.ts'
import { reasonOf } from './redis-refusal.ts'

const REPEAT_MS = 60_000

interface PresenceParts {
  log: Log
  /** Milliseconds of a monotonic clock. */
  clock: () => number
}

export interface RedisPresence {
  /** `isPartly`: other servers of the cluster can be used. */
  noteAway: (error: unknown, isPartly?: boolean) => void
  noteBack: () => void
  /** One command failed. */
  noteFailure: (error: unknown) => void
}

export function watchRedisPresence({ log, clock }: PresenceParts): RedisPresence {
  let awayToldAt: number | undefined
  let failureToldAt = Number.NEGATIVE_INFINITY
  const warn = (message: string, error: unknown) =>
    log.warn({ err: new Error(message, { cause: error }), reason: reasonOf(error) })

  return {
    noteAway(error, isPartly = false) {
      if (awayToldAt !== undefined && clock() - awayToldAt < REPEAT_MS) return
      awayToldAt = clock()
      const what = isPartly ? 'part of the Redis Cluster' : 'Redis'
      warn(`${what} is unavailable; using in-process limits and cache${isPartly ? ' for its keys' : ''}`, error)
    },
    noteBack() {
      if (awayToldAt !== undefined) log.info('Redis is available again')
      awayToldAt = undefined
    },
    noteFailure(error) {
      if (clock() - failureToldAt < REPEAT_MS) return
      failureToldAt = clock()
      warn('a Redis command failed; using the in-process fallback for it', error)
    },
  }
}
