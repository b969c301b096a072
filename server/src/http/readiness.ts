// The `/readyz` reply, on the main port and on ADMIN_PORT; `/readyz?verbose` adds the state of Redis.
import type { RedisStates } from '../redis/redis-availability.ts'

export interface HealthState {
  /** False while the instance drains. */
  isReady: boolean
  /** Dependencies that are currently unavailable; the node still serves. */
  missing: string[]
  redis?: RedisStates | undefined
}

const VERBOSE = /[?&]verbose(?:[=&]|$)/

export function readinessOf({ isReady, missing, redis }: HealthState, url: string): [status: number, body: object] {
  if (!isReady) return [503, { status: 'draining' }]
  const more = redis && VERBOSE.test(url) ? { redis } : undefined
  if (missing.length === 0) return [200, { status: 'ok', ...more }]
  return [200, { status: 'degraded', detail: `degraded: ${missing.join(', ')}`, ...more }]
}
