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
 * Limits the concurrent fetches from one host. Fetches beyond the limit wait, so a page with forty pictures from one
 * host gets them all, while a host that hangs doesn't block fetches from other hosts.
 */
interface HostQueue {
  /** Rejects with UpstreamError if the queue is full, or if the signal aborts before it could start. */
  run: <Result>(host: string, signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>
}

/** The fetches from one host, running and waiting. */
interface HostFetches {
  active: number
  waiting: Set<() => void>
}

export function createHostQueue({ maxActive, maxWaiting }: { maxActive: number; maxWaiting: number }): HostQueue {
  const hosts = new Map<string, HostFetches>()

  async function enter(fetches: HostFetches, signal: AbortSignal): Promise<void> {
    if (fetches.active < maxActive) {
      fetches.active += 1
      return
    }
    if (fetches.waiting.size >= maxWaiting) throw new UpstreamError('busy', 'too much is being fetched from this host')
    const { promise: free, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => reject(new UpstreamError('timeout', 'the fetches waiting for this host took too long'))
    signal.addEventListener('abort', giveUp)
    fetches.waiting.add(resolve)
    try {
      await free
    } finally {
      fetches.waiting.delete(resolve)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Passes the slot on to the next in the queue. */
  function leave(fetches: HostFetches, host: string): void {
    const [next] = fetches.waiting
    if (next) {
      fetches.waiting.delete(next)
      next()
      return
    }
    fetches.active -= 1
    if (fetches.active === 0) hosts.delete(host)
  }

  return {
    async run(host, signal, work) {
      const fetches = hosts.get(host) ?? { active: 0, waiting: new Set() }
      hosts.set(host, fetches)
      await enter(fetches, signal)
      try {
        return await work()
      } finally {
        leave(fetches, host)
      }
    },
  }
}
