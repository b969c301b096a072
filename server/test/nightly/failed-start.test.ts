// A start that fails prints the reason in one sentence and exits, so that a supervisor can restart it: it never hangs
// on connections it has already opened.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { bowerbird, startServerProcess } from '../support/server-process.ts'
import { createEmptyDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

let redis: PrivateRedis
let database: TemporaryDatabase
const taken = createServer()

beforeAll(async () => {
  ;[redis, database] = await Promise.all([startPrivateRedis(), createEmptyDatabase()])
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
        'The user in DATABASE_URL lacks a permission: permission denied for table instance_secret.',
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
        `Redis requires a password. Write REDIS_URL as redis://user:password@host. ${optional}`,
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
      'The data folder /dev/null/data is not writable (ENOTDIR). Set DATA_DIR to a folder that this user can write to.',
    ])
  })

  it.skipIf(process.getuid?.() !== 0).each([
    ['full', 'size=64k', 'is not writable (ENOSPC). Free some space, or set DATA_DIR to a folder on another disk.'],
    ['read-only', 'ro', 'is not writable (EROFS). Set DATA_DIR to a folder that this user can write to.'],
  ])('because the disk of the data folder is %s', async (name, option, sentence) => {
    const DATA_DIR = dataFolder(name)
    await mkdir(DATA_DIR)
    execFileSync('mount', ['-t', 'tmpfs', '-o', option, 'tmpfs', DATA_DIR])
    try {
      expect(await startFailing({ DATA_DIR })).toEqual([`The data folder ${DATA_DIR} ${sentence}`])
    } finally {
      execFileSync('umount', [DATA_DIR])
    }
  })

  it('because the database is damaged', async () => {
    const DATA_DIR = dataFolder('damaged')
    await mkdir(DATA_DIR, { mode: 0o700 })
    await writeFile(join(DATA_DIR, 'bowerbird.db'), 'not a database, '.repeat(1_000))
    expect(await startFailing({ DATA_DIR })).toEqual([
      `The database ${DATA_DIR}/bowerbird.db cannot be opened: it is damaged. Move it away, and restore your last backup with bowerbird restore <file>.`,
    ])
  })

  it('leaves a small instance as it was: unlocked, and without a socket', async () => {
    const DATA_DIR = dataFolder('unlocked')
    expect(await startFailing({ DATA_DIR, PORT: takenPort() })).toHaveLength(1)
    expect((await readdir(DATA_DIR)).filter((name) => /sock/.test(name))).toEqual([])
    expect((await bowerbird(['user', 'list'], { DATA_DIR })).code).toBe(0)
  })
})
