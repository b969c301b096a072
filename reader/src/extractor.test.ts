// The processes that extract pages: what they may do, and what hostile documents can't. The nightly tests have sixty of
// those; here are ten.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { childrenOf, residentMegabytesOf } from '../../server/test/support/process-usage.ts'
import type { FetchedPage } from './extract-page.ts'
import { extractProcessArguments } from './extract-process-arguments.ts'
import { createExtractor, type Extractor } from './extractor.ts'
import { HOSTILE_PAGES, HOSTILE_PDFS, HOSTILE_TEXTS, type HostileDocument } from './hostile-documents.test-table.ts'

const pageOf = ({ contentType, bytes }: HostileDocument): FetchedPage => ({
  bytes,
  contentType,
  address: 'https://hostile.example/',
  format: 'text',
})

const SHORT = pageOf({ contentType: 'text/plain', bytes: Buffer.from('Low tide is at noon.') })
const LONG = 'The tide tables of the harbour were printed again this year. '.repeat(20)
const GOOD = pageOf({ contentType: 'text/html', bytes: Buffer.from(`<article><h1>Tides</h1><p>${LONG}</p></article>`) })

let extractor: Extractor | undefined

describe('a hostile document', () => {
  const documents = [
    ...Object.entries(HOSTILE_PDFS).filter(([what]) => /100 MB of spaces|range of 24 bits|arrays in one/.test(what)),
    ...Object.entries(HOSTILE_PAGES).slice(0, 6),
    ...Object.entries(HOSTILE_TEXTS).filter(([what]) => /hundred thousand columns/.test(what)),
  ]
  let sampling: NodeJS.Timeout
  let mostMegabytes = 0
  beforeAll(async () => {
    extractor = createExtractor({ processes: 1 })
    await extractor.extract(GOOD)
    sampling = setInterval(() => {
      mostMegabytes = Math.max(mostMegabytes, ...childrenOf(process.pid).map(residentMegabytes))
    }, 20)
  })
  afterAll(async () => {
    clearInterval(sampling)
    await extractor?.close()
  })

  it.each(documents)('%s: ends with a reason, and the next page is read', async (_what, generate) => {
    expect(await extractor?.extract(pageOf(generate()))).toEqual({ ok: false, reason: 'too_complex' })
    expect(await extractor?.extract(SHORT)).toMatchObject({ ok: true })
  })

  it('takes no more memory than it may', () => {
    process.stdout.write(`${documents.length} hostile documents: ${mostMegabytes.toFixed()} MB\n`)
    expect(documents).toHaveLength(10)
    expect(mostMegabytes).toBeGreaterThan(50)
    // The limit is 150 MB, held every 25 ms if the machine isn't busy; `nightly/hostile-documents.test.ts` measures it. Without
    // a limit, one of these took 620.
    expect(mostMegabytes).toBeLessThan(300)
  })

  it('takes hardly any of our own time', async () => {
    clearInterval(sampling)
    const document = HOSTILE_PDFS['a range of 24 bits']?.()
    const before = process.threadCpuUsage()
    expect(document && (await extractor?.extract(pageOf(document)))).toEqual({ ok: false, reason: 'too_complex' })
    const { user, system } = process.threadCpuUsage(before)
    // It keeps its process busy for a second or more. CPU time doesn't depend on the machine's load.
    expect((user + system) / 1_000).toBeLessThan(200)
  })
})

/** 0 if the process has just ended. */
function residentMegabytes(pid: number): number {
  try {
    return residentMegabytesOf(pid) || 0
  } catch {
    // There is no such process any more.
    return 0
  }
}

describe('the processes', () => {
  afterEach(() => extractor?.close())

  it('may read their own code, and nothing else may be read, run or connected to', async () => {
    process.env['A_SECRET'] = 'secret'
    const attempts = `
      import { spawn } from 'node:child_process'
      import { readFileSync, writeFileSync } from 'node:fs'
      import { connect } from 'node:net'
      import { Worker } from 'node:worker_threads'
      const outcome = async (attempt) => {
        try { return await attempt() ?? 'done' } catch ({ code, name }) { return code ?? name }
      }
      const attempts = {
        ownCode: () => readFileSync(${JSON.stringify(resolve(import.meta.dirname, 'blocks.ts'))}) && 'done',
        otherFile: () => readFileSync(${JSON.stringify(resolve(import.meta.dirname, '../../package.json'))}),
        systemFile: () => readFileSync('/etc/passwd'),
        write: () => writeFileSync('/tmp/written', ''),
        network: () => new Promise((connected, failed) => connect(9, '127.0.0.1', connected).on('error', failed)),
        process: () => spawn('true'),
        thread: () => new Worker('', { eval: true }),
        code: () => new Function(''),
        environment: () => Object.keys(process.env).length,
      }
      const outcomes = Object.entries(attempts).map(async ([name, attempt]) => [name, await outcome(attempt)])
      console.log(JSON.stringify(Object.fromEntries(await Promise.all(outcomes))))`
    const flags = extractProcessArguments().slice(0, -1)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, '--input-type=module', '--eval', attempts],
      { env: {} },
    )
    expect(JSON.parse(stdout)).toEqual({
      ownCode: 'done',
      otherFile: 'ERR_ACCESS_DENIED',
      systemFile: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      // Node 24 has no permission for it; nothing listens there.
      network: process.versions.node.startsWith('24.') ? 'ECONNREFUSED' : 'ERR_ACCESS_DENIED',
      process: 'ERR_ACCESS_DENIED',
      thread: 'ERR_ACCESS_DENIED',
      code: 'EvalError',
      environment: 0,
    })
  })

  it('give up a page that takes too long, and read the next one', async () => {
    const slow = HOSTILE_PAGES['six thousand rows']
    extractor = createExtractor({ processes: 1, timeoutMs: 600 })
    const [first, second] = [slow && extractor.extract(pageOf(slow())), extractor.extract(SHORT)]
    expect(await first).toEqual({ ok: false, reason: 'too_complex' })
    expect(await second).toMatchObject({ ok: true, page: { content: 'Low tide is at noon.' } })
  })

  it('start with the first page, end when idle, and start again', async () => {
    const before = childrenOf(process.pid).length
    const started = () => childrenOf(process.pid).length - before
    extractor = createExtractor({ processes: 1, idleMs: 1 })
    expect(started()).toBe(0)
    const reading = extractor.extract(GOOD)
    expect(started()).toBe(1)
    expect((await reading).ok).toBe(true)
    while (started() > 0) await setTimeout(20)
    expect((await extractor.extract(GOOD)).ok).toBe(true)
  })

  it('ignore the signals that stop the service, so that a page is finished', async () => {
    const before = new Set(childrenOf(process.pid))
    extractor = createExtractor({ processes: 1 })
    await extractor.extract(SHORT)
    const [pid = 0] = childrenOf(process.pid).filter((child) => !before.has(child))
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
    expect((await extractor.extract(GOOD)).ok).toBe(true)
    expect(childrenOf(process.pid)).toContain(pid)
  })

  it('are gone once the extractor is closed, and a page under way is not taken for a hostile one', async () => {
    const before = childrenOf(process.pid).length
    extractor = createExtractor({ processes: 1 })
    await extractor.extract(SHORT)
    const reading = extractor.extract(GOOD)
    await extractor.close()
    expect(await reading).toEqual({ ok: false, reason: 'busy' })
    expect(childrenOf(process.pid)).toHaveLength(before)
  })

  it('refuse more pages than can wait', async () => {
    const one = createExtractor({ processes: 1 })
    extractor = one
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => one.extract(GOOD)))
    const refused = outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'busy')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(60)
  })
})
