// 10,000 searches over three nodes that share PostgreSQL and Redis, by two people with a service of their own each, their
// keys, and visitors of a public site. Nobody ever gets anything of the other's, whichever node and interface answers.
// Services outlive a restart of every node, and a backup reveals nothing of them.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { callApi, walkMine } from '../support/mine-walk.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { bowerbird } from '../support/server-process.ts'
import { placesOf, readMetrics, readRedis, readTables, recordRedis } from '../support/stored-data.ts'

const NEW = '/settings/services/new/karakeep'
const PASSWORD = 'correct horse battery'
const METRICS_TOKEN = 'metrics-token-of-the-test'
const TOTAL = 10_000
const CANARIES = { ada: 'qx7adas', linus: 'qx7linus' }

let cluster: Cluster
let services: Record<'ada' | 'linus', PrivateService>
let keys: Record<'ada' | 'linus' | 'plain', string>

beforeAll(async () => {
  services = { ada: await startPrivateService(CANARIES.ada), linus: await startPrivateService(CANARIES.linus) }
  cluster = await startCluster({
    settings: {
      INSTANCE_SECRET: 'the secret of three nodes, long enough',
      MINE_HOSTS: '127.0.0.1',
      SITE_ACCESS: 'public',
      SITE_SUGGESTIONS: 'all',
      METRICS_TOKEN,
      LOG_LEVEL: 'trace',
      API_THROTTLE_BURST: UNLIMITED.burst,
      API_THROTTLE_SUSTAINED: UNLIMITED.sustained,
    },
  })
  await cluster.command(['user', 'create', 'linus', '--password-stdin'], { input: `${PASSWORD}\n` })
  const keyOf = async (username: string, scopes: string) =>
    (await cluster.command(['key', 'create', username, '--scopes', scopes]))['key'] ?? ''
  keys = {
    ada: await keyOf('ada', 'search,mine'),
    linus: await keyOf('linus', 'search,mine'),
    plain: await keyOf('ada', 'search'),
  }
})
afterAll(async () => {
  await cluster?.close()
  await Promise.all(Object.values(services ?? {}).map((service) => service.close()))
})

const urls = () => cluster.nodes.map(({ url }) => url)

/** One browser for each node. */
const signIn = (username: string): Promise<FormBrowser[]> =>
  Promise.all(
    urls().map(async (url) => {
      const browser = openFormBrowser(url)
      await browser.submit('/login', [
        ['username', username],
        ['password', PASSWORD],
      ])
      return browser
    }),
  )

async function walk(total: number): Promise<void> {
  const { wrong, seen } = await walkMine({
    urls: urls(),
    people: [
      { name: 'visitor', finds: [], browsers: urls().map((url) => openFormBrowser(url)) },
      { name: 'ada', finds: [CANARIES.ada], browsers: await signIn('ada') },
      { name: 'linus', finds: [CANARIES.linus], browsers: await signIn('linus') },
    ],
    keys: [
      { name: 'without scope', finds: [], key: keys.plain },
      { name: 'ada’s', finds: [CANARIES.ada], key: keys.ada },
      { name: 'linus’', finds: [CANARIES.linus], key: keys.linus },
    ],
    total,
  })
  expect(wrong).toEqual([])
  expect(seen.none).toBe(0)
  expect(Math.min(seen.may, seen.must)).toBeGreaterThan(total / 200)
}

/** What a search on a node finds with a key. */
const found = async (key: string, turn: number, text: string): Promise<string> => {
  const url = `${cluster.node(turn).url}/api/v1/mine/?q=${encodeURIComponent(text)}`
  const { body } = await callApi(url, { key })
  return Object.values(CANARIES)
    .filter((canary) => body.includes(canary))
    .join(' ')
}

it('nobody finds anything of another in 10,000 searches, and nothing of it is stored anywhere', async () => {
  const watched = await recordRedis(cluster.redis.url)
  for (const name of ['ada', 'linus'] as const) {
    const [browser] = await signIn(name)
    const { url: baseUrl, token: apiKey } = services[name]
    expect((await browser?.fillIn(NEW, NEW, { baseUrl, apiKey }))?.status).toBe(303)
  }
  await walk(TOTAL)
  const stored = new Map([
    ...cluster.nodes.map((node, at) => [`log ${at}`, node.logged()] as const),
    ...(await Promise.all(
      urls().map(async (url, at) => [`metrics ${at}`, await readMetrics(url, METRICS_TOKEN)] as const),
    )),
    ...(await readTables(cluster.databaseUrl)),
    ...(await readRedis(cluster.redis.url)),
    ['Redis commands', watched.sent()] as const,
  ])
  watched.close()
  const hidden = Object.values(services).flatMap(({ url, token }) => [new URL(url).host, token])
  for (const text of [...Object.values(CANARIES), ...hidden]) expect([text, placesOf(stored, text)]).toEqual([text, []])
  const named = [...stored].filter(([, content]) => /karakeep/i.test(content)).map(([place]) => place)
  expect(named).toEqual(['table person_services'])
}, 600_000)

it('every node follows a change at once, and services outlive a restart of all', async () => {
  const [browser] = await signIn('ada')
  const { location } = (await browser?.fillIn(NEW, NEW, {
    baseUrl: services.linus.url,
    apiKey: services.linus.token,
  })) ?? { location: '' }
  const path = location.replace('?done=saved', '')
  const both = Object.values(CANARIES).join(' ')
  for (const turn of [0, 1, 2]) {
    await expect.poll(() => found(keys.ada, turn, `both ${turn}`), { timeout: 4_000 }).toBe(both)
  }
  await browser?.fillIn(path, `${path}/remove`)
  for (const turn of [0, 1, 2]) {
    await expect.poll(() => found(keys.ada, turn, `one ${turn}`), { timeout: 4_000 }).toBe(CANARIES.ada)
  }
  for (const turn of [0, 1, 2]) await cluster.replaceNode(turn, 'SIGTERM')
  await walk(400)
}, 240_000)

it('a backup reveals nothing of them, and a new secret keeps them', async () => {
  const file = join(inject('temporaryFolder'), `services-${randomBytes(4).toString('hex')}.backup`)
  expect((await bowerbird(['backup', file], cluster.settings)).code).toBe(0)
  const backup = new Map([['backup', gunzipSync(await readFile(file)).toString()]])
  expect(placesOf(backup, 'person_services')).toEqual(['backup'])
  for (const { url, token } of Object.values(services)) {
    for (const text of [token, new URL(url).host]) expect(placesOf(backup, text)).toEqual([])
  }
  await Promise.all(cluster.nodes.map((node) => node.stop()))
  const secret = 'another secret of three nodes, long enough'
  const rotated = await bowerbird(['secret', 'rotate', '--stdin'], cluster.settings, `${secret}\n`)
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining('The secret is rotated.')])
  cluster.settings['INSTANCE_SECRET'] = secret
  for (const turn of [0, 1, 2]) await cluster.replaceNode(turn)
  for (const turn of [0, 1, 2]) {
    expect(await found(keys.ada, turn, `after ${turn}`)).toBe(CANARIES.ada)
    expect(await found(keys.linus, turn, `after ${turn}`)).toBe(CANARIES.linus)
  }
}, 240_000)
