// An administrator changes settings while three nodes run. Every node must work with them within a second, without a
// restart; one that was away catches up; and a key is never readable anywhere but in the calls to its provider.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { bowerbird, type CommandResult } from '../support/server-process.ts'

/** The message itself takes some milliseconds; without it, nodes look every three seconds. */
const BY_MESSAGE_MS = 2_500
/** Three seconds, plus a margin for a busy machine. */
const WITHOUT_MESSAGE_MS = 20_000
const KEY = SANDBOX_KEYS.mojeek

let cluster: Cluster
let key: string

beforeAll(async () => {
  cluster = await startCluster({
    settings: {
      INSTANCE_SECRET: 'the secret of three nodes, long enough',
      // Left to the database. Without a key, engine_b has no engine.
      MOJEEK_API_KEY: '',
      LOG_LEVEL: 'debug',
      METRICS_TOKEN: 'metrics',
    },
  })
  key = await cluster.createKey(UNLIMITED)
})
afterAll(() => cluster?.close())

let query = 0

const search = async (turn: number, text = `lamps ${++query}`) =>
  await cluster.node(turn).api.get(`/api/v1/web/?q=${encodeURIComponent(text)}&include=explain`, { key })

const set = (name: string, value: string, settings: Record<string, string> = {}) =>
  bowerbird(['config', 'set', name], { ...cluster.settings, ...settings }, `${value}\n`)

/** Polls all three; returns how long after the command said that it is done the last one fulfilled the condition. */
async function msUntilAll(isFulfilled: (turn: number) => Promise<boolean>, command: () => Promise<CommandResult>) {
  const { code, stderr, lingeredMs } = await command()
  expect(code, stderr).toBe(0)
  const saidAt = performance.now() - lingeredMs
  const waits = [0, 1, 2].map(async (turn) => {
    while (!(await isFulfilled(turn))) {
      if (performance.now() - saidAt > 30_000) return Number.POSITIVE_INFINITY
      await sleep(25)
    }
    return performance.now() - saidAt
  })
  return Math.max(...(await Promise.all(waits)))
}

const engineStatus = async (turn: number, text?: string) =>
  (await search(turn, text)).headers.get('engine-status') ?? ''

describe('a change of settings', () => {
  it('a key, a slot and a weight are in force on every node, also for what was cached', async () => {
    expect(await engineStatus(0)).not.toContain('engine_b')
    await Promise.all([0, 1, 2].map(async (turn) => [await search(turn, 'cached'), await search(turn, 'cached')]))
    const says = (text: string) => async (turn: number) => (await engineStatus(turn)).includes(text)
    expect(await msUntilAll(says('engine_b;ok'), () => set('MOJEEK_API_KEY', KEY))).toBeLessThan(BY_MESSAGE_MS)
    expect(await msUntilAll(says('engine_d;ok'), () => set('ENGINE_D', 'wikipedia'))).toBeLessThan(BY_MESSAGE_MS)
    for (const turn of [0, 1, 2]) expect(await engineStatus(turn, 'cached')).toMatch(/engine_b;.*engine_d;/)
    const weightsAt = async (turn: number) => JSON.stringify((await search(turn, 'cached')).json)
    await Promise.all([0, 1, 2].map((turn) => weightsAt(turn)))
    const weigh = () => set('ENGINE_B_WEIGHT', '7.5')
    const isWeighed = async (turn: number) => /"weight":7\.5\b/.test(await weightsAt(turn))
    expect(await msUntilAll(isWeighed, weigh)).toBeLessThan(BY_MESSAGE_MS)
  })

  it('a cap is in force on every node, and its removal too', async () => {
    const isCapped = async (turn: number) => (await engineStatus(turn)).includes('engine_b;budget')
    expect(await msUntilAll(isCapped, () => set('MOJEEK_MONTHLY_CALLS', '0'))).toBeLessThan(BY_MESSAGE_MS)
    const isFree = async (turn: number) => (await engineStatus(turn)).includes('engine_b;ok')
    const unset = () => bowerbird(['config', 'unset', 'MOJEEK_MONTHLY_CALLS'], cluster.settings)
    expect(await msUntilAll(isFree, unset)).toBeLessThan(BY_MESSAGE_MS)
  })

  it('reaches every node without a message, and a node that was away', async () => {
    const withoutRedis = () => set('ENGINE_F', 'stackexchange', { REDIS_URL: '' })
    const isBound = async (turn: number) => (await engineStatus(turn)).includes('engine_f')
    expect(await msUntilAll(isBound, withoutRedis)).toBeLessThan(WITHOUT_MESSAGE_MS)
    await cluster.node(2).stop()
    await cluster.command(['config', 'unset', 'ENGINE_F'])
    await cluster.replaceNode(2)
    for (const turn of [0, 1, 2]) expect(await engineStatus(turn)).not.toContain('engine_f')
  })

  it('that is a mistake changes nothing', async () => {
    const { code, stderr } = await bowerbird(['config', 'set', 'ENGINE_C', 'lanternfish'], {
      ...cluster.settings,
      ENGINE_C: '',
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining('ENGINE_C names an unknown engine.')])
  })

  it('is in the security events once, whatever the number of nodes', async () => {
    const { stdout } = await bowerbird(['audit', '--event', 'settings-changed', '--json'], cluster.settings)
    const { events }: { events: { detail: string; system_user: string }[] } = JSON.parse(stdout)
    expect(events.map(({ detail }) => detail).toReversed()).toEqual([
      'MOJEEK_API_KEY',
      'ENGINE_D',
      'ENGINE_B_WEIGHT',
      'MOJEEK_MONTHLY_CALLS',
      'MOJEEK_MONTHLY_CALLS',
      'ENGINE_F',
      'ENGINE_F',
    ])
  })
})

it('a stored key is in no log, page, metric, table or backup, and bowerbird config tells where it comes from', async () => {
  const backup = join(inject('temporaryFolder'), `settings-${Date.now()}.backup`)
  const made = await bowerbird(['backup', '--with-secret', backup], cluster.settings)
  expect(made.code).toBe(0)
  const client = new pg.Client(cluster.databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ row: string }>('select s::text as row from settings s')
  await client.end()
  const config = await bowerbird(['config'], cluster.settings)
  expect(config.stdout).toMatch(/^ {2}MOJEEK_API_KEY +set \(database\)$/m)
  expect(config.stdout).toMatch(/^ {2}ENGINE_B_WEIGHT +7\.5 \(database\)$/m)
  const { url, logged } = cluster.node(0)
  const metrics = await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer metrics' } })
  expect(metrics.status).toBe(200)
  const texts = {
    log: cluster.nodes.map((node) => node.logged()).join(''),
    metrics: await metrics.text(),
    config: config.stdout + config.stderr,
    table: rows.map(({ row }) => row).join(),
    backup: gunzipSync(await readFile(backup)).toString(),
  }
  expect(logged()).toContain('settings changed')
  expect(texts.table).toContain('MOJEEK_API_KEY')
  for (const [place, text] of Object.entries(texts)) expect(text.includes(KEY), place).toBe(false)
})
