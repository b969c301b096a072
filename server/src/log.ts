// Logs JSON lines to standard error. A line never contains a query, a key, a password or an address: callers pass only
// ids, counts and durations. Our own error messages are logged as they are. Messages from PostgreSQL, Redis, Node or a
// library may quote anything, so only known forms of them are logged, besides the error's type, code and stack.
import { type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

interface Destination {
  write: (line: string) => void
  /** Called before the process exits. */
  flushSync?: () => void
}

/** Writes to standard error unless a test passes its own destination. */
export function createLog(level: LogLevel, destination: Destination = openStandardError()): Log {
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination,
  )
}

/** Writes every 16 KB or 250 ms, and at exit; a killed process loses what it hasn't written. */
const openStandardError = (): Destination =>
  pino.destination({ dest: 2, sync: false, minLength: 16_000, periodicFlush: 250 })

export interface ErrorDescription {
  type: string
  code?: string
  message?: string
  stack?: string
  cause?: ErrorDescription
}

export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error }
  const message = isOurs(error) ? error.message : knownMessage(error.message)
  const names = namesOf(error)
  const stack = framesOf(error)
  return {
    ...names,
    ...(message !== undefined && { message }),
    ...(stack && { stack: `${message ?? names.type}\n${stack}` }),
    ...(error.cause !== undefined && { cause: describeCause(error.cause, 1) }),
  }
}

const MAX_CAUSE_DEPTH = 3

/** A cause comes from a library or driver: an error of ours would have been thrown as it is. */
function describeCause(cause: unknown, depth: number): ErrorDescription {
  if (!(cause instanceof Error)) return { type: typeof cause }
  const message = knownMessage(cause.message)
  // A host with several addresses fails with one error per address.
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause.cause
  return {
    ...namesOf(cause),
    ...(message !== undefined && { message }),
    ...(inner !== undefined && depth < MAX_CAUSE_DEPTH && { cause: describeCause(inner, depth + 1) }),
  }
}

/** Errors from drivers and libraries have a `code` or their own `name`. */
const isOurs = (error: Error): boolean => error.name === 'Error' && !('code' in error)

/** Classes, and codes such as 42501, ECONNREFUSED and UND_ERR_SOCKET. */
const NAME = /^[A-Za-z][A-Za-z]{0,40}$/
const CODE = /^(?:[0-9A-Z]{5}|[A-Z][A-Z0-9_]{2,40})$/

function namesOf(error: Error): { type: string; code?: string } {
  const code = 'code' in error ? error.code : undefined
  return {
    type: NAME.test(error.name) ? error.name : 'Error',
    ...(typeof code === 'string' && CODE.test(code) && { code }),
  }
}

const FRAME = /^ {4}at /

/** The stack frames, without the message above them, a line of which may look like a frame. */
const framesOf = ({ stack = '', message }: Error): string =>
  stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n')

/** The names of our own tables, columns and indexes. */
const IDENTIFIER = '"?[a-z][a-z0-9_]{0,62}"?'

/** Third-party messages that are safe to log: the part that one of these matches, from the start of the message. */
const KNOWN_MESSAGES: readonly RegExp[] = [
  // PostgreSQL
  new RegExp(`^permission denied for (?:table|schema|sequence|database|function|relation) ${IDENTIFIER}$`),
  new RegExp(`^must be owner of (?:table|schema|sequence|relation|index) ${IDENTIFIER}$`),
  new RegExp(`^relation ${IDENTIFIER} (?:does not exist|already exists)$`),
  new RegExp(`^column ${IDENTIFIER}(?: of relation ${IDENTIFIER})? does not exist$`),
  new RegExp(`^(?:duplicate key value violates unique|new row violates check) constraint ${IDENTIFIER}$`),
  /^password authentication failed for user\b/,
  /^cannot execute [A-Z ]{1,30} in a read-only transaction$/,
  /^canceling statement due to (?:statement timeout|lock timeout|user request)$/,
  /^terminating connection due to [a-z ,-]{1,60}$/,
  /^the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)$/,
  /^(?:sorry, too many clients already|deadlock detected|out of shared memory)$/,
  /^could not (?:serialize access|extend file)\b/,
  /^remaining connection slots are reserved\b/,
  /^prepared statement\b/,
  // SQLite
  /^(?:database or disk is full|disk I\/O error|attempt to write a readonly database|unable to open database file)$/,
  /^(?:database disk image is malformed|file is not a database|database is locked)$/,
  // pg and ioredis
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated(?: unexpectedly)?)/,
  /^(?:Command timed out|Connection is closed\.)$/,
  // Redis: the code of an error reply
  /^(?:READONLY|OOM|LOADING|MISCONF|NOAUTH|WRONGPASS|NOPERM|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|MOVED|BUSY|WRONGTYPE)\b/,
  // Node: the system call and the code, without the address
  /^(?:connect|listen|read|write|open|mkdir|getaddrinfo) E[A-Z0-9_]{2,20}\b/,
  /^(?:self-signed certificate|unable to verify the first certificate|certificate has expired)/,
]

function knownMessage(message: string): string | undefined {
  for (const known of KNOWN_MESSAGES) {
    const [text] = known.exec(message) ?? []
    if (text !== undefined) return text
  }
  return undefined
}
