// Limits guessing. Every attempt raises the level of each of its subjects (a name, an address), and levels decay over
// time. Below a threshold nothing happens; above it, each further attempt must wait twice as long as the previous one,
// up to a maximum. An attempt counts before its outcome is known, so a thousand concurrent attempts aren't a thousand
// free ones; a successful one is taken back.
//
// State is kept in the process: the rate limiter can't count waits that double, no name or address leaves the node, and
// signing in doesn't depend on Redis. With n nodes a guesser gets n times as many attempts, which is still far too few.
// Each kind of subject (names, networks and so on) has its own bounded memory, so flooding one doesn't evict the
// others.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'

interface Patience {
  /** The level up to which attempts don't wait. */
  free: number
  longestWaitMs: number
  /** The level sinks by one in this time. */
  sinkMs: number
}

/** Something an attempt counts against. All subjects of an attempt must allow it. */
export interface Subject {
  /** Starts with the kind of subject, such as 'network'. */
  name: string
  patience: Patience
}

export type Attempt = { ok: true; takeBack: (subject: Subject) => void } | { ok: false; retryAfterSeconds: number }

export interface AttemptThrottle {
  begin: (subjects: readonly Subject[]) => Attempt
  forget: (subject: Subject) => void
}

const MOST_SUBJECTS = 50_000
const FIRST_WAIT_MS = 2_000

interface Standing {
  level: number
  at: number
  blockedUntil: number
}

export function createAttemptThrottle(clock: () => number): AttemptThrottle {
  const standings = new Map<string, LRUCache<string, Standing>>()

  /** Returns the standings of all subjects of the same kind. */
  function alike(name: string): LRUCache<string, Standing> {
    const kind = name.slice(0, name.indexOf(' ') + 1)
    const known = standings.get(kind) ?? new LRUCache<string, Standing>(atMost(MOST_SUBJECTS))
    standings.set(kind, known)
    return known
  }

  const levelOf = ({ name, patience }: Subject, now: number): number => {
    const standing = alike(name).get(name)
    return standing ? Math.max(0, standing.level - Math.max(0, now - standing.at) / patience.sinkMs) : 0
  }

  function put(subject: Subject, level: number, now: number): void {
    const subjects = alike(subject.name)
    if (level <= 0) subjects.delete(subject.name)
    else subjects.set(subject.name, { level, at: now, blockedUntil: now + waitAt(level, subject.patience) })
  }

  return {
    begin(subjects) {
      const now = clock()
      const waits = subjects.map(({ name }) => (alike(name).get(name)?.blockedUntil ?? 0) - now)
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
    forget: ({ name }) => void alike(name).delete(name),
  }
}

function waitAt(level: number, { free, longestWaitMs }: Patience): number {
  const over = Math.ceil(level) - free
  return over <= 0 ? 0 : Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** (over - 1))
}
