// Whose patience ends when, for everything that asks for a password or a code. A name that strangers guess at waits for
// strangers only: from a network where its owner has signed in before, it has a level of its own, so nobody can lock
// somebody else out by guessing badly.
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { createAttemptThrottle, type Subject } from '../accounts/attempt-throttle.ts'

const MINUTE_MS = 60_000

/** About a hundred guesses a day. */
const FOR_A_NAME = { free: 5, longestWaitMs: 15 * MINUTE_MS, sinkMs: 15 * MINUTE_MS }
/** A household or an office has one address for all. About five hundred wrong passwords a day. */
const FOR_AN_ADDRESS = { free: 20, longestWaitMs: 15 * MINUTE_MS, sinkMs: 3 * MINUTE_MS }

const MOST_KNOWN_PLACES = 20_000

export type Permission = { ok: true; succeeded: () => void } | { ok: false; retryAfterSeconds: number }

export interface SignInLimits {
  /** For a password at the door. `username` as it is stored, '' for what cannot be a name. */
  forPassword: (username: string, address: string) => Permission
  /** For what only somebody can be asked who has shown the password already, or is signed in. */
  forUser: (userId: string, what: 'code' | 'own password') => Permission
}

export function createSignInLimits(clock: () => number): SignInLimits {
  const throttle = createAttemptThrottle(clock)
  const knownPlaces = new LRUCache<string, true>({ max: MOST_KNOWN_PLACES })
  return {
    forPassword(username, address) {
      const network = toNetwork(address)
      const place = `${username} ${network}`
      const name: Subject = {
        name: knownPlaces.has(place) ? `place ${place}` : `name ${username}`,
        patience: FOR_A_NAME,
      }
      const from: Subject = { name: `network ${network}`, patience: FOR_AN_ADDRESS }
      const attempt = throttle.begin([name, from])
      if (!attempt.ok) return attempt
      return {
        ok: true,
        succeeded() {
          knownPlaces.set(place, true)
          throttle.forget(name)
          // Only this attempt: an account of one's own must not buy guesses at the others'.
          attempt.takeBack(from)
        },
      }
    },
    forUser(userId, what) {
      const subject: Subject = { name: `${what} ${userId}`, patience: FOR_A_NAME }
      const attempt = throttle.begin([subject])
      return attempt.ok ? { ok: true, succeeded: () => throttle.forget(subject) } : attempt
    },
  }
}

const IPV6_NETWORK_BYTES = 8

/** Whoever has one IPv6 address has the 64 bits behind it as well. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex')
}
