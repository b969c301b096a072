// A primary and its standby, both in DATABASE_URL. The primary turns read-only without closing a connection, the standby
// is promoted, and in the end the old primary is gone. The instance follows by itself and loses nothing it has counted.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiClient } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.ts'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { bowerbird, type ServerProcess, startServerProcess } from '../support/server-process.ts'

const parts = new AsyncDisposableStack()
let primary: PrivatePostgres
let standby: PrivatePostgres
let redis: PrivateRedis
let server: ServerProcess
let settings: Record<string, string>

beforeAll(async () => {
  primary = await startPrivatePostgres()
  parts.defer(() => primary.remove())
  redis = await startPrivateRedis()
  parts.defer(() => redis.stop())
  standby = await startPrivatePostgres(primary.url)
  parts.defer(() => standby.remove())
  // The standby comes first: it is the wrong one to begin with.
  const hosts = [standby, primary].map(({ url }) => new URL(url).host).join(',')
  settings = { DATABASE_URL: `postgres://postgres@${hosts}/postgres`, REDIS_URL: redis.url }
  server = await startServerProcess(settings)
  parts.defer(() => server.stop('SIGKILL'))
  await command(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery\n')
})
afterAll(() => parts.disposeAsync())

async function command(args: string[], input?: string) {
  const { code, stdout, stderr } = await bowerbird([...args, '--json'], settings, input)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const statusWith = async (key: string): Promise<number> =>
  (await (await createApiClient(server.url)).get('/api/v1/key/', { key })).status

async function usesOf(key: string, at: PrivatePostgres): Promise<number> {
  const client = new pg.Client(at.url)
  await client.connect()
  const { rows } = await client.query(
    `select coalesce(sum(counted - refunded), 0)::int as uses from usage_daily
     join key_secrets using (key_id) where prefix = $1`,
    [key.split('_')[1]?.slice(0, 8)],
  )
  await client.end()
  return rows[0].uses
}

async function search(key: string): Promise<void> {
  const api = await createApiClient(server.url)
  await api.get('/api/v1/instant/?q=1%2B1', { key })
}

const WITHIN_MS = 15_000

it('an instance follows the host that takes writes', async () => {
  const { key: first } = await command(['key', 'create', 'ada'])
  await search(first)
  expect(await eventually(async () => (await usesOf(first, primary)) === 1, WITHIN_MS)).toBe(true)
  expect(await eventually(async () => (await usesOf(first, standby)) === 1, WITHIN_MS)).toBe(true)

  const admin = new pg.Client(primary.url)
  await admin.connect()
  await admin.query('alter system set default_transaction_read_only = on')
  await admin.query('select pg_reload_conf()')
  await admin.end()
  await standby.promote()
  await search(first)
  // The connections to the old primary are still open.
  expect(await eventually(async () => (await usesOf(first, standby)) === 2, WITHIN_MS)).toBe(true)
  const { key: second } = await command(['key', 'create', 'ada'])
  expect(await eventually(async () => (await statusWith(second)) === 200, WITHIN_MS)).toBe(true)

  await primary.stop()
  const { key: third } = await command(['key', 'create', 'ada'])
  expect(await eventually(async () => (await statusWith(third)) === 200, WITHIN_MS)).toBe(true)
  await search(third)
  expect(await eventually(async () => (await usesOf(third, standby)) === 1, WITHIN_MS)).toBe(true)
})
