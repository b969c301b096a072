// Engines send endless, tiny, broken and wrong bodies. The server replies 503, and its memory doesn't grow.
import { readFile, writeFile } from 'node:fs/promises'
import type { Fault } from '@bowerbird/sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'

const MOST_GROWTH_BYTES = 20 * 1024 * 1024
const ENGINES = ['brave', 'mojeek', 'marginalia']
const HOSTILE: Fault[] = [
  { kind: 'huge' },
  { kind: 'gzip-bomb' },
  { kind: 'drip' },
  { kind: 'html' },
  { kind: 'cut-off' },
  { kind: 'wrong-shape' },
]

let cluster: Cluster
let key: string
let searches = 0

beforeAll(async () => {
  // Without the cache, every search calls the engines.
  cluster = await startCluster({ nodes: 1, settings: { SEARCH_TIMEOUT_MS: '1500', SEARCH_CACHE_SECONDS: '0' } })
  key = await cluster.createKey(UNLIMITED)
})
afterAll(() => cluster?.close())

const search = () => cluster.node(0).api.get(`/api/v1/web/?q=hostile-${searches++}`, { key })

async function sendEachTwice(): Promise<void> {
  for (const fault of HOSTILE) {
    for (const slug of ENGINES) cluster.sandbox.setFault(slug, fault)
    expect((await Promise.all([search(), search()])).map(({ status }) => status)).toEqual([503, 503])
    cluster.sandbox.reset()
    // Failed engines recover once they have answered.
    const isComplete = async () => (await search()).headers.get('search-status') === 'complete'
    expect(await eventually(isComplete, 30_000)).toBe(true)
  }
}

it('hostile bodies never grow the server by more than 20 MB, not even for a moment', async () => {
  const { pid } = cluster.node(0).process
  for (let i = 0; i < 150; i++) await search()
  // Lets the heap reach its size.
  for (let i = 0; i < 4; i++) await sendEachTwice()

  // Resets the peak memory.
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const before = await memoryOf(pid, 'VmRSS')
  for (let i = 0; i < 3; i++) await sendEachTwice()
  expect((await memoryOf(pid, 'VmHWM')) - before).toBeLessThan(MOST_GROWTH_BYTES)
  expect(cluster.node(0).process.exitCode).toBeNull()
}, 300_000)

async function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}
