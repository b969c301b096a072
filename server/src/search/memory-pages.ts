// The pages that this process remembers, within a fixed number of bytes. Most queries come once and never
// again, so a page is first kept as JSON in a ring of bytes, first in, first out, where it costs the garbage collector
// nothing. A page that is wanted again becomes an object and stays one as long as it is among those used last: from
// then on it is found without parsing and is the same object each time, so that whoever has computed something from
// it may remember that by the page itself.
//
// An object's bytes are estimated from its JSON at two a character: V8 needs two where a text holds but one letter
// beyond Latin-1, and the names and quotes in the JSON stand for the objects around the texts.
//
// A page at the end of its life is never given again. As an object it is let go within half a minute; in the ring its
// bytes are written over in their turn.
import { LRUCache } from 'lru-cache'
import { type Place, TextRing } from './text-ring.ts'

export interface KeptPage {
  readonly page: unknown
  readonly bornAt: number
  readonly softAt: number
  readonly hardAt: number
  /** No refresh before this. */
  readonly refreshAt: number
  /** The last refresh has failed. */
  readonly isFailing: boolean
}

interface Entry extends KeptPage {
  page: unknown
  refreshAt: number
  isFailing: boolean
  place: Place
}

interface NewPage {
  page: unknown
  /** The page as JSON. */
  text: string
  bornAt: number
  lifeMs: number
  /** Somebody has wanted it before, here or elsewhere. */
  isWantedAgain: boolean
}

export interface MemoryPages {
  /** A page within its hard life. */
  find: (key: string, now: number) => KeptPage | undefined
  keep: (key: string, page: NewPage) => void
  /** Says of a page that is kept, if any is, that its refresh has failed. */
  postponeRefresh: (key: string, until: number) => void
}

/** Of an entry: its name, its place in the lists, its dates. */
const ENTRY_BYTES = 400
/** Of all bytes, for pages as JSON; the rest is for those that are objects. */
const RING_SHARE = 0.5
/** A single page may not push out everything else. */
const LARGEST_SHARE = 0.05
const SWEEP_EVERY_MS = 30_000

export function createMemoryPages({ clock, maxBytes }: { clock: () => number; maxBytes: number }): MemoryPages {
  const ringBytes = Math.floor(maxBytes * RING_SHARE)
  const largest = Math.ceil((maxBytes - ringBytes) * LARGEST_SHARE)
  const { ring, entries, objects } = openStore(ringBytes, maxBytes - ringBytes)
  let sweeping: NodeJS.Timeout | undefined

  function sweep(): void {
    const now = clock()
    for (const [key, { hardAt }] of objects.entries()) if (now >= hardAt) objects.delete(key)
    for (const [key, { hardAt }] of entries.entries()) if (now >= hardAt) entries.delete(key)
    if (objects.size + entries.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  /** Forgets the pages that the last one was written over. */
  function forgetOverwritten(): void {
    for (;;) {
      const oldest = entries.rvalues().next().value
      if (!oldest || ring.has(oldest.place)) return
      entries.pop()
    }
  }

  return {
    find(key, now) {
      const known = objects.get(key)
      if (known) return now < known.hardAt ? known : undefined
      const entry = entries.peek(key)
      if (!entry || now >= entry.hardAt || !ring.has(entry.place)) return undefined
      const text = ring.read(entry.place)
      // Only `keep` has written it.
      entry.page = JSON.parse(text)
      objects.set(key, entry, { size: objectBytes(text) })
      return entry
    },
    keep(key, { page, text, bornAt, lifeMs, isWantedAgain }) {
      const size = objectBytes(text)
      const place = size > largest ? undefined : ring.write(text)
      const isObject = isWantedAgain || objects.has(key)
      objects.delete(key)
      entries.delete(key)
      if (!place) return
      const softAt = bornAt + lifeMs / 2
      const entry = { page, bornAt, softAt, hardAt: bornAt + lifeMs, refreshAt: softAt, isFailing: false, place }
      if (isObject) objects.set(key, entry, { size })
      else entry.page = undefined
      entries.set(key, entry)
      forgetOverwritten()
      sweeping ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
    },
    postponeRefresh(key, until) {
      const entry = objects.peek(key) ?? entries.peek(key)
      if (!entry) return
      entry.isFailing = true
      entry.refreshAt = until
    },
  }
}

const objectBytes = (text: string): number => ENTRY_BYTES + 2 * text.length

function openStore(ringBytes: number, objectsBytes: number) {
  return {
    ring: new TextRing(ringBytes),
    // Never read by `get`, so that it stays in the order of writing, as the ring does.
    entries: new LRUCache<string, Entry>({ max: Math.ceil(ringBytes / ENTRY_BYTES) }),
    objects: new LRUCache<string, Entry>({
      max: Math.ceil(objectsBytes / ENTRY_BYTES),
      maxSize: objectsBytes,
      // The entry may still have its place in the ring, and would keep the object alive.
      dispose(entry) {
        entry.page = undefined
      },
    }),
  }
}
