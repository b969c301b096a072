// JSON lines on standard error. A log line never holds a query, a key or an upstream address: callers pass only
// identifiers, counts and durations, and an error is reduced to its type, our own message and its stack.
import { type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const createLog = (level: LogLevel): Log =>
  pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, serializers: { err: describeError } },
    // Lines go out together, 16 KB or a quarter of a second at a time. What is left goes out when the process ends,
    // unless it is killed.
    pino.destination({ dest: 2, sync: false, minLength: 16_000, periodicFlush: 250 }),
  )

/** A cause may quote an address or a statement's values, so only its type and code are kept. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { cause } = error
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(cause instanceof Error && { cause: { type: cause.name, code: 'code' in cause ? cause.code : undefined } }),
  }
}
