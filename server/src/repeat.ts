// Repeats background work. Runs never overlap and never keep the process alive. Jitter keeps nodes that were started
// together out of lockstep.

interface Repetition {
  everyMs: number
  /** From 0 to 1; Math.random unless given. */
  random?: () => number
  /** Must not reject. */
  work: () => Promise<void>
}

/** Runs `work` now and then repeatedly. The returned function stops it and waits for the current run. */
export function repeat({ everyMs, random = Math.random, work }: Repetition): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let underWay = Promise.resolve()

  const run = async () => {
    await work()
    if (isStopped) return
    timer = setTimeout(
      () => {
        underWay = run()
      },
      everyMs * (0.9 + random() * 0.2),
    )
    timer.unref()
  }
  underWay = run()

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await underWay
  }
}
