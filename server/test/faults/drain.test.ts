// A server gets SIGTERM (a deployment, a restart) while a search and a stream are in flight. Both are answered, new
// connections are refused, and the process exits.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { startServerProcess } from '../support/server-process.ts'
import { storedUsage } from '../support/stored-usage.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, settings: { SEARCH_TIMEOUT_MS: '20000' } })
})
afterAll(() => cluster?.close())

const SLOW_MS = 4_000
/** Far more than a busy machine needs, but less than the timeout of idle keep-alive connections. */
const DRAIN_MS = 50_000

const isLetIn = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

describe('SIGTERM during a slow search', () => {
  it('the search and a stream are answered, new connections are refused, and the server exits with code 0', async () => {
    const key = await cluster.createKey()
    const node = cluster.node(0)
    // Neither an idle keep-alive connection nor a preconnected one may hold up the shutdown.
    const { host, hostname, port } = new URL(node.url)
    const [kept, ahead] = [connect(Number(port), hostname), connect(Number(port), hostname)]
    kept.write(`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await Promise.all([once(kept, 'data'), once(ahead, 'connect')])
    for (const slug of ['brave', 'mojeek', 'marginalia']) {
      cluster.sandbox.setFault(slug, { kind: 'latency', latencyMs: SLOW_MS })
    }

    const search = node.api.get('/api/v1/web/?q=patience', { key })
    const headers = { authorization: `Api-Key ${key}`, accept: 'text/event-stream' }
    const stream = fetch(`${node.url}/api/v1/web/?q=stream`, { headers }).then((response) => response.text())
    await expect.poll(() => cluster.sandbox.callCount('brave'), { timeout: SLOW_MS }).toBe(2)
    const askedAt = performance.now()
    const ended = once(node.process, 'exit')
    node.process.kill('SIGTERM')
    await expect.poll(() => isLetIn(node.url), { timeout: SLOW_MS }).toBe(false)

    const reply = await search
    expect(reply.status).toBe(200)
    expect(reply.json.results.length).toBeGreaterThan(0)
    expect(await stream).toMatch(/\nevent: done\ndata: \{"body":.+\}\n\n$/)
    expect(await ended).toEqual([0, null])
    expect(performance.now() - askedAt).toBeLessThan(DRAIN_MS)
    kept.destroy()
    ahead.destroy()
    expect(await storedUsage(cluster.databaseUrl, key)).toBe(2)
  })
})

it('nothing that is left open keeps a stopped server alive', async () => {
  const endless = 'data:text/javascript,setInterval(() => undefined, 1000)'
  const server = await startServerProcess({ ...cluster.settings, NODE_OPTIONS: `--import=${encodeURI(endless)}` })
  const ended = once(server.process, 'exit', { signal: AbortSignal.timeout(DRAIN_MS) })
  server.process.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
