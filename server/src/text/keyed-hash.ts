// Names that say whether two things are the same, but not what they are: without the instance's secret nobody can find
// out what was hashed, not even by trying everything that it could be. Each purpose has a key of its own, so marks of
// different purposes cannot be compared either.
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'

export type KeyedHash = (text: string) => string

const KEY_BYTES = 32
/** 132 bits: enough that nobody finds two texts with one hash. */
const LENGTH = 22
const DAY_MS = 86_400_000

/** The same on all nodes of an instance. */
export function createKeyedHash(instanceSecret: string, purpose: string): KeyedHash {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', instanceSecret, '', `bowerbird ${purpose}`, KEY_BYTES)))
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH)
}

/** Takes the same time wherever they differ, so that nobody can find out a mark piece by piece. */
export function isSameMark(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

interface DailyHashParts {
  instanceSecret: string
  purpose: string
  clock: () => number
}

/** With a new key every day (UTC), so that hashes of different days cannot be compared. */
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
