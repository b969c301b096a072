// An upgrade and the way back, under load: nodes of this version and of the next one serve together on one database and one
// Redis, behind plain haproxy and nginx, and keep their ports, as they do for an operator. No request is lost. The next
// version is a copy of this one with one more migration that only adds, in the tables that every request uses.
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Balancer, startHaproxy, startNginx } from '../support/balancers.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { sendSteadily } from '../support/open-loop.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { storedUsage } from '../support/stored-usage.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const REQUESTS_A_SECOND = 30
/** haproxy checks twice a second and needs two successes. */
const BACK_MS = 2_000
const NEXT_VERSION = '0.2.0'
const NEXT_STEP = `'0002-more': {
      isAdditive: true,
      up: async (db) => {
        await sql\`alter table users add column nickname text not null default ''\`.execute(db)
        await sql\`alter table api_keys add column colour text not null default 'blue'\`.execute(db)
        await sql\`alter table usage_daily add column weight integer not null default 1\`.execute(db)
        await sql\`create table from_the_future (id bigint)\`.execute(db)
      },
    },`

let cluster: Cluster
let folder: string
const nodes: ServerProcess[] = []
const balancers: Balancer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-next-'))
  cluster = await startCluster({ nodes: 3, settings: { DRAIN_SECONDS: '2' } })
  nodes.push(...cluster.nodes)
  balancers.push(await startHaproxy(nodes), await startNginx(nodes))
}, 90_000)
afterAll(async () => {
  await Promise.all(balancers.map((balancer) => balancer.close()))
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await cluster?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the program of the next version. */
async function makeNextVersion(): Promise<string> {
  await cp(join(ROOT, 'server/src'), join(folder, 'server/src'), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const manifest = await readFile(join(ROOT, 'server/package.json'), 'utf8')
  await writeFile(
    join(folder, 'server/package.json'),
    manifest.replace(/"version": ".*?"/, `"version": "${NEXT_VERSION}"`),
  )
  const migrations = join(folder, 'server/src/store/migrations.ts')
  const source = await readFile(migrations, 'utf8')
  const changed = source.replace(/('0001-first-schema': .*\n)/, `$1    ${NEXT_STEP}\n`)
  expect(changed).not.toBe(source)
  await writeFile(migrations, changed)
  return join(folder, 'server/src/bowerbird.ts')
}

/** Stops a node, looks at it while it drains, and starts one of another version on the same port. */
async function replace(at: number, program?: string): Promise<void> {
  const node = nodes[at]
  if (!node) throw new Error(`no node ${at}`)
  const ended = once(node.process, 'exit')
  node.process.kill('SIGTERM')
  const readiness = async () => (await fetch(`${node.url}/readyz`)).json()
  await expect.poll(readiness, { interval: 20, timeout: 2_000 }).toEqual({ status: 'draining' })
  expect((await fetch(`${node.url}/livez`)).status).toBe(200)
  expect(await ended).toEqual([0, null])
  nodes[at] = await startServerProcess({ ...cluster.settings, PORT: new URL(node.url).port }, [], program)
  await sleep(BACK_MS)
}

async function schemaSteps(): Promise<string[]> {
  const client = new pg.Client(cluster.databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ step: string }>(
    `select name || ' ' || version as step from schema_steps order by name`,
  )
  await client.end()
  return rows.map(({ step }) => step)
}

it('nodes of two versions serve together, upwards and back, and lose nothing', { timeout: 300_000 }, async () => {
  const next = await makeNextVersion()
  const key = await cluster.createKey(UNLIMITED)
  await sleep(BACK_MS)
  const over = new AbortController()
  const headers = { authorization: `Api-Key ${key}` }
  const loads = balancers.map(({ url }) =>
    sendSteadily(
      { url, headers, path: (turn) => `/api/v1/web/?q=upgrade-${turn % 20}` },
      { perSecond: REQUESTS_A_SECOND, seconds: Number.POSITIVE_INFINITY, signal: over.signal },
    ),
  )
  try {
    expect(await schemaSteps()).toHaveLength(1)
    for (const at of nodes.keys()) {
      await replace(at, next)
      // An account and a key made by this version's command line are there for both versions.
      await cluster.command(['key', 'create', 'ada'])
    }
    expect(await schemaSteps()).toEqual([expect.stringContaining('0001-first-schema'), `0002-more ${NEXT_VERSION}`])
    // The way back: this version on the newer schema.
    for (const at of nodes.keys()) await replace(at)
  } finally {
    over.abort()
  }
  const [haproxy = [], nginx = []] = await Promise.all(loads)
  expect(haproxy.filter(({ status }) => status !== 200)).toEqual([])
  expect(nginx.filter(({ status }) => status !== 200)).toEqual([])
  // None is counted twice, or not at all.
  const asked = haproxy.length + nginx.length
  expect(asked).toBeGreaterThan(12 * REQUESTS_A_SECOND)
  await expect.poll(() => storedUsage(cluster.databaseUrl, key), { timeout: 10_000 }).toBe(asked)
})
