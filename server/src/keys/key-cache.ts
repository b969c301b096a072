// The cached keys of a process, and the look-ups in progress. The hard part is a change that arrives during a look-up,
// whose result may predate the change. Such a look-up still serves the requests waiting for it (they came before the
// change was announced), but its result isn't cached, and later requests start a new one.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import type { FoundSecret } from './key-lookup.ts'

export interface CachedSecret extends FoundSecret {
  /** When the look-up started, in milliseconds since 1970. */
  readAt: number
}

export interface KeyCache {
  /** `null`: the prefix did not exist a moment ago. `undefined`: unknown. */
  recall: (prefix: string, now: number) => CachedSecret | null | undefined
  /** Queries the database, once for concurrent requests with the same prefix. Rejects if the database fails. */
  lookUp: (prefix: string, now: number) => Promise<CachedSecret | undefined>
  /** Drops the prefix; with `version`, only if a different version is cached. */
  forget: (prefix: string, version?: string) => void
  forgetAll: () => void
}

/** The default; the operator can change it. */
const MOST_BYTES = 64_000_000
/** The memory that a key takes besides its texts, measured with a full cache. */
const ENTRY_BYTES = 850
const MOST_UNKNOWN = 10_000
const UNKNOWN_FOR_MS = 2_000

interface LookUp {
  found: Promise<CachedSecret | undefined>
  isOvertaken: boolean
}

/** Approximate. Names vary in length, so the cache is bounded by bytes and not by the number of keys. */
const bytesOf = ({ key }: CachedSecret): number => ENTRY_BYTES + 2 * (key.name.length + key.username.length)

export function createKeyCache(
  find: (prefix: string) => Promise<FoundSecret | undefined>,
  mostBytes = MOST_BYTES,
): KeyCache {
  const cache = new LRUCache<string, CachedSecret>({
    maxSize: mostBytes,
    sizeCalculation: bytesOf,
  })
  const unknownSince = new LRUCache<string, number>(atMost(MOST_UNKNOWN))
  const underWay = new Map<string, LookUp>()

  async function ask(prefix: string, now: number, lookUp: LookUp): Promise<CachedSecret | undefined> {
    try {
      const found = await find(prefix)
      const secret = found && { ...found, readAt: now }
      if (!lookUp.isOvertaken) {
        if (secret) cache.set(prefix, secret)
        else unknownSince.set(prefix, now)
      }
      return secret
    } finally {
      if (underWay.get(prefix) === lookUp) underWay.delete(prefix)
    }
  }

  function overtake(prefix: string): void {
    const lookUp = underWay.get(prefix)
    if (lookUp) lookUp.isOvertaken = true
    underWay.delete(prefix)
  }

  return {
    recall(prefix, now) {
      const secret = cache.get(prefix)
      if (secret) return secret
      const since = unknownSince.get(prefix)
      return since !== undefined && now - since < UNKNOWN_FOR_MS ? null : undefined
    },
    lookUp(prefix, now) {
      const joined = underWay.get(prefix)
      if (joined) return joined.found
      const lookUp: LookUp = { found: Promise.resolve(undefined), isOvertaken: false }
      underWay.set(prefix, lookUp)
      lookUp.found = ask(prefix, now, lookUp)
      return lookUp.found
    },
    forget(prefix, version) {
      overtake(prefix)
      unknownSince.delete(prefix)
      if (version === undefined || cache.peek(prefix)?.version !== version) cache.delete(prefix)
    },
    forgetAll() {
      for (const prefix of underWay.keys()) overtake(prefix)
      unknownSince.clear()
      cache.clear()
    },
  }
}
