// The processes that extract pages. None is started before the first page is read, and they end after a minute without
// work, so an instance that doesn't read pages pays nothing. A page that exceeds its time or memory ends its own
// process and nothing else.
//
// V8's limit covers only its heap, and a PDF unpacks into memory outside of it. So the whole process is measured while
// it reads a page, where the system has /proc.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { FetchedPage } from './extract-page.ts'
import { extractProcessArguments } from './extract-process-arguments.ts'
import { type PageExtraction, parseExtraction } from './extraction.ts'

/** `busy`: too many pages are waiting, the extractor is closing, or no process could be started. */
export type Extraction = PageExtraction | { ok: false; reason: 'busy' }

export interface Extractor {
  /** Never rejects. */
  extract: (page: FetchedPage) => Promise<Extraction>
  close: () => Promise<void>
}

interface ExtractorOptions {
  processes?: number
  timeoutMs?: number
  idleMs?: number
  /** Called if a process can't be started. */
  onStartFailure?: (error: Error) => void
}

interface Job {
  page: FetchedPage
  settle: (extraction: Extraction) => void
}

/** Two of them would keep both cores of a small machine busy with hostile pages. */
const PROCESSES = availableParallelism() > 2 ? 2 : 1
const TIMEOUT_MS = 3_000
const START_TIMEOUT_MS = 15_000
const IDLE_MS = 60_000
const MAX_WAITING = 32
const MAX_MEMORY_KB = 150_000
/** Memory that a page has left behind isn't always given back, and must not count as the next page's. */
const MAX_MEMORY_BETWEEN_PAGES_KB = 125_000
const MEASURE_EVERY_MS = 25
/** Several times what the longest page needs as JSON. */
const MAX_REPLY_LENGTH = 4_000_000
const BUSY: Extraction = { ok: false, reason: 'busy' }
const TOO_COMPLEX: Extraction = { ok: false, reason: 'too_complex' }

export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const { processes: maxProcesses = PROCESSES, timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS, onStartFailure } = options
  const waiting: Job[] = []
  const processes = new Set<ExtractProcess>()
  let isClosed = false

  const nextJob = (): Job | undefined => waiting.shift()
  const refuseWaiting = () => {
    for (const { settle } of waiting.splice(0)) settle(BUSY)
  }
  function startProcess(): void {
    const started = new ExtractProcess({ nextJob, timeoutMs, idleMs }, (startFailure) => {
      processes.delete(started)
      if (isClosed) return
      if (startFailure) {
        refuseWaiting()
        onStartFailure?.(startFailure)
      } else if (waiting.length > 0) startProcess()
    })
    processes.add(started)
  }

  return {
    extract(page) {
      if (isClosed || waiting.length >= MAX_WAITING) return Promise.resolve(BUSY)
      const { promise, resolve } = Promise.withResolvers<Extraction>()
      waiting.push({ page, settle: resolve })
      const idle = [...processes].find(({ isIdle }) => isIdle)
      if (idle) idle.work()
      else if (processes.size < maxProcesses) startProcess()
      return promise
    },
    async close() {
      isClosed = true
      refuseWaiting()
      await Promise.all([...processes].map((each) => each.end(BUSY)))
    },
  }
}

interface ProcessOptions {
  nextJob: () => Job | undefined
  timeoutMs: number
  idleMs: number
}

class ExtractProcess {
  isIdle = false
  readonly #options: ProcessOptions
  readonly #child: ChildProcess
  readonly #input: Writable
  readonly #onEnd: (startFailure?: Error) => void
  readonly #hasExited = Promise.withResolvers<void>()
  #isReady = false
  #hasEnded = false
  #job: Job | undefined
  #reply = ''
  #limit: NodeJS.Timeout
  #measuring: NodeJS.Timeout | undefined

  constructor(options: ProcessOptions, onEnd: (startFailure?: Error) => void) {
    this.#options = options
    this.#onEnd = onEnd
    // Without our environment, which has secrets. What libraries print could quote a page, so it is ignored.
    const stdio: StdioOptions = ['pipe', 'ignore', 'ignore', 'pipe']
    this.#child = spawn(process.execPath, extractProcessArguments(), { env: {}, stdio })
    // As just asked for.
    const { 0: input, 3: output } = this.#child.stdio as unknown as { 0: Writable; 3: Readable }
    this.#input = input
    this.#limit = setTimeout(() => void this.end(), START_TIMEOUT_MS)
    output.setEncoding('utf8').on('data', (piece: string) => this.#receive(piece))
    // Writing fails if the process dies meanwhile, which `exit` reports.
    input.on('error', () => undefined)
    this.#child.on('error', (error) => {
      this.#hasExited.resolve()
      this.#finish(TOO_COMPLEX, error)
    })
    this.#child.on('exit', () => {
      this.#hasExited.resolve()
      this.#finish(TOO_COMPLEX)
    })
  }

  /** Takes the next job, if there is one. */
  work(): void {
    this.#stopTimers()
    this.#job = this.#options.nextJob()
    this.isIdle = this.#job === undefined
    const limitMs = this.isIdle ? this.#options.idleMs : this.#options.timeoutMs
    this.#limit = setTimeout(() => void this.end(), limitMs)
    if (!this.#job) return
    const { bytes, ...about } = this.#job.page
    this.#send(Buffer.from(JSON.stringify(about)))
    this.#send(bytes)
    this.#measuring = setInterval(() => {
      if (memoryKbOf(this.#child) > MAX_MEMORY_KB) void this.end()
    }, MEASURE_EVERY_MS)
  }

  #send(part: Uint8Array): void {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(part.byteLength)
    this.#input.write(length)
    this.#input.write(part)
  }

  #receive(piece: string): void {
    this.#reply += piece
    if (this.#reply.length > MAX_REPLY_LENGTH) void this.end()
    if (this.#hasEnded || !this.#reply.endsWith('\n')) return
    const reply = this.#reply
    this.#reply = ''
    if (this.#isReady) this.#job?.settle(parseExtraction(reply) ?? TOO_COMPLEX)
    this.#isReady = true
    this.#job = undefined
    if (memoryKbOf(this.#child) > MAX_MEMORY_BETWEEN_PAGES_KB) void this.end()
    else this.work()
  }

  /** Kills the process, settles its job, and resolves when the process is gone. */
  async end(outcome = TOO_COMPLEX): Promise<void> {
    this.#child.kill('SIGKILL')
    this.#finish(outcome)
    await this.#hasExited.promise
  }

  #finish(outcome: Extraction, error?: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.isIdle = false
    this.#stopTimers()
    this.#job?.settle(outcome)
    this.#onEnd(this.#isReady ? undefined : (error ?? new Error('the process that reads pages did not start')))
  }

  #stopTimers(): void {
    clearTimeout(this.#limit)
    clearInterval(this.#measuring)
  }
}

/** Resident memory; 0 if the system doesn't say, or the process has just ended. */
function memoryKbOf({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
  } catch {
    // There is no such file.
    return 0
  }
}
