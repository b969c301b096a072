// Paid calls are made once, by a node for all its searches, and another node finds the response in Redis.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'

const ENGINES = ['brave', 'mojeek', 'marginalia']
const calls = ({ sandbox }: Cluster): number[] => ENGINES.map((slug) => sandbox.callCount(slug))

/** Creates a key that every node has cached, so that the measured requests don't wait for the lookup. */
async function cachedKey(cluster: Cluster): Promise<string> {
  const key = await cluster.createKey(UNLIMITED)
  await Promise.all(cluster.nodes.map(({ api }) => api.get('/api/v1/key/', { key })))
  return key
}

describe('identical searches', () => {
  let cluster: Cluster
  let key: string
  beforeAll(async () => {
    // Long enough that a slow machine's queue of five hundred doesn't look like a slow engine.
    cluster = await startCluster({ nodes: 2, settings: { SEARCH_TIMEOUT_MS: '20000' } })
    key = await cachedKey(cluster)
  })
  afterAll(() => cluster?.close())

  const search = (query: string, turn: number) => cluster.node(turn).api.get(`/api/v1/web/?q=${query}`, { key })

  it('500 at once make one call per engine, and then the other node makes none', async () => {
    const replies = await Promise.all(Array.from({ length: 500 }, () => search('coalesce', 0)))
    replies.push(await search('coalesce', 1))
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(replies.map(({ headers }) => headers.get('search-status')))).toEqual(new Set(['complete']))
    expect(new Set(replies.map(({ json }) => json.results.length)).size).toBe(1)
    expect(calls(cluster)).toEqual([1, 1, 1])
  })
})
