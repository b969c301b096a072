// Reads a page: fetch, extract, cache. Concurrent reads of a page share one fetch, and the result is cached for a
// quarter of an hour. Failures are cached too, unless they are transient (UpstreamError).
import { hash } from 'node:crypto'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { ContentFormat } from '@bowerbird/reader/extracted-page.ts'
import { ExtractedPageSchema } from '@bowerbird/reader/extraction.ts'
import type { Extractor } from '@bowerbird/reader/extractor.ts'
import { z } from 'zod'
import type { ResponseCache, ResponseKey } from '../cache/response-cache.ts'
import type { WantedResponse } from '../cache/single-flight.ts'
import { createFairQueue } from '../upstream/bulkhead.ts'
import type { PageFetch } from '../upstream/page-fetch.ts'
import { FetchRefusal } from '../upstream/untrusted-fetch.ts'
import type { Robots } from './robots.ts'

export const READ_FAILURES = [
  'too_large',
  'too_complex',
  'not_text',
  'no_content',
  'robots',
  'blocked',
  'status',
  'redirects',
  'timeout',
  'unreachable',
] as const
export type ReadFailure = (typeof READ_FAILURES)[number]

const Outcome = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** The final address, after redirects. */
    address: z.string(),
    fetchedAt: z.number(),
    page: ExtractedPageSchema,
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(READ_FAILURES),
    /** The page's own HTTP status, with the reason `status`. */
    status: z.number().optional(),
  }),
])
export type ReadOutcome = z.output<typeof Outcome>

export interface ReadTerms {
  format: ContentFormat
  withinMs?: number
  /** Whose read this is: a key, or a person on the website. Each has only so many under way. */
  subject: string
  /** Called if the page had to be given up as too complex, unless that was known already. */
  onTooComplex?: () => Promise<void>
}

export interface Reader {
  /** Rejects with UpstreamError `busy` if too many pages are being read. */
  read: (address: string, terms: ReadTerms) => Promise<ReadOutcome>
  close: () => Promise<void>
}

interface ReaderParts {
  pages: PageFetch
  robots: Robots
  extractor: Extractor
  cache: ResponseCache
  clock: () => number
}

const CACHE_SECONDS = 900
/** Covers fetching, waiting for a process, and extracting. */
const MAX_READ_MS = 15_000
const KEY_LENGTH = 22
/** So that nobody can keep all processes busy with hostile pages. */
const SHARE = { maxActive: 2, maxWaiting: 20 }

export function createReader(parts: ReaderParts): Reader {
  const shares = createFairQueue(SHARE)
  return {
    async read(address, { format, withinMs = MAX_READ_MS, subject, onTooComplex }) {
      const deadline = createDeadline(withinMs)
      const readInTurn = () =>
        shares.run(subject, AbortSignal.timeout(Math.ceil(withinMs)), async () => {
          const outcome = await readNow(parts, address, format)
          if (!outcome.ok && outcome.reason === 'too_complex') await onTooComplex?.()
          return outcome
        })
      try {
        const [outcome] = await Promise.all(
          parts.cache.getOrFetch(keyOf(address, format), [WANTED], deadline, readInTurn),
        )
        if (outcome) parts.cache.countServed(outcome)
        return outcome && 'response' in outcome ? outcome.response : failureOf(outcome?.error)
      } finally {
        deadline.cancel()
      }
    },
    async close() {
      await Promise.all([parts.extractor.close(), parts.pages.close()])
    },
  }
}

const keyOf = (address: string, format: ContentFormat): ResponseKey<ReadOutcome> =>
  hash('sha256', `read\n${format}\n${address}`, 'base64url').slice(0, KEY_LENGTH)

const WANTED: WantedResponse<ReadOutcome> = {
  slug: 'reader',
  cacheSeconds: CACHE_SECONDS,
  cacheIn: 'shared',
  isResponse: (value): value is ReadOutcome => Outcome.safeParse(value).success,
}

/** Throws UpstreamError for a transient failure. */
async function readNow(parts: ReaderParts, address: string, format: ContentFormat): Promise<ReadOutcome> {
  const { pages, robots, extractor, clock } = parts
  try {
    const fetched = await pages.fetch(address, { beforeRequest: (url) => robots.requireAllowed(url) })
    const { bytes, contentType } = fetched
    const extraction = await extractor.extract({ bytes, contentType, address: fetched.address, format })
    if (!extraction.ok && extraction.reason === 'busy') throw new UpstreamError('busy', 'too many pages are being read')
    return extraction.ok ? { ...extraction, address: fetched.address, fetchedAt: clock() } : extraction
  } catch (error) {
    if (!(error instanceof FetchRefusal)) throw error
    const reason = error.reason === 'too_slow' ? 'timeout' : error.reason
    return { ok: false, reason, ...(error.status !== undefined && { status: error.status }) }
  }
}

function failureOf(error: UpstreamError | undefined): ReadOutcome {
  if (error?.kind === 'busy' || error?.kind === 'open') throw error
  if (!error || error.kind === 'timeout') return { ok: false, reason: 'timeout' }
  return { ok: false, reason: 'unreachable' }
}
