// Sixty hostile PDFs and pages, read one after another by two keys. The process that reads them stays within its memory,
// the service stays small and quick, and another key's pages are read meanwhile.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOSTILE_DOCUMENTS } from '../../../reader/src/hostile-documents.test-rules.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { childrenOf, residentMegabytesOf } from '../support/process-usage.ts'
import { recordFigures } from '../support/record-figures.ts'

const DOCUMENTS = [...HOSTILE_DOCUMENTS.values()]
const GOOD = `<article><h1>Tides</h1><p>${'The tide tables were printed again this year. '.repeat(20)}</p></article>`
const SAMPLE_MS = 20

const parts = new AsyncDisposableStack()
let cluster: Cluster
let loopDelayFile: string
beforeAll(async () => {
  // Stands for the web: the address of a page is in its parameter `url`.
  const pages = createServer((request, response) => {
    const { hostname, pathname } = new URL(new URL(request.url ?? '', 'http://proxy').searchParams.get('url') ?? '')
    const document = hostname.startsWith('hostile') ? DOCUMENTS[Number(pathname.slice(1))]?.() : undefined
    if (pathname === '/robots.txt') response.writeHead(404).end()
    else if (document) response.writeHead(200, { 'content-type': document.contentType }).end(document.bytes)
    else response.writeHead(200, { 'content-type': 'text/html' }).end(GOOD)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  parts.defer(() => void pages.close())
  const folder = await mkdtemp(join(tmpdir(), 'bb-hostile-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  loopDelayFile = join(folder, 'loop-delay.json')
  cluster = await startCluster({
    nodes: 1,
    settings: {
      READER_PROXY_URL: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`, // A listening TCP server has a port.
      NODE_OPTIONS: `--import=${new URL('../support/report-loop-delay.ts', import.meta.url).href}`,
      LOOP_DELAY_FILE: loopDelayFile,
    },
  })
  parts.defer(() => cluster.close())
})
afterAll(() => parts.disposeAsync())

async function createReadingKey(): Promise<string> {
  const limits = ['--burst', UNLIMITED.burst, '--sustained', UNLIMITED.sustained]
  return (await cluster.command(['key', 'create', 'ada', '--read', 'any', ...limits]))['key'] ?? ''
}

/** 0 if the process has just ended. */
function megabytesOf(pid: number): number {
  try {
    return residentMegabytesOf(pid) || 0
  } catch {
    // There is no such process any more.
    return 0
  }
}

it('hostile documents stay within their limits, and everyone else is served', async () => {
  const { api, process: service } = cluster.node(0)
  const read = (key: string, url: string) => api.get(`/api/v1/read/?url=${encodeURIComponent(url)}`, { key })
  const [hostile, good] = [await createReadingKey(), await createReadingKey()]
  expect((await read(good, 'https://good.example/')).status).toBe(200)

  let [mostOfReader, mostOfService] = [0, 0]
  const sampling = setInterval(() => {
    const own = megabytesOf(service.pid ?? 0)
    const readers = childrenOf(service.pid).map(megabytesOf)
    mostOfReader = Math.max(mostOfReader, ...readers)
    mostOfService = Math.max(mostOfService, own + readers.reduce((sum, each) => sum + each, 0))
  }, SAMPLE_MS)
  const over = new AbortController()
  const readGoodPages = async () => {
    const statuses: number[] = []
    for (let at = 0; !over.signal.aborted; at += 1)
      statuses.push((await read(good, `https://good.example/${at}`)).status)
    return statuses
  }
  const others = readGoodPages()

  const outcomes: unknown[] = []
  for (let at = 0; at < DOCUMENTS.length; at += 2) {
    const pair = [at, at + 1].filter((each) => each < DOCUMENTS.length)
    const replies = await Promise.all(pair.map((each) => read(hostile, `https://hostile.example/${each}`)))
    outcomes.push(...replies.map(({ status, json }) => (status === 200 ? 'read' : (json.reason ?? status))))
  }
  over.abort()
  const statuses = await others
  clearInterval(sampling)

  const { p99: loopP99 } = JSON.parse(readFileSync(loopDelayFile, 'utf8'))
  recordFigures('hostile documents', { mostOfReader, mostOfService, loopP99, others: statuses.length })
  expect(DOCUMENTS.length).toBeGreaterThanOrEqual(50)
  // A reason of the page's own, or its text; never an error of ours.
  const known = new Set(['read', 'too_complex', 'too_large', 'not_text', 'no_content'])
  expect(outcomes.filter((outcome) => !known.has(String(outcome)))).toEqual([])
  expect(statuses.length).toBeGreaterThan(20)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // The limit is 150 MB, held every 25 ms.
  expect(mostOfReader).toBeLessThan(165)
  expect(mostOfService).toBeLessThan(512)
  expect(loopP99).toBeLessThan(20)
  expect(service.exitCode).toBeNull()
}, 900_000)
