// The pages that this process remembers: the ones used last, within a fixed number of bytes.
//
// A page comes as JSON and becomes an object when it is wanted for the first time, because most queries come once and
// never again. From then on it is the same object each time, so that whoever has computed something from it may
// remember that by the page itself. It is never the adapter's own object: a description cut from a long text, or a
// title cut out of markup, is to V8 a view of the whole, and a page of a few kilobytes could hold on to two megabytes.
//
// Bytes are estimated from the JSON at two a character: V8 needs two where a text holds but one letter beyond Latin-1,
// and the names and quotes in the JSON stand for the objects around the texts.
//
// A page at the end of its life is never given again, and is let go within half a minute.
import { LRUCache } from 'lru-cache'

export interface CacheEntry {
  readonly page: unknown
  readonly bornAt: number
  readonly softAt: number
  readonly hardAt: number
  /** Not refreshed before this time. */
  readonly refreshAt: number
  /** The last refresh has failed. */
  readonly isFailing: boolean
}

interface Entry extends CacheEntry {
  page: unknown
  /** undefined once it is an object. */
  text: string | undefined
  refreshAt: number
  isFailing: boolean
}

interface NewPage {
  /** The page as JSON. */
  text: string
  bornAt: number
  lifeMs: number
}

export interface MemoryStore {
  /** A page within its hard life. */
  find: (key: string, now: number) => CacheEntry | undefined
  keep: (key: string, page: NewPage) => void
  /** Marks the page, if there is one, as having failed to refresh. */
  postponeRefresh: (key: string, until: number) => void
}

/** Of an entry: its name, its place in the list, its dates. */
const ENTRY_BYTES = 400
/** A single page may not push out everything else. */
const LARGEST_SHARE = 0.025
const SWEEP_EVERY_MS = 30_000

export function createMemoryStore({ clock, maxBytes }: { clock: () => number; maxBytes: number }): MemoryStore {
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, maxEntrySize: Math.ceil(maxBytes * LARGEST_SHARE) })
  let sweeping: NodeJS.Timeout | undefined

  function sweep(): void {
    const now = clock()
    for (const [key, { hardAt }] of entries.entries()) if (now >= hardAt) entries.delete(key)
    if (entries.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  return {
    find(key, now) {
      const entry = entries.get(key)
      if (!entry || now >= entry.hardAt) return undefined
      if (entry.text !== undefined) {
        entry.page = JSON.parse(entry.text)
        entry.text = undefined
      }
      return entry
    },
    keep(key, { text, bornAt, lifeMs }) {
      const softAt = bornAt + lifeMs / 2
      const life = { bornAt, softAt, hardAt: bornAt + lifeMs, refreshAt: softAt, isFailing: false }
      entries.set(key, { page: undefined, text, ...life }, { size: ENTRY_BYTES + 2 * text.length })
      sweeping ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
    },
    postponeRefresh(key, until) {
      const entry = entries.peek(key)
      if (!entry) return
      entry.isFailing = true
      entry.refreshAt = until
    },
  }
}
