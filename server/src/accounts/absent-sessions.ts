// Keeps session tokens that open nothing from causing look-ups again and again. A token that was not found is remembered
// for a while. Tokens whose tag does not verify are looked up only a few times a second in all: they are made up, or date
// from before tokens had a tag or from before the secret changed.
import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'

export interface AbsentSessions {
  /** Whether to look it up. `isOurs`: whether its tag verifies. */
  isWorthLookingUp: (name: string, isOurs: boolean) => boolean
  remember: (name: string) => void
}

const MOST_REMEMBERED = 5_000
/** A token that opens nothing will never open anything. */
const REMEMBERED_MS = 60_000
const UNTAGGED_A_SECOND = 20

export function createAbsentSessions(clock: () => number): AbsentSessions {
  const absent = new LRUCache<string, number>(atMost(MOST_REMEMBERED))
  let second = 0
  let untagged = 0
  return {
    isWorthLookingUp(name, isOurs) {
      const now = clock()
      const at = absent.get(name)
      // It also counts as long ago if the clock was set back.
      if (at !== undefined && Math.abs(now - at) < REMEMBERED_MS) return false
      if (isOurs) return true
      const current = Math.floor(now / 1_000)
      if (current !== second) [second, untagged] = [current, 0]
      return ++untagged <= UNTAGGED_A_SECOND
    },
    remember: (name) => void absent.set(name, clock()),
  }
}
