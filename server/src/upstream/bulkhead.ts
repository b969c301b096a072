// How many calls to one provider this process has under way, those that wait for their turn included. A provider that
// hangs fills its own bulkhead and leaves memory, sockets and the other providers alone.

export interface Bulkhead {
  /** False when it is full. Whoever is let in must leave, exactly once. */
  enter: () => boolean
  leave: () => void
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
  }
}
