// Serves health checks on their own port (ADMIN_PORT), from a separate thread: `health-thread.ts` explains why.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { HealthState } from './readiness.ts'

export interface HealthThreadData {
  host: string
  port: number
}

export interface HealthListener {
  port: number
  /** Sends the state to the thread now; it's also sent once a second. */
  tell: () => void
  close: () => Promise<void>
}

const TELL_EVERY_MS = 1_000

/** Rejects with the error's `code` if it can't listen on the address. */
export async function serveHealth(at: HealthThreadData, state: () => HealthState): Promise<HealthListener> {
  const thread = new Worker(new URL('./health-thread.ts', import.meta.url), { workerData: at })
  const [said] = (await once(thread, 'message')) as [{ port: number } | { code: string }] // what the thread says first
  if ('code' in said) {
    await thread.terminate()
    throw Object.assign(new Error('could not listen on the admin port'), { code: said.code })
  }
  const tell = () => thread.postMessage(state(), [])
  const timer = setInterval(tell, TELL_EVERY_MS).unref()
  return {
    port: said.port,
    tell,
    async close() {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}
