// `bowerbird health`, which containers run every few seconds: asks the instance on this machine whether it is ready. It
// loads next to nothing, because starting the whole command line each time would cost more than the answer.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { readWritten } from '../config/environment.ts'
import { request } from '../text/node-http.ts'

const TIMEOUT_MS = 4_000
const SETTINGS = new Set(['ADMIN_PORT', 'ADMIN_HOST', 'HOST', 'PORT'])
const ANY_PORT = '0'
/** An instance that listens on every address also listens on the loopback address. */
const LOOPBACK_OF: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export interface Health {
  isReady: boolean
  sentence: string
}

export async function checkHealth(env: NodeJS.ProcessEnv): Promise<Health> {
  const { values } = readWritten(env, (name) => SETTINGS.has(name))
  const { ADMIN_PORT, ADMIN_HOST = '127.0.0.1', HOST = '127.0.0.1', PORT = '8080' } = values
  // The admin port has its own thread, so it answers however busy the instance is.
  const usesAdmin = ADMIN_PORT !== undefined && ADMIN_PORT !== ANY_PORT
  const host = usesAdmin ? ADMIN_HOST : HOST
  return await askWhetherReady(LOOPBACK_OF[host] ?? host, usesAdmin ? ADMIN_PORT : PORT)
}

async function askWhetherReady(host: string, port: string): Promise<Health> {
  try {
    const outgoing = request({ host, port, path: '/readyz', agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) })
    outgoing.end()
    const [response]: IncomingMessage[] = await once(outgoing, 'response')
    response?.resume()
    const isReady = response?.statusCode === 200
    return { isReady, sentence: isReady ? 'Ready.' : `Not ready: /readyz says ${response?.statusCode}.` }
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown'
    return { isReady: false, sentence: `Not ready: nothing answers on port ${port} (${reason}).` }
  }
}
