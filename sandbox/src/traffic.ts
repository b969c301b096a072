// The rate and concurrency of calls, as a provider that bans clients counts them. A call is too fast if as many as are
// allowed were admitted within the time before it; refused calls do not count against the next.

export interface Allowance {
  calls: number
  perMs: number
}

export class Traffic {
  #admittedAt: number[] = []
  #violations = 0
  #open = 0
  #mostOpen = 0

  get violations(): number {
    return this.#violations
  }

  get maxConcurrent(): number {
    return this.#mostOpen
  }

  opened(): void {
    this.#open++
    if (this.#open > this.#mostOpen) this.#mostOpen = this.#open
  }

  closed(): void {
    this.#open--
  }

  /** Whether a call is admitted now. If not, it is a violation. */
  admits(at: number, { calls, perMs }: Allowance): boolean {
    this.#admittedAt = this.#admittedAt.filter((admittedAt) => at - admittedAt < perMs)
    if (this.#admittedAt.length >= calls) {
      this.#violations++
      return false
    }
    this.#admittedAt.push(at)
    return true
  }

  forgetAdmissions(): void {
    this.#admittedAt = []
  }

  /** Calls in flight stay open. */
  clear(): void {
    this.forgetAdmissions()
    this.#violations = 0
    this.#mostOpen = this.#open
  }
}
