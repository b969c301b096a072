// Texts that must not be stored anywhere, and an instance that is watched for them: everything it keeps, logs, sends to
// Redis and tells others can be read as text, by place.
import { setTimeout as sleep } from 'node:timers/promises'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import { type Cluster, startCluster } from './cluster.ts'
import { type PageHost, startPageHost } from './page-host.ts'
import { startPrivateRedis } from './private-redis.ts'
import { readMetrics, readRedis, readTables, recordRedis } from './stored-data.ts'

export const QUERY = 'quoll4f9a1c'
export const PAGE_TEXT = 'wombat7d2e8b'
export const PAGE_ADDRESS = 'numbat3c6f0d'
export const PICTURE_ADDRESS = 'potoroo9b5a2e'
export const PAGE_URL = `https://${PAGE_ADDRESS}.example/${PAGE_ADDRESS}`
/** Addresses of clients, as `X-Forwarded-For` has them. */
export const CLIENTS = ['203.0.113.77', '2001:db8:5:6::77'] as const
/** Every form in which a program might write them. */
export const WRITTEN_CLIENTS = ['203.0.113.77', 'cb00714d', '2001:db8:5:6', '20010db800050006', '2001:0db8:0005:0006']

const METRICS_TOKEN = 'metrics-token-of-the-test'
/** Usage and last-used times are written with a delay. */
const WRITTEN_AFTER_MS = 2_500

export interface WatchedCluster extends Cluster {
  pages: PageHost
  /** Everything stored, by place. */
  readStored: () => Promise<Map<string, string>>
}

/** One node with two Redis databases and a log of all levels. Every page it reads has the canaries. */
export async function startWatchedCluster(settings: Record<string, string>): Promise<WatchedCluster> {
  await using starting = new AsyncDisposableStack()
  const pages = await startPageHost({ text: PAGE_TEXT, pictureUrl: `https://${PICTURE_ADDRESS}.example/a.png` })
  starting.defer(() => pages.close())
  const redis = await startPrivateRedis()
  starting.defer(() => redis.remove())
  const cacheUrl = `${redis.url}/1`
  const record = await recordRedis(redis.url)
  starting.defer(() => record.close())
  const cluster = await startCluster({
    nodes: 1,
    redis,
    settings: {
      LOG_LEVEL: 'trace',
      METRICS_TOKEN,
      TRUSTED_PROXIES: '127.0.0.1',
      REDIS_CACHE_URL: cacheUrl,
      READER_PROXY_URL: pages.url,
      ...settings,
    },
  })
  starting.defer(() => cluster.close())
  const parts = starting.move()
  return {
    ...cluster,
    pages,
    async readStored() {
      await sleep(WRITTEN_AFTER_MS)
      const { url, logged, printed } = cluster.node(0)
      const calls = Object.keys(SANDBOX_KEYS).flatMap((slug) => cluster.sandbox.calls(slug))
      return new Map([
        ['log', logged()],
        ['standard output', printed()],
        ['metrics', await readMetrics(url, METRICS_TOKEN)],
        ['headers to others', JSON.stringify([...calls.map(({ headers }) => headers), ...pages.requests])],
        ['Redis commands', record.sent()],
        ...(await readTables(cluster.databaseUrl)),
        ...(await readRedis(redis.url, cacheUrl)),
      ])
    },
    close: () => parts.disposeAsync(),
  }
}
