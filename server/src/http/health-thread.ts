// Answers `/livez` and `/readyz` on its own thread, so that checks succeed however busy the process is. It knows what
// the main thread last sent and when: a main thread that is silent for half a minute isn't busy but stuck, and `/livez`
// reports that.
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createServer } from '../text/node-http.ts'
import { type HealthState, type HealthThreadData, readinessOf } from './health-listener.ts'

const STUCK_MS = 30_000

const { host, port } = workerData as HealthThreadData // what `health-listener.ts` starts it with
let state: HealthState = { isReady: false, missing: [] }
let lastMessageAt = performance.now()

parentPort?.on('message', (message: HealthState) => {
  state = message
  lastMessageAt = performance.now()
})

const answers: Record<string, (url: string) => [status: number, body: object]> = {
  '/livez': () => (performance.now() - lastMessageAt < STUCK_MS ? [200, { status: 'ok' }] : [503, { status: 'stuck' }]),
  '/readyz': (url) => readinessOf(state, url),
}

const server = createServer(({ url = '' }, response) => {
  const [path = ''] = url.split('?', 1)
  const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
  const [status, body] = answer?.(url) ?? [404, { detail: 'Not found. Check the URL.' }]
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
    .end(JSON.stringify(body))
})
server.on('error', (error: NodeJS.ErrnoException) => parentPort?.postMessage({ code: error.code ?? 'UNKNOWN' }, []))
// A listening TCP server has an address with a port.
server.listen(port, host, () => parentPort?.postMessage({ port: (server.address() as AddressInfo).port }, []))
