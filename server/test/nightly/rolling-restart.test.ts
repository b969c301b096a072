// An upgrade: three nodes behind a load balancer, restarted one after the other under load. No request is lost: not
// behind our test balancer, which never retries, nor behind plain haproxy and nginx. The nodes keep their ports, as
// they do for an operator. `ROUNDS` repeats the restarts.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Balancer, startHaproxy, startNginx } from '../support/balancers.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type LoadReply, sendSteadily } from '../support/open-loop.ts'
import { type ReadinessProxy, startReadinessProxy } from '../support/readiness-proxy.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { storedUsage } from '../support/stored-usage.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 1)
const DRAIN_SECONDS = 2
const REQUESTS_A_SECOND = 50
/** haproxy checks twice a second and needs two successes. */
const BACK_MS = 2_000

let cluster: Cluster
let proxy: ReadinessProxy
const nodes: ServerProcess[] = []
const balancers: Balancer[] = []

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3, settings: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
  nodes.push(...cluster.nodes)
  proxy = await startReadinessProxy({ checkEveryMs: 250 })
  for (const [at, { url }] of nodes.entries()) proxy.setNode(`${at}`, url)
  balancers.push(await startHaproxy(nodes), await startNginx(nodes))
}, 60_000)
afterAll(async () => {
  await proxy?.close()
  await Promise.all(balancers.map((balancer) => balancer.close()))
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await cluster?.close()
})

/** Stops a node with SIGTERM, checks it while it drains, and starts another in its place. */
async function restart(at: number): Promise<void> {
  const node = nodes[at]
  if (!node) throw new Error(`no node ${at}`)
  const ended = once(node.process, 'exit')
  const toldAt = performance.now()
  node.process.kill('SIGTERM')
  const readiness = async () => {
    const reply = await fetch(`${node.url}/readyz`)
    return [reply.status, await reply.json()]
  }
  await expect.poll(readiness, { interval: 20, timeout: DRAIN_SECONDS * 1_000 }).toEqual([503, { status: 'draining' }])
  expect((await fetch(`${node.url}/livez`)).status).toBe(200)
  expect(await ended).toEqual([0, null])
  expect(performance.now() - toldAt).toBeGreaterThanOrEqual(DRAIN_SECONDS * 1_000)
  nodes[at] = await startServerProcess({ ...cluster.settings, PORT: new URL(node.url).port })
  expect(await eventually(async () => proxy.isReady(`${at}`), 30_000)).toBe(true)
  await sleep(BACK_MS)
}

describe('a rolling restart of three nodes', () => {
  it(
    'loses no request, behind any balancer, and counts every one once',
    async () => {
      const key = await cluster.createKey(UNLIMITED)
      for (const at of nodes.keys()) expect(await eventually(async () => proxy.isReady(`${at}`), 30_000)).toBe(true)
      await sleep(BACK_MS)
      const over = new AbortController()
      const loads = [proxy, ...balancers].map(({ url }) =>
        sendSteadily(
          { url, headers: { authorization: `Api-Key ${key}` }, path: (turn) => `/api/v1/web/?q=rolling-${turn % 20}` },
          { perSecond: REQUESTS_A_SECOND, seconds: Number.POSITIVE_INFINITY, signal: over.signal },
        ),
      )
      try {
        for (let round = 0; round < ROUNDS; round++) for (const at of nodes.keys()) await restart(at)
      } finally {
        over.abort()
      }
      const [own = [], haproxy = [], nginx = []] = await Promise.all(loads)
      const failed = (replies: readonly LoadReply[]) => replies.filter(({ status }) => status !== 200)
      const counts = [own, haproxy, nginx].map((replies) => `${failed(replies).length} of ${replies.length} failed`)
      process.stdout.write(`rolling restart: ${counts.join(', ')}\n`)
      expect({ own: failed(own), haproxy: failed(haproxy), nginx: failed(nginx) }).toEqual({
        own: [],
        haproxy: [],
        nginx: [],
      })
      const asked = own.length + haproxy.length + nginx.length
      expect(asked).toBeGreaterThan(3 * 3 * DRAIN_SECONDS * REQUESTS_A_SECOND * 0.7)
      // None is counted twice, or not at all.
      await expect.poll(() => storedUsage(cluster.databaseUrl, key), { timeout: 10_000 }).toBe(asked)
    },
    60_000 + ROUNDS * 60_000,
  )
})
