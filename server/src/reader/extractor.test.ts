// Pages made to keep a parser busy for minutes, or to fill its memory. Each ends with a reason, and the process meanwhile
// goes on as if nothing had happened.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FetchedPage } from './extract/extract-page.ts'
import { createExtractor, type Extractor } from './extractor.ts'

const html = (body: string): FetchedPage => ({
  bytes: Buffer.from(`<!doctype html><html><head><title>A page</title></head><body>${body}</body></html>`),
  contentType: 'text/html; charset=utf-8',
  address: 'https://hostile.example/',
  format: 'text',
})

const LONG = 'The tide tables of the harbour were printed again this year. '.repeat(20)
const GOOD = html(`<article><h1>Tides</h1><p>${LONG}</p></article>`)
/** Within all limits, and a matter of seconds. */
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
  let extractor: Extractor
  const delay = monitorEventLoopDelay({ resolution: 5 })
  let memoryBefore = 0
  beforeAll(async () => {
    extractor = createExtractor({ threads: 1 })
    await extractor.extract(GOOD)
    memoryBefore = process.memoryUsage().rss
    delay.enable()
  })
  afterAll(() => extractor.close())

  it.each(Object.entries(HOSTILE))('%s is too complex', async (_what, body) => {
    expect(await extractor.extract(html(body))).toEqual({ ok: false, reason: 'too_complex' })
  })

  it('leaves the event loop and the memory of the process alone', () => {
    delay.disable()
    // A tree of any of them would take seconds and hundreds of megabytes; the rest is room for a busy machine.
    expect(delay.percentile(99) / 1e6).toBeLessThan(500)
    expect((process.memoryUsage().rss - memoryBefore) / 1e6).toBeLessThan(150)
  })
})

describe('the threads', () => {
  let extractor: Extractor | undefined
  afterEach(() => extractor?.close())

  it('give up what takes too long, and read the next page', async () => {
    extractor = createExtractor({ threads: 1, timeoutMs: 600 })
    const [slow, short] = [extractor.extract(SLOW), extractor.extract(SHORT)]
    expect(await slow).toEqual({ ok: false, reason: 'too_complex' })
    expect(await short).toMatchObject({ ok: true, page: { content: 'Low tide is at noon.' } })
  })

  it('end when there is nothing to do, and start again', async () => {
    extractor = createExtractor({ idleMs: 1 })
    expect((await extractor.extract(GOOD)).ok).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await extractor.extract(GOOD)).ok).toBe(true)
  })

  it('refuse more pages than can wait', async () => {
    const one = createExtractor({ threads: 1 })
    extractor = one
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => one.extract(GOOD)))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(60)
  })
})
