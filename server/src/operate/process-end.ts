// What ends a process: the signals that stop an instance, and uncaught errors.
import type { Log } from '../log.ts'

type StopSignal = 'SIGINT' | 'SIGTERM'

/** Signals within this time of the first are ignored: under npm, Ctrl-C arrives from the terminal and from npm. */
const DUPLICATE_SIGNAL_MS = 1_000
/** The exit code of a process ended by Ctrl-C. */
const INTERRUPTED_EXIT_CODE = 130

/** Resolves on the first stop signal. Another one, more than a second later, exits immediately. */
export function untilSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  let firstAt: number | undefined
  const onSignal = (signal: StopSignal) => {
    firstAt ??= performance.now()
    resolve(signal)
    if (performance.now() - firstAt > DUPLICATE_SIGNAL_MS) process.exit(INTERRUPTED_EXIT_CODE)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal(signal))
  return promise
}

/**
 * Ends the process after an uncaught exception: its state is unknown, so it must not continue, and a supervisor restarts
 * it. Without this, Node would print the raw error, including any private data in its message.
 */
export function exitOnUncaughtError(log: Log): void {
  const exitAfter = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind)
    // Pending log lines are written on exit.
    process.exit(1)
  }
  process.on('uncaughtException', exitAfter('uncaught exception'))
  process.on('unhandledRejection', exitAfter('unhandled rejection'))
}
