// Bounds on concurrent work, so that one provider or host that hangs leaves memory, sockets and the others alone.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'

/** Limits this process' concurrent calls to one provider, including those waiting for the rate limit. */
export interface Bulkhead {
  /** False if it is full. Call `leave` exactly once for every `true`. */
  enter: () => boolean
  leave: () => void
  inside: () => number
}

export function createBulkhead(most: number): Bulkhead {
  let inside = 0
  return {
    enter() {
      if (inside >= most) return false
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

interface Line {
  active: number
  waiting: Set<() => void>
}

export function createHostQueue({ most, mostWaiting }: { most: number; mostWaiting: number }): HostQueue {
  const lines = new Map<string, Line>()

  async function enter(line: Line, signal: AbortSignal): Promise<void> {
    if (line.active < most) {
      line.active += 1
      return
    }
    if (line.waiting.size >= mostWaiting) throw new UpstreamError('busy', 'too much is being fetched from this host')
    const { promise: free, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () =>
      reject(new UpstreamError('timeout', 'the host is too slow for everything that is wanted of it'))
    signal.addEventListener('abort', giveUp)
    line.waiting.add(resolve)
    try {
      await free
    } finally {
      line.waiting.delete(resolve)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Passes the slot on to the next in the queue. */
  function leave(line: Line, host: string): void {
    const [next] = line.waiting
    if (next) {
      line.waiting.delete(next)
      next()
      return
    }
    line.active -= 1
    if (line.active === 0) lines.delete(host)
  }

  return {
    async run(host, signal, work) {
      const line = lines.get(host) ?? { active: 0, waiting: new Set() }
      lines.set(host, line)
      await enter(line, signal)
      try {
        return await work()
      } finally {
        leave(line, host)
      }
    },
  }
}
