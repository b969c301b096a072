// 10,000 searches over three nodes that share PostgreSQL and Redis, by two signed-in people, keys, and visitors of a public
// site. Only the people and the key with the scope ever get anything of the private engine, whichever node and interface
// answers, and nothing of it is stored.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { walkMine } from '../support/mine-walk.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { placesOf, readMetrics, readRedis, readTables, recordRedis } from '../support/stored-data.ts'

const PASSWORD = 'correct horse battery'
const METRICS_TOKEN = 'metrics-token-of-the-test'
const TOTAL = 10_000
const CANARY = 'qx7canary'

let cluster: Cluster
let service: PrivateService
let keys: Record<'mine' | 'plain', string>

beforeAll(async () => {
  service = await startPrivateService(CANARY)
  cluster = await startCluster({
    settings: {
      ...service.settings,
      SITE_ACCESS: 'public',
      SITE_SUGGESTIONS: 'all',
      METRICS_TOKEN,
      LOG_LEVEL: 'trace',
      API_THROTTLE_BURST: UNLIMITED.burst,
      API_THROTTLE_SUSTAINED: UNLIMITED.sustained,
    },
  })
  await cluster.command(['user', 'create', 'linus', '--password-stdin'], { input: `${PASSWORD}\n` })
  const keyOf = async (scopes: string) =>
    (await cluster.command(['key', 'create', 'ada', '--scopes', scopes]))['key'] ?? ''
  keys = { mine: await keyOf('search,mine'), plain: await keyOf('search') }
})
afterAll(async () => {
  await cluster?.close()
  await service?.close()
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

it('nobody without the right finds anything in 10,000 searches, and nothing of it is stored anywhere', async () => {
  const watched = await recordRedis(cluster.redis.url)
  const { wrong, seen } = await walkMine({
    urls: urls(),
    people: [
      { name: 'visitor', finds: [], browsers: urls().map((url) => openFormBrowser(url)) },
      { name: 'ada', finds: [CANARY], browsers: await signIn('ada') },
      { name: 'linus', finds: [CANARY], browsers: await signIn('linus') },
    ],
    keys: [
      { name: 'without scope', finds: [], key: keys.plain },
      { name: 'with the scope', finds: [CANARY], key: keys.mine },
    ],
    total: TOTAL,
  })
  expect(wrong).toEqual([])
  expect(seen.none).toBe(0)
  expect(Math.min(seen.may, seen.must)).toBeGreaterThan(TOTAL / 200)
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
  for (const text of [CANARY, service.token]) expect([text, placesOf(stored, text)]).toEqual([text, []])
}, 600_000)
