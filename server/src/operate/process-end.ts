// What ends a process: the signals that stop an instance, and uncaught errors.
import type { Log } from '../log.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const ONE_REQUEST_MS = 1_000

/** Calls `again` when the signal is repeated, by a user who doesn't want to wait. */
export function onStopSignals({ first, again }: { first: (signal: StopSignal) => void; again: () => void }): void {
  let askedAt: number | undefined
  const onSignal = (signal: StopSignal) => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      first(signal)
    } else if (performance.now() - askedAt > ONE_REQUEST_MS) again()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal(signal))
}

/** Resolves on the first stop signal. A second one exits immediately. */
export const untilSignal = (): Promise<StopSignal> =>
  new Promise((resolve) => onStopSignals({ first: resolve, again: () => process.exit(130) }))

/**
 * Ends the process after an uncaught exception: its state is unknown, so it must not continue, and a supervisor restarts
 * it. Without this, Node would print the raw error, with anything it quotes.
 */
export function endWhenUncaught(log: Log): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind)
    // Pending log lines are written on exit.
    process.exit(1)
  }
  process.on('uncaughtException', end('uncaught exception'))
  process.on('unhandledRejection', end('unhandled rejection'))
}
