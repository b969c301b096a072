// Waits for the end of other nodes' leases, of which messages tell. The last messages are remembered for a moment: one can
// arrive before the reply that says there is something to wait for.
import type { RedisClient } from '../storage/redis-client.ts'

export interface LeaseEndings {
  /** How many messages have arrived so far. */
  heard: () => number
  /** Resolves when the lease has ended, if a message says so, now or after that many; at the latest when its time is up. */
  wait: (lease: string, heardBefore: number) => Promise<void>
}

/** How long a message is waited for; and how long if none can arrive. */
const LOOK_AGAIN_MS = 250
const POLL_MS = 20
const MOST_REMEMBERED = 1_000

export function createLeaseEndings(redis: RedisClient, channel: string): LeaseEndings {
  const waiting = new Map<string, Set<() => void>>()
  /** By lease, with the number of the message. */
  const recent = new Map<string, number>()
  let heard = 0
  void redis.subscribe(channel, (lease) => {
    heard++
    recent.delete(lease)
    recent.set(lease, heard)
    const [oldest] = recent.keys()
    if (recent.size > MOST_REMEMBERED && oldest !== undefined) recent.delete(oldest)
    for (const resolve of waiting.get(lease) ?? []) resolve()
  })

  return {
    heard: () => heard,
    wait(lease, heardBefore) {
      if ((recent.get(lease) ?? 0) > heardBefore) return Promise.resolve()
      return new Promise((resolve) => {
        const waiters = waiting.get(lease) ?? new Set()
        waiting.set(lease, waiters)
        const end = () => {
          clearTimeout(timer)
          waiters.delete(end)
          if (waiters.size === 0 && waiting.get(lease) === waiters) waiting.delete(lease)
          resolve()
        }
        const timer = setTimeout(end, redis.isSubscribed() ? LOOK_AGAIN_MS : POLL_MS)
        waiters.add(end)
      })
    },
  }
}
