// A start that fails prints the reason in one sentence and exits, so that a supervisor can restart it: it never hangs
// on connections it has already opened.
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { bowerbird, startServerProcess } from '../support/server-process.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

let redis: PrivateRedis
let database: TemporaryDatabase
const taken = createServer()

beforeAll(async () => {
  ;[redis, database] = await Promise.all([startPrivateRedis(), createTemporaryDatabase()])
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
})
afterAll(async () => {
  taken.close()
  await Promise.all([redis?.stop(), database?.drop()])
})

const takenPort = () => String((taken.address() as AddressInfo).port)
const settings = () => ({ DATABASE_URL: database.url, REDIS_URL: redis.url })
const dataFolder = (name: string) => join(inject('temporaryFolder'), `failed-start-${name}`)

/** Log lines are JSON; everything else is meant for a person. */
const sentencesIn = (stderr: string): string[] => stderr.split('\n').filter((line) => line !== '' && line[0] !== '{')

const MOST_MS = 5_000

async function startFailing(own: Record<string, string>): Promise<string[]> {
  const { code, stdout, stderr, lingeredMs } = await bowerbird(['serve'], own)
  expect(lingeredMs).toBeLessThan(MOST_MS)
  expect(stdout).not.toContain('listening')
  expect(code).toBe(1)
  return sentencesIn(stderr)
}

describe('a start that fails', () => {
  it('because it lacks a database permission, after connecting to Redis', async () => {
    const role = `bb_role_${process.pid}`
    const owner = new pg.Client(database.url)
    await owner.connect()
    try {
      expect((await bowerbird(['migrate'], settings())).code).toBe(0)
      await owner.query(`create role ${role} login`)
      await owner.query(`grant select, insert, update, delete on all tables in schema public to ${role}`)
      await owner.query(`revoke insert on instance_secret from ${role}`)
      const url = new URL(database.url)
      url.username = role
      expect(await startFailing({ ...settings(), DATABASE_URL: url.href })).toEqual([
        'The user in DATABASE_URL lacks a right: permission denied for table instance_secret.',
      ])
    } finally {
      await owner.query(`drop owned by ${role}`)
      await owner.query(`drop role ${role}`)
      await owner.end()
    }
  })

  it('because PostgreSQL is unreachable, or has no such database', async () => {
    expect(await startFailing({ ...settings(), DATABASE_URL: 'postgres://root@127.0.0.1:1/test' })).toEqual([
      'PostgreSQL cannot be reached at DATABASE_URL (connection refused).',
    ])
    const url = new URL(database.url)
    url.pathname = '/bb_no_such_database'
    expect(await startFailing({ ...settings(), DATABASE_URL: url.href })).toEqual([
      'The database in DATABASE_URL does not exist. Create it first.',
    ])
  })

  it('because Redis rejects our credentials, unless REDIS_OPTIONAL is set', async () => {
    const locked = await startPrivateRedis(() => ['--requirepass', 'geheim'])
    try {
      const at = `127.0.0.1:${locked.port}`
      const optional = 'To start without Redis, set REDIS_OPTIONAL=on.'
      expect(await startFailing({ ...settings(), REDIS_URL: `redis://${at}` })).toEqual([
        `Redis wants a password. Put it into REDIS_URL: redis://user:password@host. ${optional}`,
      ])
      expect(await startFailing({ ...settings(), REDIS_CACHE_URL: `redis://:wrong@${at}` })).toEqual([
        `Redis rejected the user or password in REDIS_CACHE_URL. ${optional}`,
      ])
      const node = await startServerProcess({
        ...settings(),
        REDIS_URL: `redis://:wrong@${at}`,
        REDIS_OPTIONAL: 'on',
        PORT: '0',
      })
      expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
      await node.stop('SIGKILL')
    } finally {
      await locked.remove()
    }
  })

  it('because its port is in use, after everything else has started', async () => {
    expect(await startFailing({ ...settings(), PORT: takenPort() })).toEqual([
      `Port ${takenPort()} is already in use. Set PORT to a free port.`,
    ])
  })

  it('because the metrics port is in use', async () => {
    expect(await startFailing({ ...settings(), METRICS_PORT: takenPort() })).toEqual([
      `Port ${takenPort()} is already in use. Set METRICS_PORT to a free port.`,
    ])
  })

  it('because HOST is not an address of this machine', async () => {
    expect(await startFailing({ ...settings(), HOST: '192.0.2.1' })).toEqual([
      'HOST is not an address of this machine.',
    ])
  })

  it('because the data folder cannot be written', async () => {
    // Not writable even by root.
    expect(await startFailing({ DATA_DIR: '/dev/null/data' })).toEqual([
      'The data folder /dev/null/data cannot be written (ENOTDIR). Set DATA_DIR to a folder that this user can write.',
    ])
  })

  it('leaves a small instance as it was: unlocked, and without a socket', async () => {
    const DATA_DIR = dataFolder('unlocked')
    expect(await startFailing({ DATA_DIR, PORT: takenPort() })).toHaveLength(1)
    expect((await readdir(DATA_DIR)).filter((name) => /sock/.test(name))).toEqual([])
    expect((await bowerbird(['user', 'list'], { DATA_DIR })).code).toBe(0)
  })
})
