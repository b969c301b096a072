// Bounds on concurrent work, so that one provider or host that hangs leaves memory, sockets and the others alone.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'

/** Limits concurrent work in this process. For a provider, that includes calls waiting for the rate limit. */
export interface Bulkhead {
  /** False if it is full. Call `leave` exactly once for every `true`. */
  enter: () => boolean
  leave: () => void
  inside: () => number
}

export function createBulkhead(maxInside: number): Bulkhead {
  let inside = 0
  return {
    enter() {
      if (inside >= maxInside) return false
      inside++
      return true
    },
    leave() {
      inside--
    },
    inside: () => inside,
  }
}

/**
 * Limits the concurrent work for each owner: fetches from one host, or pages read for one key. Work beyond the limit
 * waits, so a page with forty pictures from one host gets them all, while a host that hangs doesn't block the others.
 */
interface FairQueue {
  /** Rejects with UpstreamError if the owner's queue is full, or if the signal aborts before the work could start. */
  run: <Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>
}

/** The work for one owner, running and waiting. */
interface OwnedWork {
  active: number
  waiting: Set<() => void>
}

const waitedTooLong = () => new UpstreamError('timeout', 'the wait for earlier work took too long')

export function createFairQueue({ maxActive, maxWaiting }: { maxActive: number; maxWaiting: number }): FairQueue {
  const owners = new Map<string, OwnedWork>()

  async function enter(work: OwnedWork, signal: AbortSignal): Promise<void> {
    if (work.active < maxActive) {
      work.active += 1
      return
    }
    if (work.waiting.size >= maxWaiting) throw new UpstreamError('busy', 'too much is waiting already')
    const { promise: free, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => reject(waitedTooLong())
    signal.addEventListener('abort', giveUp)
    work.waiting.add(resolve)
    try {
      await free
    } finally {
      work.waiting.delete(resolve)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Passes the slot on to the next in the queue. */
  function leave(work: OwnedWork, owner: string): void {
    const [next] = work.waiting
    if (next) {
      work.waiting.delete(next)
      next()
      return
    }
    work.active -= 1
    if (work.active === 0) owners.delete(owner)
  }

  return {
    async run(owner, signal, doWork) {
      if (signal.aborted) throw waitedTooLong()
      const work = owners.get(owner) ?? { active: 0, waiting: new Set() }
      owners.set(owner, work)
      await enter(work, signal)
      try {
        // The slot may have become free in the moment in which the time was over.
        if (signal.aborted) throw waitedTooLong()
        return await doWork()
      } finally {
        leave(work, owner)
      }
    },
  }
}
