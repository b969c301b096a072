// Limits this process' concurrent calls to one provider, including those waiting for the rate limit. A provider that
// hangs fills its own bulkhead and leaves memory, sockets and the other providers alone.

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
