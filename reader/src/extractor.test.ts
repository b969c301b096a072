// Pages made to keep a parser busy for minutes, or to fill its memory. Each ends with a reason, and the process isn't
// slowed down meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FetchedPage } from './extract-page.ts'
import { createExtractor, type Extractor } from './extractor.ts'

const html = (body: string): FetchedPage => ({
  bytes: Buffer.from(`<!doctype html><html><head><title>A page</title></head><body>${body}</body></html>`),
  contentType: 'text/html; charset=utf-8',
  address: 'https://hostile.example/',
  format: 'text',
})

const LONG = 'The tide tables of the harbour were printed again this year. '.repeat(20)
const GOOD = html(`<article><h1>Tides</h1><p>${LONG}</p></article>`)
/** Within all limits, but takes seconds. */
const SLOW = html(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(6_500)}</table>`)
const SHORT = { ...GOOD, bytes: Buffer.from('Low tide is at noon.'), contentType: 'text/plain' }

const HOSTILE: Record<string, string> = {
  'a hundred thousand elements inside one another': '<div>'.repeat(100_000),
  'inline elements that are never closed': '<p><b><i><u><a href="/x">'.repeat(5_000),
  'two thousand tables inside one another': '<table><tr><td>'.repeat(2_000),
  'five thousand lists inside one another': '<ul><li>'.repeat(5_000),
  'fifty thousand rows': `<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(50_000)}</table>`,
  'a hundred thousand links': '<a href="/x">x</a> '.repeat(100_000),
}

describe('a hostile page', () => {
  const LONGEST_MS = 4_000
  const pages = Object.entries(HOSTILE).map(([what, body]) => ({ what, page: html(body) }))
  let extractor: Extractor
  const beside = monitorEventLoopDelay({ resolution: 1 })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let memoryBefore = 0
  let cpuBefore: NodeJS.CpuUsage
  beforeAll(async () => {
    extractor = createExtractor({ threads: 1 })
    await extractor.extract(GOOD)
    // Measures the event loop of this process beside a thread that only spins.
    const counting = new Worker('for (;;);', { eval: true })
    await setTimeout(200)
    beside.enable()
    await setTimeout(1_500)
    beside.disable()
    await counting.terminate()
    memoryBefore = process.memoryUsage().rss
    cpuBefore = process.threadCpuUsage()
    delay.enable()
  })
  afterAll(() => extractor.close())

  it.each(pages)('$what: refused as too complex within four seconds', async ({ page }) => {
    const started = performance.now()
    expect(await extractor.extract(page)).toEqual({ ok: false, reason: 'too_complex' })
    expect(performance.now() - started).toBeLessThan(LONGEST_MS)
  })

  it('leaves the event loop and the memory of the process alone', () => {
    delay.disable()
    const p99 = delay.percentile(99) / 1e6
    const p99Beside = beside.percentile(99) / 1e6
    const grownMb = (process.memoryUsage().rss - memoryBefore) / 1e6
    const { user, system } = process.threadCpuUsage(cpuBefore)
    const cpuMs = (user + system) / 1_000 / pages.length
    process.stdout.write(`hostile pages: ${JSON.stringify({ p99, p99Beside, grownMb, cpuMs })}\n`)
    // Only this thread's own work could block the loop; CPU time doesn't depend on the machine's load.
    expect(cpuMs).toBeLessThan(20)
    // On an idle machine; on a busy one, the loop is late beside any thread.
    expect(p99).toBeLessThan(Math.max(20, 8 * p99Beside))
    expect(grownMb).toBeLessThan(50)
  })

  it('a large page is moved to its thread, not copied', async () => {
    const large = html(`<p>${LONG}</p>${' '.repeat(400_000)}`)
    expect((await extractor.extract(large)).ok).toBe(true)
    expect(large.bytes.byteLength).toBe(0)
    const small = html(`<p>${LONG}</p>`)
    expect((await extractor.extract(small)).ok).toBe(true)
    expect(small.bytes.byteLength).toBeGreaterThan(0)
  })
})

describe('the threads', () => {
  let extractor: Extractor | undefined
  afterEach(() => extractor?.close())

  it('give up a page that takes too long, and read the next one', async () => {
    extractor = createExtractor({ threads: 1, timeoutMs: 600 })
    const [slow, short] = [extractor.extract(SLOW), extractor.extract(SHORT)]
    expect(await slow).toEqual({ ok: false, reason: 'too_complex' })
    expect(await short).toMatchObject({ ok: true, page: { content: 'Low tide is at noon.' } })
  })

  it('end when idle, and start again for the next page', async () => {
    extractor = createExtractor({ idleMs: 1 })
    expect((await extractor.extract(GOOD)).ok).toBe(true)
    await setTimeout(50)
    expect((await extractor.extract(GOOD)).ok).toBe(true)
  })

  it('refuse more pages than can wait', async () => {
    const one = createExtractor({ threads: 1 })
    extractor = one
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => one.extract(GOOD)))
    const refused = outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'busy')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(60)
  })
})
