// Node's defaults suit programs that compute; a server that mostly waits pays for them in memory. So `serve` replaces its
// own process, with the same id, by one that
//
// - has the compile cache from its very first file on: what strips types, 25 MB of it, is then never loaded,
// - can collect garbage when told to. It does so after the start, and once a busy time is over: V8 itself would keep the
//   room for the next one, for as long as nobody needs it. Never before it is quiet: a heap that was just made small
//   costs the next second a fifth of its CPU.
//
// Whoever starts Node with `--expose-gc` has a process as it is.

const COLLECTABLE = '--expose-gc'
const LOOK_EVERY_MS = 15_000
/** Of that time, what the process may have been busy. */
const QUIET = 0.02
const WORTH_COLLECTING_MB = 32

export interface ProcessStart {
  execArgv: readonly string[]
  argv: readonly string[]
  env: NodeJS.ProcessEnv
}

/** What to start instead; undefined if this process is lean already, or the operator has chosen otherwise. */
export function leanStart(
  { execArgv, argv, env }: ProcessStart,
  cacheFolder: string | undefined,
): { args: string[]; env: NodeJS.ProcessEnv } | undefined {
  const given = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)]
  if (given.some((flag) => flag.replaceAll('_', '-') === COLLECTABLE)) return undefined
  const [program = '', ...rest] = argv
  return {
    args: [program, COLLECTABLE, ...execArgv, ...rest],
    env: cacheFolder === undefined ? env : { NODE_COMPILE_CACHE: cacheFolder, ...env },
  }
}

/** Does not return if this process is replaced. One with a channel to its parent, such as Node's watch mode, is not. */
export function becomeLean(cacheFolder: string | undefined): void {
  const start = leanStart(process, cacheFolder)
  if (!start || process.connected) return
  try {
    process.execve?.(process.execPath, start.args, start.env)
  } catch {
    // Not on this system, or not allowed to: it runs all the same.
  }
}

/** Lets go of what only the start needed, and from then on of what busy times leave behind. */
export function releaseMemory(): void {
  let before = performance.eventLoopUtilization()
  let smallestMb = Number.POSITIVE_INFINITY
  const collect = async () => {
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    smallestMb = heapMb()
  }
  void collect()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization < QUIET && heapMb() > smallestMb + WORTH_COLLECTING_MB) void collect()
  }, LOOK_EVERY_MS).unref()
}

const heapMb = (): number => process.memoryUsage().heapTotal / 2 ** 20
