// Node's defaults suit programs that compute; a server that mostly waits pays for them in memory. So `serve` replaces its
// own process, with the same id, by one that
//
// - keeps at most 48 megabytes for new objects, where Node would keep twice that. Less would cost more in collections
//   than it saves,
// - has the compile cache from its very first file on: what strips types, 25 MB of it, is then never loaded,
// - can collect garbage when told to, which it does once, after the start.
//
// Whoever starts Node with a size of their own for new objects keeps that, and everything else as it is.

const NEW_OBJECTS_MB = 16
const NEW_OBJECTS = /^--max[-_]semi[-_]space[-_]size\b/

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
  if (given.some((flag) => NEW_OBJECTS.test(flag))) return undefined
  const [program = '', ...rest] = argv
  return {
    args: [program, `--max-semi-space-size=${NEW_OBJECTS_MB}`, '--expose-gc', ...execArgv, ...rest],
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

/** Lets go of what only the start needed. */
export function releaseStartMemory(): void {
  void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
