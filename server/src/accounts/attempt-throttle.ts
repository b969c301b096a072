// How often somebody may guess. Every attempt raises the level of what it is about (a name, an address), and the level
// sinks by itself over time. Up to a certain level nothing happens; above it, each further attempt must wait twice as
// long as the one before, up to a longest wait. An attempt counts before it is judged, so that a thousand made at once
// are not a thousand free ones; one that succeeds is taken back.
//
// It lives in the process: waits that double are not what the meter counts, nobody's name or address leaves the node for
// it, and signing in does not depend on Redis. With n nodes a guesser has n times as many attempts, still far too few.
import { LRUCache } from 'lru-cache'

interface Patience {
  /** The level up to which nobody waits. */
  free: number
  longestWaitMs: number
  /** The level sinks by one in this time. */
  sinkMs: number
}

/** What an attempt is about: all of its subjects must let it pass. */
export interface Subject {
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
  const standings = new LRUCache<string, Standing>({ max: MOST_SUBJECTS })

  const levelOf = ({ name, patience }: Subject, now: number): number => {
    const standing = standings.get(name)
    return standing ? Math.max(0, standing.level - Math.max(0, now - standing.at) / patience.sinkMs) : 0
  }

  function put(subject: Subject, level: number, now: number): void {
    if (level <= 0) standings.delete(subject.name)
    else standings.set(subject.name, { level, at: now, blockedUntil: now + waitAt(level, subject.patience) })
  }

  return {
    begin(subjects) {
      const now = clock()
      const waits = subjects.map(({ name }) => (standings.get(name)?.blockedUntil ?? 0) - now)
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
    forget: ({ name }) => void standings.delete(name),
  }
}

function waitAt(level: number, { free, longestWaitMs }: Patience): number {
  const over = Math.ceil(level) - free
  return over <= 0 ? 0 : Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** (over - 1))
}
