// The throttling rules for everything that asks for a password or a code. When strangers guess at a name or a code,
// only strangers have to wait: attempts from a known device (`device-tokens.ts`) are counted for that device alone, so
// guessing elsewhere doesn't lock the owner out. Recovery codes and passkeys cannot be guessed: they have a generous
// throttle of their own, which the owner never notices.
//
// State is kept in the process: the rate limiter can't count waits that double, no name or address leaves the node, and
// signing in doesn't depend on Redis. With n nodes a guesser gets n times as many attempts, which is still far too few.
// Each kind of subject (names, networks and so on) has its own bounded memory, so flooding one doesn't evict the
// others.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import { networksOf } from '../rate-limit/network-throttle.ts'

const MINUTE_MS = 60_000

/** For a name, and for a known device: about a hundred guesses a day. */
const FOR_A_NAME = { free: 5, maxWaitMs: 15 * MINUTE_MS, decayMs: 15 * MINUTE_MS }
/** A household or an office shares one address. About five hundred wrong passwords a day. */
const FOR_AN_ADDRESS = { free: 20, maxWaitMs: 15 * MINUTE_MS, decayMs: 3 * MINUTE_MS }
/** For wider networks, and for everyone. Holds back many guessers at once. */
const FOR_WIDER = [
  { free: 60, maxWaitMs: 15 * MINUTE_MS, decayMs: MINUTE_MS },
  { free: 200, maxWaitMs: 15 * MINUTE_MS, decayMs: 20_000 },
]
const FOR_EVERYONE = { free: 1_000, maxWaitMs: 4_000, decayMs: 500 }
/** For one account, from all unknown devices together: about three hundred of a million codes a day. */
const FOR_STRANGERS = { free: 20, maxWaitMs: 15 * MINUTE_MS, decayMs: 5 * MINUTE_MS }
/** For secrets of more than a hundred random bits, only to bound the load. */
const GENEROUS = { free: 30, maxWaitMs: MINUTE_MS, decayMs: 10_000 }
/** The same for wider networks: every challenge for a passkey is a row. */
const GENEROUS_WIDER = [
  { free: 100, maxWaitMs: MINUTE_MS, decayMs: 5_000 },
  { free: 300, maxWaitMs: MINUTE_MS, decayMs: 2_000 },
]

type Permission = { ok: true; succeeded: () => void } | { ok: false; retryAfterSeconds: number }

interface PasswordAttempt {
  /** As it is stored, or '' for a text that cannot be a name. */
  username: string
  address: string
  /** The id of the device, if the user has signed in on it before. */
  device?: string | undefined
}

interface CodeAttempt {
  userId: string
  address: string
  device?: string | undefined
}

export type SignInLimits = ReturnType<typeof createSignInLimits>

export function createSignInLimits(clock: () => number) {
  const throttle = createAttemptThrottle(clock)

  /** `own` is forgotten when the attempt succeeds; of `shared`, only this attempt is taken back. */
  function begin(own: Subject, shared: readonly Subject[] = []): Permission {
    const attempt = throttle.begin([own, ...shared])
    if (!attempt.ok) return attempt
    return {
      ok: true,
      succeeded() {
        throttle.forget(own)
        // Signing in to your own account must not buy guesses at other accounts.
        for (const subject of shared) attempt.takeBack(subject)
      },
    }
  }

  return {
    /** For a password at sign-in. */
    forPassword({ username, address, device }: PasswordAttempt): Permission {
      if (device !== undefined) return begin({ name: `device ${device}`, rule: FOR_A_NAME })
      return begin({ name: `name ${username}`, rule: FOR_A_NAME }, [
        { name: `network ${toNetwork(address)}`, rule: FOR_AN_ADDRESS },
        ...widerSubjects('wider', address, FOR_WIDER),
        { name: 'everyone ', rule: FOR_EVERYONE },
      ])
    },
    /** For a code of six digits, after the right password. */
    forCode({ userId, address, device }: CodeAttempt): Permission {
      if (device !== undefined) return begin({ name: `device-code ${device}`, rule: FOR_A_NAME })
      const here = { name: `code ${userId} ${toNetwork(address)}`, rule: FOR_A_NAME }
      return begin(here, [{ name: `codes ${userId}`, rule: FOR_STRANGERS }])
    },
    /** For a recovery code, after the right password. */
    forRecoveryCode: ({ userId, address }: CodeAttempt): Permission =>
      begin({ name: `recovery ${userId} ${toNetwork(address)}`, rule: GENEROUS }),
    /** For a passkey, or for a challenge. */
    forPasskey: (address: string): Permission =>
      begin(
        { name: `passkey ${toNetwork(address)}`, rule: GENEROUS },
        widerSubjects('passkey-wider', address, GENEROUS_WIDER),
      ),
    /** For an account elsewhere, on the way there and back. */
    forIdentity: (address: string): Permission =>
      begin(
        { name: `identity ${toNetwork(address)}`, rule: GENEROUS },
        widerSubjects('identity-wider', address, GENEROUS_WIDER),
      ),
    forInvitation: (address: string): Permission =>
      begin(
        { name: `invitation ${toNetwork(address)}`, rule: GENEROUS },
        widerSubjects('invitation-wider', address, GENEROUS_WIDER),
      ),
    /** For recording an attempt that costs nothing, and so can be repeated without end. */
    forRecord: (address: string): Permission =>
      begin({ name: `record ${toNetwork(address)}`, rule: FOR_A_NAME }, [
        ...widerSubjects('record-wider', address, FOR_WIDER),
        { name: 'records ', rule: FOR_EVERYONE },
      ]),
    /** For signed-in users. */
    forUser: (userId: string, what: 'own code' | 'own password'): Permission =>
      begin({ name: `${what} ${userId}`, rule: FOR_A_NAME }),
  }
}

/** The networks around an address, from the narrowest to the widest, with a rule for each. */
function widerSubjects(kind: string, address: string, rules: readonly ThrottleRule[]): Subject[] {
  const [, ...wider] = networksOf(address)
  return rules.slice(0, wider.length).map((rule, i) => ({ name: `${kind} ${wider[i]}`, rule }))
}

/** Anyone with one IPv6 address usually controls the whole /64. */
export const toNetwork = (address: string): string => networksOf(address)[0]

interface ThrottleRule {
  /** The level up to which attempts don't wait. */
  free: number
  maxWaitMs: number
  /** The time in which the level falls by one. */
  decayMs: number
}

/** Something an attempt counts against. All subjects of an attempt must allow it. */
interface Subject {
  /** Starts with the kind of subject, such as 'network'. */
  name: string
  rule: ThrottleRule
}

type Attempt = { ok: true; takeBack: (subject: Subject) => void } | { ok: false; retryAfterSeconds: number }

const MAX_SUBJECTS_PER_KIND = 50_000
const FIRST_WAIT_MS = 2_000

interface SubjectState {
  level: number
  at: number
  blockedUntil: number
}

/**
 * Limits guessing. Every attempt raises the level of each of its subjects (a name, an address), and levels decay over
 * time. Below a threshold nothing happens; above it, each further attempt must wait twice as long as the previous one,
 * up to a maximum. An attempt counts before its outcome is known, so a thousand concurrent attempts aren't a thousand
 * free ones; a successful one is taken back.
 */
export function createAttemptThrottle(clock: () => number) {
  const statesByKind = new Map<string, LRUCache<string, SubjectState>>()

  /** Returns the states of all subjects of the same kind as this one. */
  function statesLike(name: string): LRUCache<string, SubjectState> {
    const kind = name.slice(0, name.indexOf(' ') + 1)
    const known = statesByKind.get(kind) ?? new LRUCache<string, SubjectState>(atMost(MAX_SUBJECTS_PER_KIND))
    statesByKind.set(kind, known)
    return known
  }

  const levelOf = ({ name, rule }: Subject, now: number): number => {
    const state = statesLike(name).get(name)
    return state ? Math.max(0, state.level - Math.max(0, now - state.at) / rule.decayMs) : 0
  }

  function put(subject: Subject, level: number, now: number): void {
    const subjects = statesLike(subject.name)
    if (level <= 0) subjects.delete(subject.name)
    else subjects.set(subject.name, { level, at: now, blockedUntil: now + waitAt(level, subject.rule) })
  }

  return {
    begin(subjects: readonly Subject[]): Attempt {
      const now = clock()
      const waits = subjects.map(({ name }) => (statesLike(name).get(name)?.blockedUntil ?? 0) - now)
      const waitMs = Math.max(...waits)
      if (waitMs > 0) return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      for (const subject of subjects) put(subject, levelOf(subject, now) + 1, now)
      return {
        ok: true,
        takeBack(subject) {
          const later = clock()
          put(subject, levelOf(subject, later) - 1, later)
        },
      }
    },
    forget: ({ name }: Subject): void => void statesLike(name).delete(name),
  }
}

function waitAt(level: number, { free, maxWaitMs }: ThrottleRule): number {
  const over = Math.ceil(level) - free
  return over <= 0 ? 0 : Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** (over - 1))
}
