// Explains why storage made a start fail, in one sentence that tells the operator what to change. It names settings,
// never their values: an address may contain a password. `side-listeners.ts` does the same for ports.

import { RedisRefused } from '../compose/stores.ts'
import { Refusal } from '../errors.ts'
import { isDatabaseAway } from '../postgres/database.ts'
import type { Configuration } from '../settings/configuration.ts'

type Storage = Pick<Configuration, 'databaseUrl' | 'dataFolder'>

/** Returns the error itself if no explanation fits. */
export function explainStorageFailure(error: unknown, storage: Storage): unknown {
  const sentence = sentenceFor(error, storage)
  return sentence === undefined ? error : new Refusal(503, sentence)
}

function sentenceFor(error: unknown, { databaseUrl, dataFolder }: Storage): string | undefined {
  if (error instanceof RedisRefused)
    return `${explainRedisRefusal(error.setting, error.reason)} To start without Redis, set REDIS_OPTIONAL=on.`
  const code = codeOf(error)
  return databaseUrl === undefined ? dataFolderSentence(code, dataFolder) : postgresSentence(error, code)
}

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC', 'EDQUOT']

function dataFolderSentence(code: string, dataFolder: string): string | undefined {
  if (!NOT_WRITABLE.includes(code)) return undefined
  const uid = process.geteuid?.()
  // A host folder mounted into a container usually belongs to root.
  const advice =
    code === 'EACCES' && uid !== undefined
      ? `Give it to this user (chown ${uid} on the folder), or set DATA_DIR to one that is theirs.`
      : 'Set DATA_DIR to a folder that this user can write.'
  return `The data folder ${dataFolder} cannot be written (${code}). ${advice}`
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
    return `PostgreSQL cannot be reached at DATABASE_URL (${describeConnectionFailure(code || 'timeout')}).`
  // Safe to show: the message names one of our own tables or schemas.
  if (code === '42501' && error instanceof Error) return `The user in DATABASE_URL lacks a right: ${error.message}.`
  return POSTGRES_SENTENCES[code]
}

const REDIS_SENTENCES: Record<string, (setting: string) => string> = {
  NOAUTH: (setting) => `Redis wants a password. Put it into ${setting}: redis://user:password@host.`,
  WRONGPASS: (setting) => `Redis rejected the user or password in ${setting}.`,
  NOPERM: (setting) => `The Redis user in ${setting} lacks a right. docs/security/README.md says which it needs.`,
  MOVED: (setting) => `${setting} leads to a Redis Cluster. Write it as redis+cluster://host:port,host:port.`,
  STANDALONE: (setting) => `${setting} leads to a Redis that is not part of a cluster. Write it as redis://host:port.`,
}

/** `reason` is that of a lasting refusal: all but the known ones are failures of TLS. */
export const explainRedisRefusal = (setting: string, reason: string): string =>
  REDIS_SENTENCES[reason]?.(setting) ?? `The TLS connection to Redis at ${setting} failed (${reason}).`

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
