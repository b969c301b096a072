// Limits how many calls to one provider this process has in progress, including those waiting for their turn. A
// provider that hangs fills its own bulkhead and leaves memory, sockets and the other providers alone.

export interface Bulkhead {
  /** False if it is full. A caller that is let in must leave exactly once. */
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
