// Ends the process after an uncaught exception: its state is unknown, so it must not continue, and a supervisor
// restarts it. Without this, Node would print the raw error, with anything it quotes.
import type { Log } from '../log.ts'

export function endWhenUncaught(log: Log): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind)
    // Pending log lines are written on exit.
    process.exit(1)
  }
  process.on('uncaughtException', end('uncaught exception'))
  process.on('unhandledRejection', end('unhandled rejection'))
}
