import { describe, expect, it } from 'vitest'
import { RedisRefused } from '../compose/stores.ts'
import { Refusal } from '../errors.ts'
import { explainStartFailure, type StartStep } from './start-failure.ts'

const operation = { adminPort: 9_091, metricsPort: 9_090 }
const withPostgres = { port: 80, operation, databaseUrl: 'postgres://ada:hunter2@db', dataFolder: './data' }
const small = { ...withPostgres, databaseUrl: undefined }

const failed = (code: string, message = 'connect to db as ada with hunter2') =>
  Object.assign(new Error(message), { code })

const sentence = (error: unknown, step: StartStep, settings: typeof withPostgres | typeof small): unknown => {
  const explained = explainStartFailure(error, step, settings)
  return explained instanceof Refusal ? explained.body['detail'] : explained
}

describe('why an instance did not start', () => {
  it.each([
    ['http', 'EADDRINUSE', 'Port 80 is already in use. Set PORT to a free port.'],
    ['http', 'EACCES', 'This user may not listen on port 80. Set PORT to a port above 1023.'],
    ['http', 'EADDRNOTAVAIL', 'HOST is not an address of this machine.'],
    ['metrics', 'EADDRINUSE', 'Port 9090 is already in use. Set METRICS_PORT to a free port.'],
    ['metrics', 'EADDRNOTAVAIL', 'METRICS_HOST is not an address of this machine.'],
    ['admin', 'EADDRINUSE', 'Port 9091 is already in use. Set ADMIN_PORT to a free port.'],
    ['storage', 'ECONNREFUSED', 'PostgreSQL cannot be reached at DATABASE_URL (ECONNREFUSED).'],
    ['storage', '28P01', 'PostgreSQL rejected the user or password in DATABASE_URL.'],
    ['storage', '3D000', 'The database in DATABASE_URL does not exist. Create it first.'],
    ['storage', '25006', 'The database in DATABASE_URL is read-only.'],
  ] as const)('%s, %s: %s', (step, code, expected) => {
    expect(sentence(failed(code), step, withPostgres)).toBe(expected)
  })

  it('names the table that a role may not use', () => {
    const error = failed('42501', 'permission denied for table instance_secret')
    expect(sentence(error, 'storage', withPostgres)).toBe(
      'The user in DATABASE_URL lacks a right: permission denied for table instance_secret.',
    )
  })

  it.each([
    ['NOAUTH', 'Redis wants a password. Put it into REDIS_URL: redis://user:password@host.'],
    ['WRONGPASS', 'Redis rejected the user or password in REDIS_URL.'],
    ['NOPERM', 'The Redis user in REDIS_URL lacks a right. docs/operate/security.md says which it needs.'],
    ['MOVED', 'REDIS_URL leads to a Redis Cluster. Write it as redis+cluster://host:port,host:port.'],
    ['STANDALONE', 'REDIS_URL leads to a Redis that is not part of a cluster. Write it as redis://host:port.'],
    ['CERT_HAS_EXPIRED', 'The TLS connection to Redis at REDIS_URL failed (CERT_HAS_EXPIRED).'],
  ])('says what Redis refuses us for: %s', (reason, expected) => {
    const error = new RedisRefused('REDIS_URL', reason)
    expect(sentence(error, 'storage', withPostgres)).toBe(
      `${expected} To start without Redis, set REDIS_OPTIONAL=true.`,
    )
  })

  it('names the data folder that cannot be written', () => {
    expect(sentence(failed('EROFS'), 'storage', small)).toBe(
      'The data folder ./data cannot be written (EROFS). Set DATA_DIR to a folder that this user can write.',
    )
  })

  it('says whose a data folder must be that belongs to someone else', () => {
    expect(sentence(failed('EACCES'), 'storage', small)).toBe(
      `The data folder ./data cannot be written (EACCES). Give it to this user (chown ${process.getuid?.()} on the folder), or set DATA_DIR to one that is theirs.`,
    )
  })

  it('leaves an error alone that it knows nothing about', () => {
    const error = failed('XX000')
    expect(explainStartFailure(error, 'storage', withPostgres)).toBe(error)
    expect(explainStartFailure('nothing', 'http', small)).toBe('nothing')
  })
})
