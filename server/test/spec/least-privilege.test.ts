// An instance needs few privileges: a PostgreSQL role that owns one database and can do nothing else, and a Redis user
// that is limited to the instance's keys and can't administer the server. docs/security/README.md explains how to
// create both.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test'
const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/security/README.md'), 'utf8')

const name = `bb_role_${randomBytes(6).toString('hex')}`
const password = randomBytes(12).toString('hex')
let redis: PrivateRedis
let server: TestInstance

async function inPostgres(...statements: string[]): Promise<void> {
  const client = new pg.Client(SERVER)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function inRedis(...words: string[]): Promise<string> {
  const socket = connect(redis.port, '127.0.0.1')
  socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`)
  const [reply] = await once(socket, 'data')
  socket.destroy()
  return String(reply)
}

/** The line of the page that starts with this text, with the test's own names in it. */
function documented(beginning: string): string {
  const line = PAGE.split('\n').find((one) => one.includes(beginning)) ?? ''
  expect(line).not.toBe('')
  return line.slice(line.indexOf(beginning)).replaceAll('bowerbird', name).replaceAll('PASSWORD', password)
}

beforeAll(async () => {
  redis = await startPrivateRedis()
  await inPostgres(documented('create role '), documented('create database '), documented('revoke all on database '))
  expect(await inRedis(...documented('ACL SETUSER ').split(' '))).toBe('+OK\r\n')
  const postgres = new URL(SERVER)
  Object.assign(postgres, { username: name, password, pathname: `/${name}` })
  server = await startTestInstance({
    DATABASE_URL: postgres.href,
    REDIS_URL: `redis://${name}:${password}@127.0.0.1:${redis.port}`,
  })
})

afterAll(async () => {
  await server?.close()
  await redis?.remove()
  await inPostgres(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`)
})

it('an instance starts, searches, limits and counts with only the documented privileges', async () => {
  const { status, headers } = await server.api.get('/api/v1/web/?q=climate')
  expect(status).toBe(200)
  expect(headers.get('ratelimit')).toContain('burst')
  await expect
    .poll(async () => (await server.api.get('/api/v1/usage/')).text, { timeout: 10_000 })
    .toContain('"web_search":1')
  expect(server.logged()).not.toMatch(/NOPERM|permission denied/)
  // Redis logs every command it denied.
  expect(await inRedis('ACL', 'LOG')).toBe('*0\r\n')
  expect(await inRedis('KEYS', 'bb:*')).toContain('bb:')
})

it('every command we use is among these privileges', async () => {
  const folder = resolve(import.meta.dirname, '../../src')
  // The compatible APIs, the API and the site call `send` too, but not to Redis.
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(?!compat|site|api).*(?<!test.*)\.ts$/.test(path),
  )
  const used = new Set<string>()
  for (const path of sources) {
    const text = readFileSync(resolve(folder, path), 'utf8')
    for (const [, inScript, sent] of text.matchAll(/\bcall\('([A-Z]+)'|\bsend\('([A-Z]+)'/g))
      used.add(inScript ?? sent ?? '')
  }
  expect(used.size).toBeGreaterThan(15)
  const allowed = new Set(documented('ACL SETUSER ').match(/(?<=\+)[a-z]+/g))
  expect([...used].filter((command) => !allowed.has(command.toLowerCase()))).toEqual([])
})

it('these privileges do not reach other databases, other keys or the server itself', async () => {
  const client = new pg.Client(SERVER)
  await client.connect()
  const { rows } = await client.query(
    'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = $1',
    [name],
  )
  await client.end()
  expect(rows.map((row) => Object.values(row))).toEqual([[false, false, false, false, false]])
  const allowed = async (...words: string[]) => (await inRedis('ACL', 'DRYRUN', name, ...words)).startsWith('+OK')
  expect(await allowed('GET', 'bb:response:x')).toBe(true)
  for (const words of [
    ['GET', 'other:x'],
    ['PUBLISH', 'other', 'x'],
    ['FLUSHALL'],
    ['KEYS', '*'],
    ['CONFIG', 'GET', '*'],
    ['ACL', 'LIST'],
    ['SHUTDOWN'],
    ['CLUSTER', 'RESET'],
    ['CLIENT', 'KILL', 'TYPE', 'normal'],
    ['EXPIRE', 'bb:response:x', '1'],
  ]) {
    expect([words, await allowed(...words)]).toEqual([words, false])
  }
})
