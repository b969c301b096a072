// Different searches leave no more behind than the cache may hold. By default there are fewer than the 100,000 of which
// the documents speak; `MEMORY_QUERIES=100000` takes seven minutes.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { LoadOrder, LoadResult } from '../../../bench/load.ts'
import { WITHOUT_PACE } from '../spec/without-upstream-rate-limit.ts'
import { startCluster, UNLIMITED } from '../support/cluster.ts'
import { residentMegabytesOf } from '../support/process-usage.ts'

const QUERIES = Number(process.env['MEMORY_QUERIES'] ?? 20_000)
/** Until the cache is full, and the heap as large as it makes it. */
const WARM_UP = 15_000
const MOST_GROWTH_MB = 64

it('resident memory grows no further over unique queries after warm-up', async () => {
  const cluster = await startCluster({ nodes: 1, settings: { ...WITHOUT_PACE, LOG_LEVEL: 'warn' } })
  const load = fork(resolve(import.meta.dirname, '../../../bench/load.ts'))
  try {
    const key = await cluster.createKey(UNLIMITED)
    const { url, process: server } = cluster.node(0)
    const search = async (from: number, count: number): Promise<LoadResult> => {
      const order: LoadOrder = {
        port: Number(new URL(url).port),
        paths: Array.from({ length: count }, (_, index) => `/api/v1/web/?q=unique+${from + index}`),
        headers: { authorization: `Api-Key ${key}` },
        connections: 16,
        requests: count,
      }
      load.send(order)
      const [result] = (await once(load, 'message')) as [LoadResult]
      return result
    }
    await search(0, WARM_UP)
    const before = residentMegabytesOf(server.pid)
    const { requests, errors } = await search(WARM_UP, QUERIES)
    expect([requests, errors]).toEqual([QUERIES, 0])
    expect(residentMegabytesOf(server.pid) - before).toBeLessThanOrEqual(MOST_GROWTH_MB)
  } finally {
    load.disconnect()
    await cluster.close()
  }
}, 1_500_000)
