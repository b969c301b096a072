// One node with two workers on one port (`WORKERS=2`): limits, usage and metrics are those of one node, and killing or
// replacing workers costs at most the requests in flight.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { onFreePort } from '../support/on-free-port.ts'
import { askOnce, sendInTurn, sendSteadily } from '../support/open-loop.ts'
import { childrenOf } from '../support/process-usage.ts'
import { storedUsage } from '../support/stored-usage.ts'

const TOKEN = 'for-the-metrics'
/** Longer than a process buffers usage. */
const WRITTEN_MS = 2_500
const PATIENCE_MS = 90_000
const PATH = '/api/v1/web/?q=workers'

let cluster: Cluster
const node = () => cluster.node(0)
const workers = () => childrenOf(node().process.pid)
const headersOf = (key: string) => ({ authorization: `Api-Key ${key}` })

let metricsPort: number

async function metric(sample: string): Promise<number> {
  const url = `http://127.0.0.1:${metricsPort}/metrics`
  const reply = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })
  const line = (await reply.text()).split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  return Number(line?.slice(sample.length + 1) ?? 0)
}

const answered = (status: number) =>
  metric(`bowerbird_http_request_seconds_count{route="/api/v1/web/",status="${status}"}`)
const areTwoReady = () => eventually(async () => (await metric('bowerbird_workers')) === 2, PATIENCE_MS)

beforeAll(async () => {
  cluster = await onFreePort(async (port) => {
    metricsPort = port
    const settings = { WORKERS: '2', DRAIN_SECONDS: '1', METRICS_PORT: String(port), METRICS_TOKEN: TOKEN }
    return await startCluster({ nodes: 1, settings })
  })
  expect(await areTwoReady()).toBe(true)
}, 180_000)
afterAll(() => cluster?.close())

describe('two workers', () => {
  it('share a port, and limits, usage and metrics are exact over both', async () => {
    const key = await cluster.createKey({ burst: '20/min', sustained: '1000/day' })
    // Each on its own connection, distributed round robin.
    const replies = await Promise.all(Array.from({ length: 50 }, () => askOnce(node().url + PATH, headersOf(key))))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30)
    await expect.poll(() => storedUsage(cluster.databaseUrl, key), { timeout: 10_000 }).toBe(20)
    expect([await answered(200), await answered(429)]).toEqual([20, 30])
    const logged = (worker: number) => node().logged().includes(`{"worker":${worker},`)
    await expect.poll(() => [logged(1), logged(2)]).toEqual([true, true])
  })

  it('a killed one costs only its requests in flight, and is replaced', async () => {
    const key = await cluster.createKey(UNLIMITED)
    const clients = 4
    const load = sendInTurn({ url: node().url, headers: headersOf(key), path: () => PATH }, { clients, seconds: 2 })
    await sleep(500)
    const [victim = 0] = workers()
    process.kill(victim, 'SIGKILL')
    const replies = await load
    const failed = replies.filter(({ status }) => status !== 200)
    expect(failed.length).toBeLessThanOrEqual(clients)
    expect(replies.length - failed.length).toBeGreaterThan(0)
    expect(await areTwoReady()).toBe(true)
    expect(workers()).toHaveLength(2)
    expect(workers()).not.toContain(victim)
    expect(await metric('bowerbird_worker_deaths_total')).toBe(1)
    // The killed worker's last second of usage may be missing, and nothing is counted twice.
    await sleep(WRITTEN_MS)
    const stored = await storedUsage(cluster.databaseUrl, key)
    expect(stored).toBeLessThanOrEqual(replies.length)
    const later = await sendInTurn(
      { url: node().url, headers: headersOf(key), path: () => PATH },
      { clients, seconds: 1 },
    )
    await expect.poll(() => storedUsage(cluster.databaseUrl, key), { timeout: 10_000 }).toBe(stored + later.length)
  }, 120_000)

  it('are replaced on SIGHUP without losing a request', async () => {
    const key = await cluster.createKey(UNLIMITED)
    const former = workers()
    const over = new AbortController()
    const load = sendSteadily(
      { url: node().url, headers: headersOf(key), path: () => PATH },
      { perSecond: 50, seconds: Number.POSITIVE_INFINITY, signal: over.signal },
    )
    node().process.kill('SIGHUP')
    const isDone = await eventually(async () => node().logged().includes('all workers are replaced'), PATIENCE_MS)
    over.abort()
    const replies = await load
    expect(isDone).toBe(true)
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(workers()).toHaveLength(2)
    expect(workers().filter((pid) => former.includes(pid))).toEqual([])
    await expect.poll(() => storedUsage(cluster.databaseUrl, key), { timeout: 10_000 }).toBe(replies.length)
  }, 120_000)

  it('stop on SIGTERM, and then so does their parent', async () => {
    const pids = workers()
    await node().stop()
    expect(node().process.exitCode).toBe(0)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
