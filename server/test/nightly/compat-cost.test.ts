// The server CPU that a compatible API adds to a cached search, compared with `/api/v1/web/` on the same node in the
// same run. The APIs alternate, in reverse order every other round, and the best round of each counts: another process
// may slow a round down, none can speed one up. On a busy machine there are more rounds.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoadOrder, LoadResult } from '../../../bench/load.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { cpuSecondsOf } from '../support/process-usage.ts'

const LEAST_ROUNDS = 5
const MOST_ROUNDS = 24
const WARM_UP_MS = 1_000
const WINDOW_MS = 300

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const call = (meta?: Record<string, unknown>) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'climate' }, ...(meta && { _meta: meta }) },
  })
const REVISION_2026 = '2026-07-28'

type Side = Pick<LoadOrder, 'paths' | 'body'> & { headers?: Record<string, string> }

const SIDES = {
  api: { paths: ['/api/v1/web/?q=climate'] },
  searxng: { paths: ['/searxng/search?q=climate&format=json'] },
  'MCP of 2025': { paths: ['/mcp'], headers: { ...JSON_BODY, 'mcp-protocol-version': '2025-11-25' }, body: call() },
  'MCP of 2026': {
    paths: ['/mcp'],
    headers: {
      ...JSON_BODY,
      'mcp-protocol-version': REVISION_2026,
      'mcp-method': 'tools/call',
      'mcp-name': 'search',
    },
    body: call({
      'io.modelcontextprotocol/protocolVersion': REVISION_2026,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
  },
} satisfies Record<string, Side>

type Name = keyof typeof SIDES
const NAMES = Object.keys(SIDES) as Name[]
/** The most CPU each may take, as a multiple of the API's. */
const MOST: Record<Name, number> = { api: 1, searxng: 6, 'MCP of 2025': 10, 'MCP of 2026': 10 }

let cluster: Cluster
const load = fork(resolve(import.meta.dirname, '../../../bench/load.ts'))
/** CPU per request through each API, in the best round so far. */
const cpu = new Map<Name, number>()
const ratioOf = (name: Name): number => (cpu.get(name) ?? Number.NaN) / (cpu.get('api') ?? Number.NaN)
const areAllWithin = () => NAMES.every((name) => ratioOf(name) <= MOST[name])

async function cpuPerRequest(side: Side, key: string, ms: number): Promise<number> {
  const { url, process: server } = cluster.node(0)
  const before = cpuSecondsOf(server.pid)
  load.send({
    port: Number(new URL(url).port),
    connections: 16,
    ms,
    ...side,
    headers: { authorization: `Api-Key ${key}`, ...side.headers },
  } satisfies LoadOrder)
  const [{ requests, errors }] = (await once(load, 'message')) as [LoadResult]
  expect(errors).toBe(0)
  return (cpuSecondsOf(server.pid) - before) / requests
}

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, settings: { ...WITHOUT_RATE_LIMIT, LOG_LEVEL: 'warn' } })
  const key = await cluster.createKey(UNLIMITED)
  for (const name of NAMES) await cpuPerRequest(SIDES[name], key, WARM_UP_MS)
  for (let round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && !areAllWithin()); round += 1) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      const spent = await cpuPerRequest(SIDES[name], key, WINDOW_MS)
      cpu.set(name, Math.min(spent, cpu.get(name) ?? spent))
    }
  }
}, 300_000)

afterAll(async () => {
  load.disconnect()
  await cluster?.close()
})

describe('the CPU of a cached search', () => {
  it('through the SearXNG API, which renders every reply, is at most six times that of our API', () => {
    expect(ratioOf('searxng')).toBeLessThanOrEqual(MOST.searxng)
  })

  it.each(['MCP of 2025', 'MCP of 2026'] as const)('through %s is at most ten times that of our API', (name) => {
    expect(ratioOf(name)).toBeLessThanOrEqual(MOST[name])
  })
})
