import { describe, expect, it } from 'vitest'
import { RedisRefused } from '../compose/stores.ts'
import { Refusal } from '../errors.ts'
import { explainListenFailure } from './side-listeners.ts'
import { explainStorageFailure } from './start-failure.ts'

const withPostgres = { databaseUrl: 'postgres://ada:hunter2@db', dataFolder: './data' }
const small = { ...withPostgres, databaseUrl: undefined }

const failed = (code: string, message = 'connect to db as ada with hunter2') =>
  Object.assign(new Error(message), { code })

const sentenceIn = (explained: unknown): unknown =>
  explained instanceof Refusal ? explained.body['detail'] : explained

const sentence = (error: unknown, storage: typeof withPostgres | typeof small): unknown =>
  sentenceIn(explainStorageFailure(error, storage))

describe('why an instance did not start', () => {
  it.each([
    ['EADDRINUSE', ['', 80], 'Port 80 is already in use. Set PORT to a free port.'],
    ['EACCES', ['', 80], 'This user may not listen on port 80. Set PORT to a port above 1023.'],
    ['EADDRNOTAVAIL', ['', 80], 'HOST is not an address of this machine.'],
    ['EADDRINUSE', ['METRICS_', 9_090], 'Port 9090 is already in use. Set METRICS_PORT to a free port.'],
    ['EADDRNOTAVAIL', ['METRICS_', 9_090], 'METRICS_HOST is not an address of this machine.'],
    ['EADDRINUSE', ['ADMIN_', 9_091], 'Port 9091 is already in use. Set ADMIN_PORT to a free port.'],
  ] as const)('%s of %j: %s', (code, [prefix, port], expected) => {
    expect(sentenceIn(explainListenFailure(failed(code), prefix, port))).toBe(expected)
  })

  it.each([
    ['ECONNREFUSED', 'PostgreSQL cannot be reached at DATABASE_URL (connection refused).'],
    ['57P03', 'PostgreSQL cannot be reached at DATABASE_URL (it is starting or stopping).'],
    ['28P01', 'PostgreSQL rejected the user or password in DATABASE_URL.'],
    ['3D000', 'The database in DATABASE_URL does not exist. Create it first.'],
    ['25006', 'The database in DATABASE_URL is read-only.'],
  ])('PostgreSQL, %s: %s', (code, expected) => {
    expect(sentence(failed(code), withPostgres)).toBe(expected)
  })

  it.each([
    ['08P01', 'transaction blocks not allowed in statement pooling mode', 'pool_mode'],
    ['', 'The server does not support SSL connections', 'remove sslmode'],
    [
      '28000',
      'no pg_hba.conf entry for host "10.0.0.9", user "ada", database "b", no encryption',
      '?sslmode=verify-full',
    ],
    ['', 'timeout exceeded when trying to connect', 'PostgreSQL cannot be reached at DATABASE_URL (no answer).'],
  ])('PostgreSQL, %s %s: %s', (code, message, expected) => {
    expect(sentence(failed(code, message), withPostgres)).toContain(expected)
  })

  it('names the table that a role may not use', () => {
    const error = failed('42501', 'permission denied for table instance_secret')
    expect(sentence(error, withPostgres)).toBe(
      'The user in DATABASE_URL lacks a right: permission denied for table instance_secret.',
    )
  })

  it.each([
    ['NOAUTH', 'Redis wants a password. Put it into REDIS_URL: redis://user:password@host.'],
    ['WRONGPASS', 'Redis rejected the user or password in REDIS_URL.'],
    ['NOPERM', 'The Redis user in REDIS_URL lacks a right. docs/security/README.md says which it needs.'],
    ['MOVED', 'REDIS_URL leads to a Redis Cluster. Write it as redis+cluster://host:port,host:port.'],
    ['STANDALONE', 'REDIS_URL leads to a Redis that is not part of a cluster. Write it as redis://host:port.'],
    ['CERT_HAS_EXPIRED', 'The TLS connection to Redis at REDIS_URL failed (CERT_HAS_EXPIRED).'],
  ])('names the setting that Redis refuses: %s', (reason, expected) => {
    const error = new RedisRefused('REDIS_URL', reason)
    expect(sentence(error, withPostgres)).toBe(`${expected} To start without Redis, set REDIS_OPTIONAL=on.`)
  })

  it('names the data folder that cannot be written', () => {
    expect(sentence(failed('EROFS'), small)).toBe(
      'The data folder ./data cannot be written (EROFS). Set DATA_DIR to a folder that this user can write.',
    )
  })

  it('names the user that must own the data folder', () => {
    expect(sentence(failed('EACCES'), small)).toBe(
      `The data folder ./data cannot be written (EACCES). Give it to this user (chown ${process.getuid?.()} on the folder), or set DATA_DIR to one that is theirs.`,
    )
  })

  it('an error without an explanation is passed on unchanged', () => {
    const error = failed('XX000')
    expect(explainStorageFailure(error, withPostgres)).toBe(error)
    expect(explainStorageFailure('nothing', small)).toBe('nothing')
    expect(explainListenFailure('nothing', '', 80)).toBe('nothing')
  })
})
