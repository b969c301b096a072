// The keys a node holds in memory, and the look-ups under way. The hard part is a change that arrives during a look-up:
// its answer may be from before the change. Such a look-up still serves the requests that wait for it (they came before
// the change was heard of) but is not kept, and requests that come later start a new one.
import { LRUCache } from 'lru-cache'
import type { FoundSecret } from './key-lookup.ts'

export interface WarmSecret extends FoundSecret {
  /** When the look-up began, in milliseconds since 1970. */
  readAt: number
}

export interface WarmKeys {
  /** `null`: no such prefix, as far as was known a moment ago. `undefined`: not known. */
  recall: (prefix: string, now: number) => WarmSecret | null | undefined
  /** Asks the database, once for all who ask for one prefix at one time. Rejects when the database fails. */
  lookUp: (prefix: string, now: number) => Promise<WarmSecret | undefined>
  /** With `version`: only if another version is held. */
  forget: (prefix: string, version?: string) => void
  forgetAll: () => void
}

const MOST_WARM = 50_000
const MOST_UNKNOWN = 10_000
const UNKNOWN_FOR_MS = 2_000

interface LookUp {
  found: Promise<WarmSecret | undefined>
  isOvertaken: boolean
}

export function createWarmKeys(find: (prefix: string) => Promise<FoundSecret | undefined>): WarmKeys {
  const warm = new LRUCache<string, WarmSecret>({ max: MOST_WARM })
  const unknownSince = new LRUCache<string, number>({ max: MOST_UNKNOWN })
  const underWay = new Map<string, LookUp>()

  async function ask(prefix: string, now: number, lookUp: LookUp): Promise<WarmSecret | undefined> {
    try {
      const found = await find(prefix)
      const secret = found && { ...found, readAt: now }
      if (!lookUp.isOvertaken) {
        if (secret) warm.set(prefix, secret)
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
      const secret = warm.get(prefix)
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
      if (version === undefined || warm.peek(prefix)?.version !== version) warm.delete(prefix)
    },
    forgetAll() {
      for (const prefix of underWay.keys()) overtake(prefix)
      unknownSince.clear()
      warm.clear()
    },
  }
}
