// Three times as many searches as a node can handle, all uncached: it answers as many as it can in time, refuses the
// others, and answers health checks on ADMIN_PORT. First one node alone, then two behind haproxy.
//
// The searches come over open connections, as from a balancer or a keep-alive client. A busy node accepts one new
// connection per event loop tick, so new ones wait: that is why health checks have their own port and thread, and why a
// balancer bounds its connections to a node (`maxconn`). The wait of checks on the main port is printed, not asserted.
//
// The nodes are held to a share of a core, so that little load is enough. Delay added by the machine itself is measured
// at the same time on an idle server, and allowed for. Capacity is measured before and after, because the speed of a
// busy machine varies. `SECONDS=30` runs longer and within the bounds that hold on a quiet machine; `SHARE=0.6` gives
// each node more of a core, and everything takes less time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Balancer, startHaproxy } from '../support/balancers.ts'
import { type Cluster, type ClusterNode, startCluster, UNLIMITED } from '../support/cluster.ts'
import { holdToShare } from '../support/cpu-share.ts'
import { endWithWorker } from '../support/end-with-worker.ts'
import { askOnce, createAgent, type LoadReply, percentile, sendInTurn, sendSteadily } from '../support/open-loop.ts'
import { cpuSecondsOf } from '../support/process-usage.ts'
import { recordFigures } from '../support/record-figures.ts'

const SECONDS = Number(process.env['SECONDS'] ?? 10)
const IS_FULL = process.env['SECONDS'] !== undefined
// A refusal costs about a fifth of a search, and there are two per search: at best 1 / 1.4 of the capacity is left.
const BOUNDS = IS_FULL
  ? { goodPerCpu: 0.6, goodput: 0.6, admittedMs: 500, adminMs: 100, hops: 1, machine: 1 }
  : { goodPerCpu: 0.4, goodput: 0.4, admittedMs: 2_500, adminMs: 200, hops: 8, machine: 4 }
const SHARE_OF_CORE = Number(process.env['SHARE'] ?? 0.3)
const CLIENTS_AT_CAPACITY = 8
const TIMES = 3
const CAPACITY_SECONDS = 2

let cluster: Cluster
let balancer: Balancer
let idle: { url: string; process: ChildProcess }
let key: string
const releases: (() => void)[] = []
const MAX_IN_FLIGHT = 30
/** For one node, and for haproxy. */
const agents = [createAgent(), createAgent()] as const

beforeAll(async () => {
  cluster = await startCluster({
    nodes: 2,
    // The in-flight limit is scaled down with the share of a core. Rate limits of engines would hold searches up.
    settings: {
      MAX_IN_FLIGHT: String(MAX_IN_FLIGHT),
      ADMIN_PORT: '0',
      BRAVE_RATE_LIMIT: 'off',
      MARGINALIA_RATE_LIMIT: 'off',
      MOJEEK_RATE_LIMIT: 'off',
    },
  })
  key = await cluster.createKey(UNLIMITED)
  const maxConnections = 2 * MAX_IN_FLIGHT
  balancer = await startHaproxy(
    cluster.nodes.map((node) => ({ url: node.url, adminPort: adminPortOf(node), maxConnections })),
  )
  idle = await startIdleServer()
  await Promise.all(cluster.nodes.map(({ url }) => sendInTurn(searchesAt(url), { clients: 8, seconds: 3 })))
  // Opens the connections, and compiles the code of refusals too.
  for (const [at, url] of [cluster.node(0).url, balancer.url].entries()) {
    const agent = agents[at]
    await sendSteadily(searchesAt(url), { perSecond: 1_000, seconds: 2, ...(agent && { agent }) })
  }
  for (const { process } of cluster.nodes) releases.push(holdToShare(process.pid ?? 0, SHARE_OF_CORE))
}, 90_000)
afterAll(async () => {
  for (const agent of agents) agent.destroy()
  idle?.process.kill('SIGKILL')
  await balancer?.close()
  await cluster?.close()
  for (const release of releases) release()
})

let queries = 0
const searchesAt = (url: string) => ({
  url,
  headers: { authorization: `Api-Key ${key}` },
  path: () => `/api/v1/web/?q=overload-${queries++}`,
})

const adminPortOf = (node: ClusterNode): string =>
  /"port":(\d+),"msg":"answering health checks"/.exec(node.logged())?.[1] ?? ''

async function startIdleServer() {
  const script = `require('http').createServer((_, reply) => reply.end())
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = endWithWorker(spawn(process.execPath, ['-e', script]))
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child }
}

/** Returns the result of `happening`, and the CPU time the nodes spent meanwhile. */
async function withCpuTime<Result>(nodes: readonly ClusterNode[], happening: () => Promise<Result>) {
  const used = () => nodes.reduce((sum, node) => sum + cpuSecondsOf(node.process.pid), 0)
  const before = used()
  const result = await happening()
  return { result, cpu: used() - before }
}

/** Checks the health of each URL until stopped, on new connections as balancers do. */
function startChecking(urls: Record<string, string>) {
  const seen: Record<string, LoadReply[]> = Object.fromEntries(Object.keys(urls).map((name) => [name, []]))
  const timer = setInterval(() => {
    for (const [name, url] of Object.entries(urls)) void askOnce(url, {}).then((reply) => seen[name]?.push(reply))
  }, 100)
  return async () => {
    clearInterval(timer)
    await sleep(200)
    return seen
  }
}

const isGood = ({ status }: LoadReply): boolean => status === 200
const timesOf = (replies: readonly LoadReply[]): number[] => replies.map(({ ms }) => ms)

async function measureCapacity(searches: ReturnType<typeof searchesAt>, nodes: readonly ClusterNode[]) {
  const clients = CLIENTS_AT_CAPACITY * nodes.length
  const { result, cpu } = await withCpuTime(nodes, () => sendInTurn(searches, { clients, seconds: CAPACITY_SECONDS }))
  const good = result.filter(isGood).length
  return { good, cpu, perSecond: good / CAPACITY_SECONDS }
}

async function overload(url: string, nodes: readonly ClusterNode[], agent: Agent) {
  const searches = searchesAt(url)
  const alone = await sendInTurn(searches, { clients: 1, seconds: 2 })
  const before = await measureCapacity(searches, nodes)
  const stopChecking = startChecking({
    ...Object.fromEntries(nodes.map((node, at) => [`main ${at}`, `${node.url}/readyz`])),
    ...Object.fromEntries(nodes.map((node, at) => [`admin ${at}`, `http://127.0.0.1:${adminPortOf(node)}/readyz`])),
    idle: idle.url,
  })
  const load = { perSecond: before.perSecond * TIMES, seconds: SECONDS, agent }
  const overloaded = await withCpuTime(nodes, () => sendSteadily(searches, load))
  const { idle: undisturbed = [], ...health } = await stopChecking()
  const after = await measureCapacity(searches, nodes)
  const good = overloaded.result.filter(isGood)
  return {
    capacity: (before.perSecond + after.perSecond) / 2,
    replies: overloaded.result,
    health,
    goodput: good.length / SECONDS,
    goodPerCpu: {
      atCapacity: (before.good + after.good) / (before.cpu + after.cpu),
      overloaded: good.length / overloaded.cpu,
    },
    p99: { alone: percentile(timesOf(alone), 0.99), admitted: percentile(timesOf(good), 0.99) },
    machineMs: { p50: percentile(timesOf(undisturbed), 0.5), p99: percentile(timesOf(undisturbed), 0.99) },
  }
}

describe.each([
  ['one node', () => [cluster.node(0).url, cluster.nodes.slice(0, 1), agents[0]] as const],
  ['two nodes behind haproxy', () => [balancer.url, cluster.nodes, agents[1]] as const],
])('three times the load that %s can handle', (name, whatOf) => {
  it('as much as possible is answered in time, the rest with 503, and health checks always', async () => {
    const seen = await overload(...whatOf())
    const { capacity, goodput, goodPerCpu, p99, machineMs, replies, health } = seen
    const byStatus = Object.groupBy(replies, ({ status }) => String(status))
    const counts = Object.entries(byStatus).map(([status, list = []]) => `${status}: ${list.length}`)
    const checks = Object.entries(health).map(
      ([who, list]) =>
        `${who} p95 ${percentile(timesOf(list), 0.95).toFixed()} max ${Math.max(...timesOf(list)).toFixed()} ms`,
    )
    process.stdout.write(
      `${name} ${JSON.stringify({ capacity, goodput, goodPerCpu, p99, machineMs, counts, checks })}\n`,
    )

    recordFigures(`overload, ${name}`, { capacity, goodput, p99_admitted_ms: p99.admitted, p99_alone_ms: p99.alone })

    // No timeout and no broken connection; every refusal is ours and has a Retry-After.
    expect(Object.keys(byStatus).sort()).toEqual(['200', '503'])
    expect(byStatus['503']?.filter(({ retryAfter }) => !/^2$/.test(retryAfter ?? ''))).toEqual([])

    expect(goodPerCpu.overloaded).toBeGreaterThan(BOUNDS.goodPerCpu * goodPerCpu.atCapacity)
    expect(goodput).toBeGreaterThan(BOUNDS.goodput * capacity)
    // A request waits for the machine several times: client, haproxy, node, Redis, engines.
    expect(p99.admitted).toBeLessThan(2 * p99.alone + BOUNDS.admittedMs + BOUNDS.hops * machineMs.p99)

    for (const [who, list] of Object.entries(health)) {
      if (!who.startsWith('admin')) continue
      expect(list.filter((reply) => !isGood(reply))).toEqual([])
      expect(percentile(timesOf(list), 0.95)).toBeLessThan(BOUNDS.adminMs + BOUNDS.machine * machineMs.p99)
    }
  }, 120_000)
})
