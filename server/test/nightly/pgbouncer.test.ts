// An instance behind PgBouncer in transaction mode, where every transaction may use another connection, with a role
// that may only read and write rows. Most tests of the API run that way.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalChangeBus } from '../../src/keys/key-changes.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createLog } from '../../src/log.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { createApiClient } from '../support/api-client.ts'
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.ts'
import { type PrivatePgBouncer, startPrivatePgBouncer } from '../support/private-pgbouncer.ts'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { bowerbird, startServerProcess } from '../support/server-process.ts'
import { createTemporaryDatabase } from '../support/temporary-database.ts'

const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test'
const ROOT = resolve(import.meta.dirname, '../../..')
/** The sections that use the database most. */
const SPEC = ['provider-state', 'usage', 'authentication', 'limits', 'limit-settings']
const KEYS = 40

const role = `bb_role_${randomBytes(6).toString('hex')}`
let pooler: PrivatePgBouncer
let redis: PrivateRedis

async function inPostgres(statement: string): Promise<void> {
  const client = new pg.Client(SERVER)
  await client.connect()
  await client.query(statement)
  await client.end()
}

beforeAll(async () => {
  await inPostgres(`create role ${role} login nosuperuser nocreatedb nocreaterole`)
  pooler = await startPrivatePgBouncer(SERVER, role)
  redis = await startPrivateRedis()
  process.env['TEST_POOLER_URL'] = pooler.url
})
afterAll(async () => {
  delete process.env['TEST_POOLER_URL']
  await Promise.all([pooler?.stop(), redis?.stop()])
  await inPostgres(`drop role if exists ${role}`)
})

describe('through a pooler, with minimal permissions', () => {
  it('a node starts, and finds every uncached key', async () => {
    const database = await createTemporaryDatabase()
    const settings = { DATABASE_URL: database.url, REDIS_URL: redis.url }
    expect(
      await bowerbird(['user', 'create', 'ada', '--password-stdin'], settings, 'correct horse battery\n'),
    ).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Data: PostgreSQL /) })
    const server = await startServerProcess(settings)
    try {
      const keys = await createKeys(database.url)
      const api = await createApiClient(server.url)
      // Twice concurrently: on any connection of the node, and on any of the pooler.
      const replies = await Promise.all([...keys, ...keys].map((key) => api.get('/api/v1/key/', { key })))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      expect(server.logged()).not.toMatch(/"level":[456]0/)
    } finally {
      await server.stop()
      await database.drop()
    }
  })

  it('the API works as ever', { timeout: 180_000 }, async () => {
    const files = SPEC.map((name) => `server/test/spec/${name}.test.ts`)
    const vitest = resolve(ROOT, 'node_modules/vitest/vitest.mjs')
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, NO_COLOR: '1', TEST_POOLER_URL: pooler.url, TEST_POSTGRES_URL: SERVER }
    const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
      execFile(process.execPath, [vitest, 'run', ...files], { cwd: ROOT, env }, (error, stdout, stderr) =>
        done({ code: error ? 1 : 0, output: stdout + stderr }),
      )
    })
    expect({ code, output: code === 0 ? '' : output.slice(-4_000) }).toEqual({ code: 0, output: '' })
    expect(output).toContain(`Test Files  ${SPEC.length} passed`)
  })
})

async function createKeys(url: string): Promise<string[]> {
  const log = createLog('silent')
  const { db, close } = openPostgres(url, log)
  const changes = createLocalChangeBus()
  const access = { db, clock: Date.now, randomBytes, changes, log, maxKeysPerUser: KEYS, passwordCost: CHEAP_PASSWORDS }
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) keys.push((await createKey(access, { owner: { username: 'ada' } })).full)
  await close()
  return keys
}
