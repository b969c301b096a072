// What the tests of the page cache have in common: a provider that counts, and nodes that share one Redis.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { UpstreamError } from '../errors.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisLink } from '../state/redis-link.ts'
import { createSharedPages } from '../state/shared-pages.ts'
import { createDeadline } from '../upstream/deadline.ts'
import type { PageAsk, PageOutcome } from './response-loader.ts'
import { createPageCache, type PageCache } from '../search/page-cache.ts'
import { pageKey } from '../search/page-key.ts'
import { isPageOf, type PageOf } from '../search/page-shape.ts'

export type ImagePage = PageOf['images']
export const log = createLog('silent')

let queries = 0
/** Of a query that no other test asks. */
export const newBase = () => {
  queries += 1
  return pageKey({ tab: 'images', text: `query ${queries} of ${process.pid}`, page: 1, safe: true, lang: '' })
}

export const aPage = (title: string): ImagePage => ({
  hits: [{ title, url: `https://example.org/${title}`, thumbnailUrl: 'https://example.org/small.png' }],
  correction: '',
})

/** A provider whose pages are numbered by its calls. */
export function aProvider(behave: (call: number) => Promise<unknown> = () => Promise.resolve()) {
  const calls: ('search' | 'refresh')[] = []
  return {
    calls,
    ask: (own: Partial<PageAsk<ImagePage>> = {}): PageAsk<ImagePage> => ({
      slug: 'openverse',
      cacheSeconds: 60,
      cacheIn: 'shared',
      isPage: isPageOf.images,
      async fetch(purpose) {
        calls.push(purpose)
        const call = calls.length
        await behave(call)
        return aPage(`call-${call}`)
      },
      ...own,
    }),
  }
}

export const failing = (kind: UpstreamError['kind'] = 'unreachable') => {
  throw new UpstreamError(kind, 'as the test wants it')
}

export const within = createDeadline

/** The title that tells which call a page came of, or the kind of the error. */
export const saying = (outcome: PageOutcome<ImagePage> | undefined): string => {
  if (!outcome) return 'nothing'
  return 'error' in outcome ? outcome.error.kind : (outcome.page.hits[0]?.title ?? 'empty')
}

interface TestNode {
  cache: PageCache
  link: RedisLink
}

async function openNode(url: string, watch: (link: RedisLink) => RedisLink): Promise<TestNode> {
  const link = await openRedis(url, log)
  const shared = createSharedPages(watch(link))
  const cache = createPageCache({ shared, clock: Date.now, maxAgeSeconds: 3_600, random: Math.random, log })
  return { cache, link }
}

/** Nodes on a Redis of the test file's own, closed after each test. */
export function useNodes() {
  let redis: PrivateRedis | undefined
  const open: TestNode[] = []
  const theRedis = (): PrivateRedis => {
    if (!redis) throw new Error('only in a test')
    return redis
  }
  beforeAll(async () => {
    redis = await startPrivateRedis()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ link }) => link.close()))
  })
  afterAll(() => redis?.stop())
  return {
    redis: theRedis,
    nodes: async (count: number, watch = (link: RedisLink): RedisLink => link): Promise<TestNode[]> => {
      const opened = await Promise.all(Array.from({ length: count }, () => openNode(theRedis().url, watch)))
      open.push(...opened)
      return opened
    },
  }
}

/** Every answer of Redis' comes 200 ms late. */
export const slowed = (link: RedisLink): RedisLink => ({
  ...link,
  async evaluate(script, keysAndValues) {
    const reply = await link.evaluate(script, keysAndValues)
    await sleep(200)
    return reply
  },
})
