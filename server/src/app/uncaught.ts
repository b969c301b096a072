// The end of a process in which something was thrown that nobody caught. Its state is unknown, so it must not go on; a
// supervisor starts it again. Without this, Node would print the error as it is, with whatever it quotes.
import type { Log } from '../log.ts'

export function endWhenUncaught(log: Log): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind)
    // What is still to be logged is written on the way out.
    process.exit(1)
  }
  process.on('uncaughtException', end('uncaught exception'))
  process.on('unhandledRejection', end('unhandled rejection'))
}
