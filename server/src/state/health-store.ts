// What the nodes tell each other of the providers' health: one hash in Redis, a field a provider, newest word wins.
// Without Redis a node has only its own observations, and there is nothing to store.
import type { RedisLink } from './redis-link.ts'

/** The health of a provider as JSON can carry it; `upstream/health.ts` says what it means. */
interface StoredHealth {
  state: 'up' | 'down' | 'unknown'
  checkedAt: number | undefined
  lastOkAt: number | undefined
  lastError: string
  consecutiveFailures: number
}

export interface HealthStore {
  save: (slug: string, health: StoredHealth) => void
  load: () => Promise<Map<string, StoredHealth>>
}

const HASH = 'bb:health'

export const createHealthStore = (redis: RedisLink | undefined): HealthStore => ({
  save(slug, health) {
    void redis?.attempt((client) => client.hset(HASH, slug, JSON.stringify(health)))
  },
  async load() {
    const fields = (await redis?.attempt((client) => client.hgetall(HASH))) ?? {}
    // Only `save` above writes these.
    return new Map(Object.entries(fields).map(([slug, json]) => [slug, JSON.parse(json) as StoredHealth]))
  },
})
