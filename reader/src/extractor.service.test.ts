// The processes that extract pages: what they may do, and what hostile documents can't. The nightly tests have sixty of
// those; here are a few that end soon.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childrenOf } from '../../server/test/support/process-usage.ts'
import type { FetchedPage } from './extract-page.ts'
import { extractProcessArguments } from './extract-process-arguments.ts'
import { createExtractor } from './extractor.ts'
import { HOSTILE_DOCUMENTS, type HostileDocument } from './hostile-documents.test-rules.ts'

const toPage = (document: HostileDocument): FetchedPage => ({
  ...document,
  address: 'https://hostile.example/',
  format: 'text',
})

function makeHostilePage(name: string): FetchedPage {
  const make = HOSTILE_DOCUMENTS.get(name)
  if (!make) throw new Error(`There is no recipe for ${name}.`)
  return toPage(make())
}

const PAGE = toPage({ contentType: 'text/plain', bytes: Buffer.from('Low tide is at noon.') })
const TOO_COMPLEX = { ok: false, reason: 'too_complex' }

describe('a hostile document', () => {
  // They have the time to be read to their ends, unless a limit is reached before.
  const { extract, close } = createExtractor({ processes: 1, timeoutMs: 60_000 })
  afterAll(close)

  it.each([
    'a million arrays in one another',
    'a page tree in a circle',
    'a hundred thousand elements inside one another',
    'fifty thousand rows',
    'a table of a hundred thousand columns',
  ])('%s: ends with a reason, and the next page is read', async (name) => {
    expect(await extract(makeHostilePage(name))).toEqual(TOO_COMPLEX)
    expect(await extract(PAGE)).toMatchObject({ ok: true })
  })

  it('takes no more memory than it may', async () => {
    // Without a limit it would turn out to be empty.
    expect(await extract(makeHostilePage('a content stream of 100 MB of spaces'))).toEqual(TOO_COMPLEX)
  })
})

describe('the processes', () => {
  it('may read their own code, and nothing else may be read, run or connected to', async () => {
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
      }
      const outcomes = Object.entries(attempts).map(async ([name, attempt]) => [name, await outcome(attempt)])
      console.log(JSON.stringify(Object.fromEntries(await Promise.all(outcomes))))`
    const flags = [...extractProcessArguments().slice(0, -1), '--input-type=module', '--eval', attempts]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { env: {} })
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
    })
  })

  it('give up a page that takes too long, with hardly any of our own time, and read the next one', async () => {
    const { extract, close } = createExtractor({ processes: 1, timeoutMs: 600 })
    const hostilePage = makeHostilePage('six thousand rows')
    const before = process.threadCpuUsage()
    const [slow, next] = [extract(hostilePage), extract(PAGE)]
    expect(await slow).toEqual(TOO_COMPLEX)
    expect(await next).toMatchObject({ ok: true, page: { content: 'Low tide is at noon.' } })
    const { user, system } = process.threadCpuUsage(before)
    // Reading it here would take more than the 600 ms.
    expect((user + system) / 1_000).toBeLessThan(300)
    await close()
  })

  it('start with the first page, end when idle, and start again', async () => {
    const before = childrenOf(process.pid).length
    const countStarted = () => childrenOf(process.pid).length - before
    const { extract, close } = createExtractor({ processes: 1, idleMs: 1 })
    expect(countStarted()).toBe(0)
    const reading = extract(PAGE)
    expect(countStarted()).toBe(1)
    expect(await reading).toMatchObject({ ok: true })
    while (countStarted() > 0) await setTimeout(20)
    expect(await extract(PAGE)).toMatchObject({ ok: true })
    await close()
  })
})

describe('a process', () => {
  const { extract, close } = createExtractor({ processes: 1 })
  let pid = 0
  beforeAll(async () => {
    const before = new Set(childrenOf(process.pid))
    await extract(PAGE)
    pid = childrenOf(process.pid).find((child) => !before.has(child)) ?? 0
  })
  afterAll(close)

  it('gets nothing of our environment, which has secrets', () => {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('')
  })

  it('has 32 pages waiting, and more are refused', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => extract(PAGE)))
    // The first is being read.
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(33)
    expect(outcomes.at(-1)).toEqual({ ok: false, reason: 'busy' })
  })

  it('ignores the signals that stop the service, so that a page is finished', async () => {
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
    expect(await extract(PAGE)).toMatchObject({ ok: true })
    expect(childrenOf(process.pid)).toContain(pid)
  })

  it('is gone once the extractor is closed, and its page is not taken for a hostile one', async () => {
    const reading = extract(PAGE)
    await close()
    expect(await reading).toEqual({ ok: false, reason: 'busy' })
    expect(childrenOf(process.pid)).not.toContain(pid)
  })
})
