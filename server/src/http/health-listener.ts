// Health checks: what `/readyz` replies, and the listener on their own port (ADMIN_PORT), which runs on a separate
// thread; `health-thread.ts` explains why.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RedisStates } from '../redis/redis-availability.ts'

export interface HealthState {
  /** False while the instance drains. */
  isReady: boolean
  /** Dependencies that are currently unavailable; the node still serves. */
  missing: string[]
  redis?: RedisStates | undefined
}

const VERBOSE = /[?&]verbose(?:[=&]|$)/

/** The reply to `/readyz`; `/readyz?verbose` adds the state of Redis. */
export function readinessOf({ isReady, missing, redis }: HealthState, url: string): [status: number, body: object] {
  if (!isReady) return [503, { status: 'draining' }]
  const more = redis && VERBOSE.test(url) ? { redis } : undefined
  if (missing.length === 0) return [200, { status: 'ok', ...more }]
  return [200, { status: 'degraded', detail: `degraded: ${missing.join(', ')}`, ...more }]
}

export interface HealthThreadData {
  host: string
  port: number
}

export interface HealthListener {
  port: number
  /** Sends the state to the thread now; it's also sent once a second. */
  sendState: () => void
  close: () => Promise<void>
}

const SEND_EVERY_MS = 1_000

/** Rejects with the error's `code` if it can't listen on the address. */
export async function serveHealth(at: HealthThreadData, state: () => HealthState): Promise<HealthListener> {
  const thread = new Worker(new URL('./health-thread.ts', import.meta.url), { workerData: at })
  const [reply] = (await once(thread, 'message')) as [{ port: number } | { code: string }] // the thread's first message
  if ('code' in reply) {
    await thread.terminate()
    throw Object.assign(new Error('could not listen on the admin port'), { code: reply.code })
  }
  const sendState = () => thread.postMessage(state(), [])
  const timer = setInterval(sendState, SEND_EVERY_MS).unref()
  return {
    port: reply.port,
    sendState,
    async close() {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}
