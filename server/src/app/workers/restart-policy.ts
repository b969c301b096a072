// When another worker is started in place of one that died: at once, then after longer and longer waits while they keep
// dying, so that a broken instance does not spend its time on starts. If several in a row die before they are ready,
// the next one would too, and the parent gives up: whoever supervises it sees that, and an operator its last words.

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 10_000
/** Deaths before that are forgotten. */
const MEMORY_MS = 60_000
const MOST_FAILED_STARTS = 5

export class RestartPolicy {
  readonly #clock: () => number
  #deaths: number[] = []
  #failedStarts = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** One was ready to serve. */
  ready(): void {
    this.#failedStarts = 0
  }

  /** How long to wait before another is started; undefined: there is no point. */
  died({ wasReady }: { wasReady: boolean }): number | undefined {
    const now = this.#clock()
    if (!wasReady && ++this.#failedStarts >= MOST_FAILED_STARTS) return undefined
    this.#deaths = [...this.#deaths.filter((at) => now - at < MEMORY_MS), now]
    const earlier = this.#deaths.length - 1
    return earlier === 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (earlier - 1), LONGEST_WAIT_MS)
  }
}
