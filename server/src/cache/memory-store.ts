// Responses in process memory: the least recently used are evicted beyond a fixed number of bytes.
//
// A response is stored as JSON and parsed when it is first used, because most queries never repeat. From then on it is
// the same object each time, so searches can key what they derive from a response by the object itself. It is never the
// adapter's own object: in V8, a description cut from a long text, or a title cut from markup, is a view of the whole,
// so a response of a few kilobytes could keep two megabytes alive.
//
// Bytes are estimated at two per JSON character: V8 needs two as soon as a string contains one character beyond
// Latin-1, and the property names and quotes in the JSON make up for the objects around the strings.
//
// A response is never returned after the end of its life, and is dropped within half a minute.
import { LRUCache } from 'lru-cache'

export interface CacheEntry {
  readonly response: unknown
  readonly bornAt: number
  readonly softAt: number
  readonly hardAt: number
  /** The time from which a search may start a refresh: the end of its soft life, or later if a refresh failed. */
  readonly refreshAt: number
  /** True if the last refresh failed. */
  readonly isFailing: boolean
}

interface Entry extends CacheEntry {
  response: unknown
  /** Undefined once it is parsed. */
  text: string | undefined
  refreshAt: number
  isFailing: boolean
}

interface NewResponse {
  /** The response as JSON. */
  text: string
  bornAt: number
  lifeMs: number
}

export interface MemoryStore {
  /** Returns a response within its hard life. */
  find: (key: string, now: number) => CacheEntry | undefined
  keep: (key: string, response: NewResponse) => void
  /** Marks the response, if there is one, as having failed to refresh. */
  postponeRefresh: (key: string, refreshAt: number) => void
}

/** An estimate of what an entry takes besides its response: its key, its place in the list, its times. */
const ENTRY_BYTES = 400
/** No response takes a larger share of the cache, so that none can evict everything else. */
const MAX_SHARE = 0.025
const SWEEP_EVERY_MS = 30_000

/** For half of its life, a response is served without a refresh. */
export const toSoftLifeMs = (lifeMs: number): number => lifeMs / 2

export function createMemoryStore({ clock, maxBytes }: { clock: () => number; maxBytes: number }): MemoryStore {
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, maxEntrySize: Math.ceil(maxBytes * MAX_SHARE) })
  let sweepTimer: NodeJS.Timeout | undefined

  function sweep(): void {
    const now = clock()
    for (const [key, { hardAt }] of entries.entries()) {
      if (now >= hardAt) entries.delete(key)
    }
    if (entries.size > 0) return
    clearInterval(sweepTimer)
    sweepTimer = undefined
  }

  return {
    find(key, now) {
      const entry = entries.get(key)
      if (!entry || now >= entry.hardAt) return undefined
      if (entry.text !== undefined) {
        entry.response = JSON.parse(entry.text)
        entry.text = undefined
      }
      return entry
    },
    keep(key, { text, bornAt, lifeMs }) {
      const softAt = bornAt + toSoftLifeMs(lifeMs)
      const life = { bornAt, softAt, hardAt: bornAt + lifeMs, refreshAt: softAt, isFailing: false }
      entries.set(key, { response: undefined, text, ...life }, { size: ENTRY_BYTES + 2 * text.length })
      sweepTimer ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
    },
    postponeRefresh(key, refreshAt) {
      const entry = entries.peek(key)
      if (!entry) return
      entry.isFailing = true
      entry.refreshAt = refreshAt
    },
  }
}
