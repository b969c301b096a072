// Work that a node does again and again in the background: never twice at one time, never keeping the process alive,
// and spread a little so that nodes started together do not ask together.

interface Repetition {
  everyMs: number
  random: () => number
  /** Must not reject. */
  work: () => Promise<void>
}

/** The first time at once. The returned function stops it and waits for what is under way. */
export function repeat({ everyMs, random, work }: Repetition): () => Promise<void> {
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
