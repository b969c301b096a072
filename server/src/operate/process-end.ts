// What ends a process: the signals that stop an instance, and uncaught errors.
import type { Log } from '../log.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Signals within this time of the first are ignored: under npm, Ctrl-C arrives from the terminal and from npm. */
const DUPLICATE_SIGNAL_MS = 1_000

/** Calls `again` when a signal follows more than a second after the first, from a user who doesn't want to wait. */
export function onStopSignals({ first, again }: { first: (signal: StopSignal) => void; again: () => void }): void {
  let firstAt: number | undefined
  const onSignal = (signal: StopSignal) => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      first(signal)
    } else if (performance.now() - firstAt > DUPLICATE_SIGNAL_MS) again()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal(signal))
}

/** Resolves on the first stop signal. Another one, more than a second later, exits immediately. */
export const untilSignal = (): Promise<StopSignal> =>
  new Promise((resolve) => onStopSignals({ first: resolve, again: () => process.exit(130) }))

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
