// Compression costs a cached search next to nothing: the bytes are compressed once and then only sent. All encodings
// alternate on one node, so that other load on the machine affects each alike.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { LoadOrder, LoadResult } from '../../../bench/load.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { startCluster, UNLIMITED } from '../support/cluster.ts'
import { cpuSecondsOf } from '../support/process-usage.ts'

const MOST_CPU = 1.15
const TURNS = 6
const REQUESTS = 2_000
const WARM_UP_REQUESTS = 6_000
const ENCODINGS = ['identity', 'zstd', 'br', 'gzip'] as const

it('a compressed cached search costs at most 15 per cent more CPU than an uncompressed one', async () => {
  await using parts = new AsyncDisposableStack()
  const cluster = await startCluster({ nodes: 1, settings: { ...WITHOUT_RATE_LIMIT, LOG_LEVEL: 'warn' } })
  parts.defer(() => cluster.close())
  const load = fork(resolve(import.meta.dirname, '../../../bench/load.ts'))
  parts.defer(() => load.disconnect())
  const key = await cluster.createKey(UNLIMITED)
  const { url, process: server } = cluster.node(0)
  const search = async (encoding: string, requests: number): Promise<number> => {
    const before = cpuSecondsOf(server.pid)
    const order: LoadOrder = {
      port: Number(new URL(url).port),
      paths: ['/api/v1/web/?q=climate'],
      headers: { authorization: `Api-Key ${key}`, 'accept-encoding': encoding },
      connections: 16,
      requests,
    }
    load.send(order)
    const [result] = (await once(load, 'message')) as [LoadResult]
    expect([result.requests, result.errors]).toEqual([requests, 0])
    return cpuSecondsOf(server.pid) - before
  }
  const spent = { identity: 0, zstd: 0, br: 0, gzip: 0 }
  for (const encoding of ENCODINGS) await search(encoding, WARM_UP_REQUESTS)
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const encoding of ENCODINGS) spent[encoding] += await search(encoding, REQUESTS)
  }
  const { identity, ...compressed } = spent
  const ratios = Object.entries(compressed).map(([encoding, seconds]) => ({ encoding, ratio: seconds / identity }))
  expect(ratios.filter(({ ratio }) => ratio > MOST_CPU)).toEqual([])
}, 300_000)
