// Explains why the server couldn't start because of its storage, and tells the operator what to change. It never shows
// a connection URL, which may contain a password. `side-listeners.ts` does the same for ports.

import { RedisRefused } from '../compose/stores.ts'
import { codeOf, Refusal } from '../errors.ts'
import type { Configuration } from '../settings/configuration.ts'
import { getSqliteCode, isDatabaseAway } from '../store/database.ts'

type Storage = Pick<Configuration, 'databaseUrl' | 'dataFolder'>

/** Returns the error itself if no explanation fits. */
export function explainStorageFailure(error: unknown, storage: Storage): unknown {
  const sentence = sentenceFor(error, storage)
  return sentence === undefined ? error : new Refusal('storage_unavailable', sentence)
}

function sentenceFor(error: unknown, { databaseUrl, dataFolder }: Storage): string | undefined {
  if (error instanceof RedisRefused)
    return `${explainRedisRefusal(error.setting, error.reason)} To start without Redis, set REDIS_OPTIONAL=on.`
  const code = codeOf(error)
  if (databaseUrl !== undefined) return postgresSentence(error, code)
  return dataFolderSentence(SQLITE_CODES[getSqliteCode(error)] ?? code, dataFolder)
}

/** What the system calls it when SQLite has failed. */
const SQLITE_CODES: Record<number, string> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC', 14: 'EACCES' }
const DISK_FULL = ['ENOSPC', 'EDQUOT']
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EIO', ...DISK_FULL]

function dataFolderSentence(code: string, dataFolder: string): string | undefined {
  if (!NOT_WRITABLE.includes(code)) return undefined
  if (code === 'EEXIST') return `${dataFolder} is a file. Set DATA_DIR to a folder.`
  return `The data folder ${dataFolder} is not writable (${code}). ${dataFolderAdvice(code)}`
}

function dataFolderAdvice(code: string): string {
  if (DISK_FULL.includes(code)) return 'Free some space, or set DATA_DIR to a folder on another disk.'
  if (code === 'EIO') return 'Its disk fails: check the system’s log, and move the folder to another disk.'
  const uid = process.geteuid?.()
  // A host folder mounted into a container usually belongs to root.
  if (code === 'EACCES' && uid !== undefined)
    return `Run chown ${uid} on it, or set DATA_DIR to a folder that this user owns.`
  return 'Set DATA_DIR to a folder that this user can write to.'
}

const CONNECTION_WORDS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  closed: 'the connection was closed',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'no answer',
  timeout: 'no answer',
  EHOSTUNREACH: 'no route to its host',
  ENETUNREACH: 'no route to its host',
  '53300': 'too many connections',
  '57P03': 'it is starting or stopping',
}

/** Why a connection failed, in a few words; an unknown code stays as it is. */
export const describeConnectionFailure = (code: string): string => CONNECTION_WORDS[code] ?? code

const POSTGRES_SENTENCES: Record<string, string> = {
  '28P01': 'PostgreSQL rejected the user or password in DATABASE_URL.',
  '28000': 'PostgreSQL rejected the user or password in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist. Create it first.',
  '25006': 'The database in DATABASE_URL is read-only.',
}

/** Codes don't tell these apart from other failures. */
const POSTGRES_MESSAGES: readonly [RegExp, string][] = [
  [
    /statement pooling/,
    'The pooler at DATABASE_URL is in statement mode, which allows no transactions. Set its pool_mode to transaction or session.',
  ],
  [
    /does not support SSL/,
    'DATABASE_URL asks for TLS, which PostgreSQL does not offer there. Turn it on in PostgreSQL, or remove sslmode.',
  ],
  [
    /^no pg_hba\.conf entry .*no encryption/,
    'PostgreSQL accepts no connection from here without TLS, or none at all (pg_hba.conf). Add ?sslmode=verify-full to DATABASE_URL.',
  ],
]

function postgresSentence(error: unknown, code: string): string | undefined {
  const known = POSTGRES_MESSAGES.find(([message]) => error instanceof Error && message.test(error.message))
  if (known) return known[1]
  if (isDatabaseAway(error))
    return `PostgreSQL cannot be reached at DATABASE_URL (${describeConnectionFailure(code === 'unknown' ? 'timeout' : code)}).`
  // Safe to show: the message names one of our own tables or schemas.
  if (code === '42501' && error instanceof Error)
    return `The user in DATABASE_URL lacks a permission: ${error.message}.`
  return POSTGRES_SENTENCES[code]
}

const REDIS_SENTENCES: Record<string, (setting: string) => string> = {
  NOAUTH: (setting) => `Redis requires a password. Write ${setting} as redis://user:password@host.`,
  WRONGPASS: (setting) => `Redis rejected the user or password in ${setting}.`,
  NOPERM: (setting) => `The Redis user in ${setting} lacks a permission. docs/security/README.md says which it needs.`,
  MOVED: (setting) => `${setting} points to a Redis Cluster. Write it as redis+cluster://host:port,host:port.`,
  STANDALONE: (setting) =>
    `${setting} points to a Redis server that is not part of a cluster. Write it as redis://host:port.`,
}

/** `reason` is that of a lasting refusal: all but the known ones are failures of TLS. */
export const explainRedisRefusal = (setting: string, reason: string): string =>
  REDIS_SENTENCES[reason]?.(setting) ?? `The TLS connection to Redis at ${setting} failed (${reason}).`
