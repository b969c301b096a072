// An administrator changes settings while three nodes run. Every node works with them, without a restart; one that was away
// catches up; and a key is never readable anywhere but in the calls to its provider.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { runCommandHere } from '../support/command-here.ts'
import { readMetrics, readTables } from '../support/stored-data.ts'

const KEY = SANDBOX_KEYS.mojeek
const METRICS_TOKEN = 'metrics-token-of-the-test'

let cluster: Cluster
let key: string

beforeAll(async () => {
  cluster = await startCluster({
    settings: {
      INSTANCE_SECRET: 'the secret of three nodes, long enough',
      // Left to the database. Without a key, engine_b has no engine.
      MOJEEK_API_KEY: '',
      LOG_LEVEL: 'debug',
      METRICS_TOKEN,
    },
  })
  key = await cluster.createKey(UNLIMITED)
})
afterAll(() => cluster?.close())

let query = 0

const search = async (turn: number, text = `lamps ${++query}`) =>
  await cluster.node(turn).api.get(`/api/v1/web/?q=${encodeURIComponent(text)}&include=explain`, { key })

const engineStatus = async (turn: number, text?: string) =>
  (await search(turn, text)).headers.get('engine-status') ?? ''

async function set(name: string, value: string, settings: Record<string, string> = {}): Promise<void> {
  const { code, stderr } = await runCommandHere(
    ['config', 'set', name],
    { ...cluster.settings, ...settings },
    `${value}\n`,
  )
  expect(code, stderr).toBe(0)
}

async function untilAll(isFulfilled: (turn: number) => Promise<boolean>): Promise<void> {
  for (const turn of [0, 1, 2]) await expect.poll(() => isFulfilled(turn), { timeout: 60_000 }).toBe(true)
}

const saying = (text: string) => async (turn: number) => (await engineStatus(turn)).includes(text)

describe('a change of settings', () => {
  it('a key, a slot, a weight and a cap are in force on every node, also for what was cached', async () => {
    expect(await engineStatus(0)).not.toContain('engine_b')
    for (const turn of [0, 1, 2]) await search(turn, 'cached')
    await set('MOJEEK_API_KEY', KEY)
    await untilAll(saying('engine_b;ok'))
    await set('ENGINE_D', 'wikipedia')
    await untilAll(saying('engine_d;ok'))
    for (const turn of [0, 1, 2]) expect(await engineStatus(turn, 'cached')).toMatch(/engine_b;.*engine_d;/)
    await set('ENGINE_B_WEIGHT', '7.5')
    await untilAll(async (turn) => /"weight":7\.5\b/.test(JSON.stringify((await search(turn, 'cached')).json)))
    await set('MOJEEK_MONTHLY_CALLS', '0')
    await untilAll(saying('engine_b;budget'))
  })

  it('reaches every node without a message, and a node that was away', async () => {
    await set('ENGINE_F', 'stackexchange', { REDIS_URL: '' })
    await untilAll(saying('engine_f'))
    await cluster.node(2).stop()
    await cluster.command(['config', 'unset', 'ENGINE_F'])
    await cluster.replaceNode(2)
    expect(await engineStatus(2)).not.toContain('engine_f')
    await untilAll(async (turn) => !(await engineStatus(turn)).includes('engine_f'))
  })

  it('is in the security events once, whatever the number of nodes', async () => {
    const { stdout } = await runCommandHere(['audit', '--event', 'settings-changed', '--json'], cluster.settings)
    const { events }: { events: { detail: string }[] } = JSON.parse(stdout)
    expect(events.map(({ detail }) => detail).toReversed()).toEqual([
      'MOJEEK_API_KEY',
      'ENGINE_D',
      'ENGINE_B_WEIGHT',
      'MOJEEK_MONTHLY_CALLS',
      'ENGINE_F',
      'ENGINE_F',
    ])
  })
})

it('a stored key is in no log, metric, table or backup, and bowerbird config tells where it comes from', async () => {
  const backup = join(inject('temporaryFolder'), `settings-${Date.now()}.backup`)
  expect((await runCommandHere(['backup', '--with-secret', backup], cluster.settings)).code).toBe(0)
  const config = await runCommandHere(['config'], cluster.settings)
  expect(config.stdout).toMatch(/^ {2}MOJEEK_API_KEY +set \(database\)$/m)
  expect(config.stdout).toMatch(/^ {2}ENGINE_B_WEIGHT +7\.5 \(database\)$/m)
  const tables = (await readTables(cluster.databaseUrl)).flat().join('\n')
  expect(tables).toContain('MOJEEK_API_KEY')
  const log = cluster.nodes.map((node) => node.logged()).join('')
  expect(log).toContain('settings changed')
  const places = {
    log,
    metrics: await readMetrics(cluster.node(0).url, METRICS_TOKEN),
    config: config.stdout + config.stderr,
    tables,
    backup: gunzipSync(await readFile(backup)).toString(),
  }
  for (const [place, text] of Object.entries(places)) expect(text.includes(KEY), place).toBe(false)
})
