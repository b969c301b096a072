// Keyed hashes: they show whether two texts are the same, but not what they are. Without the instance's secret, not
// even trying every possible text reveals what was hashed. Each purpose has its own key, so hashes for different
// purposes can't be compared either.
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'

export type KeyedHash = (text: string) => string

const KEY_BYTES = 32
/** 132 bits: enough to rule out collisions. */
const LENGTH = 22
const DAY_MS = 86_400_000

/** The same on all nodes of an instance. */
export function createKeyedHash(instanceSecret: string, purpose: string): KeyedHash {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', instanceSecret, '', `bowerbird ${purpose}`, KEY_BYTES)))
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH)
}

/** Compares in constant time, so that a mark can't be guessed piece by piece. */
export function isSameMark(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

interface DailyHashParts {
  instanceSecret: string
  purpose: string
  clock: () => number
}

/** Uses a new key every day (UTC), so that hashes from different days can't be compared. */
export function createDailyHash({ instanceSecret, purpose, clock }: DailyHashParts): KeyedHash {
  let today = Number.NaN
  let hashOfToday: KeyedHash = () => ''
  return (text) => {
    const day = Math.floor(clock() / DAY_MS)
    if (day !== today) {
      hashOfToday = createKeyedHash(instanceSecret, `${purpose} of day ${day}`)
      today = day
    }
    return hashOfToday(text)
  }
}
