// The pages and the failures that this process remembers. Bounded by bytes, least recently used first out. A page is kept
// as the object it is, so a search answered from here parses nothing, and whoever has computed something from a page
// may remember that by the page itself.
//
// Bytes are estimated from the page's JSON at two a character: V8 needs two where a text holds but one letter beyond
// Latin-1, and the names and quotes in the JSON stand for the objects around the texts.
//
// A page that has come to the end of its life is not only hidden: it is gone within half a minute, as terms of use ask.
import { LRUCache } from 'lru-cache'
import type { UpstreamError } from '../errors.ts'

export interface KeptPage {
  readonly page: unknown
  readonly bornAt: number
  readonly softAt: number
  readonly hardAt: number
  /** No refresh before this. */
  refreshAt: number
  /** The last refresh has failed. */
  isFailing: boolean
}

export interface MemoryPages {
  /** A page within its hard life. */
  find: (key: string, now: number) => KeptPage | undefined
  keep: (key: string, kept: KeptPage, jsonLength: number) => void
  failureOf: (key: string, now: number) => UpstreamError | undefined
  noteFailure: (key: string, error: UpstreamError, until: number) => void
  /** Says of a page that is kept, if any is, that its refresh has failed. */
  postponeRefresh: (key: string, until: number) => void
}

/** Of an entry: its name, its place in the list, its dates. */
const ENTRY_BYTES = 400
const SMALLEST_ENTRY_BYTES = 500
/** A single page may not push out everything else. */
const LARGEST_SHARE = 0.05
const MOST_FAILURES = 1_000
const SWEEP_EVERY_MS = 30_000

export function createMemoryPages({ clock, maxBytes }: { clock: () => number; maxBytes: number }): MemoryPages {
  const pages = new LRUCache<string, KeptPage>({
    max: Math.ceil(maxBytes / SMALLEST_ENTRY_BYTES),
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * LARGEST_SHARE),
  })
  const failures = new LRUCache<string, { error: UpstreamError; until: number }>({ max: MOST_FAILURES })
  let sweeping: NodeJS.Timeout | undefined

  function sweep(): void {
    const now = clock()
    for (const [key, kept] of pages.entries()) if (now >= kept.hardAt) pages.delete(key)
    for (const [key, { until }] of failures.entries()) if (now >= until) failures.delete(key)
    if (pages.size + failures.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }
  const sweepSoon = () => {
    sweeping ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
  }

  return {
    find(key, now) {
      const kept = pages.get(key)
      return kept && now < kept.hardAt ? kept : undefined
    },
    keep(key, kept, jsonLength) {
      pages.set(key, kept, { size: ENTRY_BYTES + 2 * jsonLength })
      failures.delete(key)
      sweepSoon()
    },
    failureOf(key, now) {
      const failure = failures.get(key)
      return failure && now < failure.until ? failure.error : undefined
    },
    noteFailure(key, error, until) {
      failures.set(key, { error, until })
      sweepSoon()
    },
    postponeRefresh(key, until) {
      const kept = pages.peek(key)
      if (!kept) return
      kept.isFailing = true
      kept.refreshAt = until
    },
  }
}
