// The throttling rules for everything that asks for a password or a code. When strangers guess at a name or a code, only
// strangers have to wait: a network from which the owner has signed in before has its own level, so nobody can lock
// someone else out by guessing badly. Recovery codes and passkeys cannot be guessed: they have a generous throttle of
// their own, which their owner never notices.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import { networksOf } from '../rate-limit/network-throttle.ts'
import { type AttemptThrottle, createAttemptThrottle, type Subject } from './attempt-throttle.ts'

const MINUTE_MS = 60_000

/** About a hundred guesses a day. */
const FOR_A_NAME = { free: 5, longestWaitMs: 15 * MINUTE_MS, sinkMs: 15 * MINUTE_MS }
/** A household or an office shares one address. About five hundred wrong passwords a day. */
const FOR_AN_ADDRESS = { free: 20, longestWaitMs: 15 * MINUTE_MS, sinkMs: 3 * MINUTE_MS }
/** Wider networks, and everyone together, who have never signed in here. These hold back many guessers at once. */
const FOR_WIDER = [
  { free: 60, longestWaitMs: 15 * MINUTE_MS, sinkMs: MINUTE_MS },
  { free: 200, longestWaitMs: 15 * MINUTE_MS, sinkMs: 20_000 },
]
const FOR_EVERYONE = { free: 1_000, longestWaitMs: 4_000, sinkMs: 500 }
/** For one account, from all networks its owner has never used: about three hundred of a million codes a day. */
const FOR_STRANGERS = { free: 20, longestWaitMs: 15 * MINUTE_MS, sinkMs: 5 * MINUTE_MS }
/** For secrets of more than a hundred random bits, only to bound the load. */
const GENEROUS = { free: 30, longestWaitMs: MINUTE_MS, sinkMs: 10_000 }

const MOST_KNOWN_PLACES = 20_000

export type Permission = { ok: true; succeeded: () => void } | { ok: false; retryAfterSeconds: number }

/** An account, and where the attempt comes from. */
export interface Place {
  userId: string
  address: string
}

export interface SignInLimits {
  /** For a password at sign-in. `username` as it is stored, or '' for a text that cannot be a name. */
  forPassword: (username: string, address: string) => Permission
  /** For a code of six digits, after the right password. */
  forCode: (place: Place) => Permission
  /** For a recovery code, after the right password. */
  forRecoveryCode: (place: Place) => Permission
  /** For a passkey, or for a challenge. */
  forPasskey: (address: string) => Permission
  /** For signed-in users. */
  forUser: (userId: string, what: 'own code' | 'own password') => Permission
}

export function createSignInLimits(clock: () => number): SignInLimits {
  const throttle = createAttemptThrottle(clock)
  const knownPlaces = new LRUCache<string, true>(atMost(MOST_KNOWN_PLACES))
  return {
    forPassword(username, address) {
      const network = toNetwork(address)
      const place = `${username} ${network}`
      const isKnown = knownPlaces.has(place)
      const name: Subject = { name: isKnown ? `place ${place}` : `name ${username}`, patience: FOR_A_NAME }
      const from: Subject[] = [{ name: `network ${network}`, patience: FOR_AN_ADDRESS }]
      if (!isKnown) from.push(...widerSubjects(address))
      const attempt = throttle.begin([name, ...from])
      if (!attempt.ok) return attempt
      return {
        ok: true,
        succeeded() {
          knownPlaces.set(place, true)
          throttle.forget(name)
          // Only this attempt: signing in to your own account must not buy guesses at other accounts.
          for (const subject of from) attempt.takeBack(subject)
        },
      }
    },
    forCode({ userId, address }) {
      const place = `code ${userId} ${toNetwork(address)}`
      const here: Subject = { name: place, patience: FOR_A_NAME }
      const strangers: Subject = { name: `codes ${userId}`, patience: FOR_STRANGERS }
      const attempt = throttle.begin(knownPlaces.has(place) ? [here] : [here, strangers])
      if (!attempt.ok) return attempt
      return {
        ok: true,
        succeeded() {
          knownPlaces.set(place, true)
          throttle.forget(here)
          attempt.takeBack(strangers)
        },
      }
    },
    forRecoveryCode: ({ userId, address }) =>
      once(throttle, { name: `recovery ${userId} ${toNetwork(address)}`, patience: GENEROUS }),
    forPasskey: (address) => once(throttle, { name: `passkey ${toNetwork(address)}`, patience: GENEROUS }),
    forUser: (userId, what) => once(throttle, { name: `${what} ${userId}`, patience: FOR_A_NAME }),
  }
}

function once(throttle: AttemptThrottle, subject: Subject): Permission {
  const attempt = throttle.begin([subject])
  return attempt.ok ? { ok: true, succeeded: () => throttle.forget(subject) } : attempt
}

/** The networks around an address, and everyone. */
function widerSubjects(address: string): Subject[] {
  const [, ...wider] = networksOf(address)
  const networks = wider.flatMap((network, i) => {
    const patience = FOR_WIDER[i]
    return patience ? [{ name: `wider ${network}`, patience }] : []
  })
  return [...networks, { name: 'everyone ', patience: FOR_EVERYONE }]
}

/** Anyone with one IPv6 address usually controls the whole /64. */
export const toNetwork = (address: string): string => networksOf(address)[0]
