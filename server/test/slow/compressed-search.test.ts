// Compression costs a cached search next to nothing: the bytes are compressed once and then only sent. Both kinds take
// turns on one node, so that whatever else the machine does weighs on both.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { LoadOrder, LoadResult } from '../../../bench/load.ts'
import { WITHOUT_PACE } from '../spec/without-upstream-rate-limit.ts'
import { startCluster, UNLIMITED } from '../support/cluster.ts'
import { cpuSecondsOf } from '../support/process-usage.ts'

const MOST_CPU = 1.15
const TURNS = 6
const REQUESTS = 3_000
const WARM_UP_REQUESTS = 10_000

it.each(['zstd', 'br', 'gzip'])(
  'a cached search with %s: at most 15 per cent more CPU than without',
  async (encoding) => {
    const cluster = await startCluster({ nodes: 1, settings: { ...WITHOUT_PACE, LOG_LEVEL: 'warn' } })
    const load = fork(resolve(import.meta.dirname, '../../../bench/load.ts'))
    try {
      const key = await cluster.createKey(UNLIMITED)
      const { url, process: server } = cluster.node(0)
      const search = async (headers: Record<string, string>, requests: number): Promise<number> => {
        const before = cpuSecondsOf(server.pid)
        const order: LoadOrder = {
          port: Number(new URL(url).port),
          paths: ['/api/v1/web/?q=climate'],
          headers: { authorization: `Api-Key ${key}`, ...headers },
          connections: 16,
          requests,
        }
        load.send(order)
        const [result] = (await once(load, 'message')) as [LoadResult]
        expect([result.requests, result.errors]).toEqual([requests, 0])
        return cpuSecondsOf(server.pid) - before
      }
      const compressed = { 'accept-encoding': encoding }
      for (const headers of [{}, compressed]) await search(headers, WARM_UP_REQUESTS)
      const spent = { plain: 0, compressed: 0 }
      for (let turn = 0; turn < TURNS; turn += 1) {
        spent.plain += await search({}, REQUESTS)
        spent.compressed += await search(compressed, REQUESTS)
      }
      expect(spent.compressed / spent.plain).toBeLessThanOrEqual(MOST_CPU)
    } finally {
      load.disconnect()
      await cluster.close()
    }
  },
  300_000,
)
