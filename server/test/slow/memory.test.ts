// 100,000 different searches leave no more behind than the cache may hold.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { LoadOrder, LoadResult } from '../../../bench/load.ts'
import { WITHOUT_PACE } from '../spec/without-upstream-rate-limit.ts'
import { startCluster, UNLIMITED } from '../support/cluster.ts'

const QUERIES = 100_000
const WARM_UP = 10_000
const MOST_GROWTH_MB = 64

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

it('resident memory grows by at most 64 MB over 100,000 unique queries after warm-up', async () => {
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
    const before = residentMegabytes(server.pid ?? 0)
    const { requests, errors } = await search(WARM_UP, QUERIES)
    expect([requests, errors]).toEqual([QUERIES, 0])
    expect(residentMegabytes(server.pid ?? 0) - before).toBeLessThanOrEqual(MOST_GROWTH_MB)
  } finally {
    load.disconnect()
    await cluster.close()
  }
}, 600_000)
