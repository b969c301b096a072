// The worker threads that extract pages. None is started before the first page is read, and they end after a minute
// without work, so an instance that doesn't read pages pays nothing. A page that exceeds its time or memory ends its
// own thread and nothing else.
import { Worker } from 'node:worker_threads'
import type { FetchedPage } from './extract-page.ts'
import type { Extraction as ThreadExtraction } from './extract-thread.ts'

/** `busy`: too many pages are waiting, or the extractor is closing. */
export type Extraction = ThreadExtraction | { ok: false; reason: 'busy' }

export interface Extractor {
  /** Never rejects. A large page's bytes move to the thread and can't be used here any more. */
  extract: (page: FetchedPage) => Promise<Extraction>
  close: () => Promise<void>
}

interface ExtractorOptions {
  threads?: number
  timeoutMs?: number
  idleMs?: number
}

interface Job {
  page: FetchedPage
  settle: (extraction: Extraction) => void
}

const THREADS = 2
const TIMEOUT_MS = 3_000
const START_TIMEOUT_MS = 15_000
const IDLE_MS = 60_000
const MAX_WAITING = 32
/** Fewer bytes are copied, which costs almost nothing. A buffer this large is never shared with other data. */
const MIN_TRANSFER_BYTES = 262_144
const BUSY: Extraction = { ok: false, reason: 'busy' }
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const { threads: maxThreads = THREADS, timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = options
  const waiting: Job[] = []
  const threads = new Set<ExtractThread>()
  let isClosed = false

  const nextJob = (): Job | undefined => waiting.shift()
  function startThread(): void {
    const thread = new ExtractThread({ nextJob, timeoutMs, idleMs }, () => {
      threads.delete(thread)
      // Replace it if jobs are still waiting.
      if (waiting.length > 0 && !isClosed) startThread()
    })
    threads.add(thread)
  }

  return {
    extract(page) {
      if (isClosed || waiting.length >= MAX_WAITING) {
        return Promise.resolve(BUSY)
      }
      const { promise, resolve } = Promise.withResolvers<Extraction>()
      waiting.push({ page, settle: resolve })
      const idle = [...threads].find((thread) => thread.isIdle)
      if (idle) idle.work()
      else if (threads.size < maxThreads) startThread()
      return promise
    },
    async close() {
      isClosed = true
      for (const { settle } of waiting.splice(0)) settle(BUSY)
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

interface ThreadOptions {
  nextJob: () => Job | undefined
  timeoutMs: number
  idleMs: number
}

class ExtractThread {
  isIdle = false
  readonly #options: ThreadOptions
  readonly #worker = new Worker(new URL('./extract-thread.ts', import.meta.url), {
    resourceLimits: RESOURCE_LIMITS,
    // Discarded below: what a library writes there could quote the page.
    stdout: true,
    stderr: true,
  })
  readonly #onEnd: () => void
  #job: Job | undefined
  #timer: NodeJS.Timeout
  #hasEnded = false

  constructor(options: ThreadOptions, onEnd: () => void) {
    this.#options = options
    this.#onEnd = onEnd
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#timer = setTimeout(() => void this.end(), START_TIMEOUT_MS)
    this.#worker.on('message', (message: Extraction | 'ready') => {
      if (message !== 'ready') this.#job?.settle(message)
      this.#job = undefined
      this.work()
    })
    // A thread that runs out of memory emits an error too. The exit event always follows, so there is nothing to do
    // here.
    this.#worker.on('error', () => undefined)
    this.#worker.on('exit', () => this.#finish())
    // A thread must not keep the process alive.
    this.#worker.unref()
  }

  /** Takes the next job, if there is one. */
  work(): void {
    clearTimeout(this.#timer)
    this.#job = this.#options.nextJob()
    this.isIdle = this.#job === undefined
    const limitMs = this.isIdle ? this.#options.idleMs : this.#options.timeoutMs
    this.#timer = setTimeout(() => void this.end(), limitMs).unref()
    if (this.#job) this.#send(this.#job.page)
  }

  #send(page: FetchedPage): void {
    const { bytes } = page
    // Posting a view copies its whole buffer, which may be twice as large if the page came in pieces.
    const sent = bytes.byteLength < MIN_TRANSFER_BYTES ? new Uint8Array(bytes) : bytes
    this.#worker.postMessage({ ...page, bytes: sent }, sent.buffer instanceof ArrayBuffer ? [sent.buffer] : [])
  }

  async end(): Promise<void> {
    this.#finish()
    await this.#worker.terminate()
  }

  #finish(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.isIdle = false
    clearTimeout(this.#timer)
    this.#job?.settle({ ok: false, reason: 'too_complex' })
    this.#onEnd()
  }
}
