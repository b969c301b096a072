import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConnectProxy } from '../../../test/support/connect-proxy.ts'
import { createDataFolder } from '../../../test/support/data-folder.ts'
import { CLIENT, startIdentityProvider } from '../../../test/support/identity-provider.ts'
import { startPrivatePgBouncer } from '../../../test/support/private-pgbouncer.ts'
import { type PrivateRedis, startPrivateRedis } from '../../../test/support/private-redis.ts'
import { startRedisCluster, startRedisSentinels } from '../../../test/support/redis-forms.ts'
import {
  createEmptyDatabase,
  createTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/temporary-database.ts'
import type { Finding } from '../../cli/cli-host.ts'
import { sandboxSettings } from '../../demo/sandbox-settings.ts'
import { createLog } from '../../log.ts'
import { readConfiguration } from '../../settings/configuration.ts'
import { migrate } from '../../store/migrations.ts'
import { openPostgres } from '../../store/postgres.ts'
import { diagnose } from './diagnose.ts'

const parts = new AsyncDisposableStack()
let sandbox: Sandbox
let redis: PrivateRedis
let database: TemporaryDatabase
let settings: Record<string, string>

beforeAll(async () => {
  ;[sandbox, redis, database] = await Promise.all([startSandbox(), startPrivateRedis(), createTemporaryDatabase()])
  parts.defer(() => sandbox.close())
  parts.defer(() => database.drop())
  parts.defer(() => redis.remove())
  const { db, close } = openPostgres(database.url, createLog('silent'))
  await migrate(db)
  await close()
  settings = {
    ...sandboxSettings((slug) => sandbox.urlOf(slug)),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    INSTANCE_SECRET: 'a secret that is long enough for anyone',
    OPERATOR_CONTACT: 'ops@example.org',
  }
})
afterAll(() => parts.disposeAsync())

const findings = (more: Record<string, string> = {}): Promise<Finding[]> =>
  diagnose(readConfiguration({ ...settings, ...more }))

/** What it says of one thing, as `state: detail`. */
const about = (all: readonly Finding[], name: string): string[] =>
  all.filter((finding) => finding.about === name).map(({ state, detail }) => `${state}: ${detail}`)

const badly = (all: readonly Finding[]): Finding[] => all.filter(({ state }) => ['broken', 'warning'].includes(state))

const documentOf = async (issuer: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>

async function configure(...pairs: string[]): Promise<void> {
  const client = new Redis(redis.url)
  await client.config('SET', ...(pairs as [string, string]))
  client.disconnect()
}

describe('bowerbird doctor', () => {
  it('reports a healthy instance as fine, and calls no provider that costs money', async () => {
    sandbox.reset()
    const all = await findings({ BRAVE_PRICE_PER_CALL: '0.005' })
    expect(badly(all)).toEqual([])
    expect(about(all, 'PostgreSQL')[0]).toMatch(/^ok: Version \d/)
    expect(about(all, 'Redis')[0]).toMatch(/^ok: Version \d/)
    expect(about(all, 'Clock of Redis')).toEqual(['ok: It agrees with this machine.'])
    expect(about(all, 'Provider Marginalia')).toEqual(['ok: It answers.'])
    expect(about(all, 'Provider Brave')).toEqual(['not tried: Its calls cost money.'])
    expect(sandbox.callCount('brave')).toBe(0)
  })

  it('names a key that a provider refuses', async () => {
    sandbox.setFault('marginalia', { kind: 'status', status: 401 })
    const all = await findings()
    sandbox.reset()
    expect(about(all, 'Provider Marginalia')).toEqual(['broken: It refuses us.'])
  })

  it('does not take a provider that refuses this server for one with a private address', async () => {
    sandbox.setFault('marginalia', { kind: 'status', status: 403 })
    const all = await findings()
    sandbox.reset()
    expect(about(all, 'Provider Marginalia')).toEqual(['broken: It refuses this server.'])
  })

  it('reports a Redis that evicts, and one that refuses our credentials', async () => {
    await configure('maxmemory-policy', 'allkeys-lru')
    expect(about(await findings(), 'Redis')[1]).toMatch(/^warning: Its eviction policy is allkeys-lru/)
    await configure('maxmemory-policy', 'noeviction')
    const url = new URL(redis.url)
    url.password = 'wrong'
    url.username = 'nobody'
    expect(about(await findings({ REDIS_URL: url.href }), 'Redis')).toEqual(['broken: It does not let us in.'])
    expect(about(await findings({ REDIS_URL: 'redis://127.0.0.1:1' }), 'Redis')).toEqual([
      'broken: It cannot be reached (connection refused).',
    ])
  })

  it('reports a Redis that takes no writes: one that is full, and a replica', async () => {
    await configure('maxmemory', '1')
    expect(about(await findings(), 'Redis').slice(1)).toEqual(['broken: It is full and takes no writes.'])
    await configure('maxmemory', '0')
    const client = new Redis(redis.url)
    await client.replicaof('127.0.0.1', 1)
    expect(about(await findings(), 'Redis')).toContain('broken: It is a replica and takes no writes.')
    await client.replicaof('NO', 'ONE')
    client.disconnect()
  })

  it('suspects TLS if a Redis is silent', async () => {
    const [finding] = (await findings({ REDIS_URL: redis.url.replace('redis:', 'rediss:') })).filter(
      (candidate) => candidate.about === 'Redis',
    )
    expect(finding).toMatchObject({ state: 'broken', advice: expect.stringContaining('TLS') })
  })

  it('reports a Redis for cached responses that does not evict when it is full', async () => {
    const both = () => findings({ REDIS_CACHE_URL: redis.url })
    const name = 'Redis for cached responses'
    expect(about(await both(), name)[1]).toBe('warning: Nothing bounds its memory.')
    await configure('maxmemory', '100mb')
    expect(about(await both(), name)[1]).toBe('warning: It refuses writes when it is full.')
    await configure('maxmemory-policy', 'allkeys-lru')
    expect(about(await both(), name)).toEqual([expect.stringMatching(/^ok: Version \d/)])
    await configure('maxmemory-policy', 'noeviction', 'maxmemory', '0')
    const away = await findings({ REDIS_CACHE_URL: 'redis://127.0.0.1:1' })
    expect(about(away, name)).toEqual(['broken: It cannot be reached (connection refused).'])
  })

  it('finds the master through Sentinels, or says why it cannot', async () => {
    const sentinels = await startRedisSentinels()
    parts.defer(() => sentinels.close())
    const all = await findings({ REDIS_URL: sentinels.url })
    expect(about(all, 'Redis')).toEqual([expect.stringMatching(/^ok: Version \d/)])
    expect(about(all, 'Clock of Redis')).toEqual(['ok: It agrees with this machine.'])
    const other = sentinels.url.replace(/[^/]+$/, 'unknown')
    expect(about(await findings({ REDIS_URL: other }), 'Redis')).toEqual([
      expect.stringMatching(/^broken: It cannot be reached/),
    ])
    const master = await sentinels.masterOf('')
    const client = new Redis(master.url)
    await client.config('SET', 'min-replicas-to-write', '3')
    client.disconnect()
    expect(about(await findings({ REDIS_URL: sentinels.url }), 'Redis')).toContain(
      'broken: It has too few replicas to take writes.',
    )
  }, 60_000)

  it('checks every master of a cluster', async () => {
    const cluster = await startRedisCluster()
    parts.defer(() => cluster.close())
    const all = await findings({ REDIS_URL: cluster.url })
    expect(badly(all)).toEqual([])
    expect(about(all, 'Redis')).toEqual(['ok: A cluster of 3 masters.'])
    for (const at of [1, 2, 3]) {
      expect(about(all, `Redis, master ${at}`)).toEqual([expect.stringMatching(/^ok: Version \d/)])
      expect(about(all, `Clock of Redis, master ${at}`)).toEqual(['ok: It agrees with this machine.'])
    }
    const { port } = await cluster.masterOf('any')
    const client = new Redis(port, '127.0.0.1')
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    client.disconnect()
    const evicting = badly(await findings({ REDIS_URL: cluster.url }))
    expect(evicting).toEqual([expect.objectContaining({ about: expect.stringMatching(/^Redis, master [123]$/) })])
  }, 60_000)

  it('reports a database that is read-only, unreachable or without tables', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query(`alter database ${name} set default_transaction_read_only = on`)
    expect(about(await findings(), 'PostgreSQL')).toContain('broken: It is read-only.')
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database ${name} reset default_transaction_read_only`)
    await client.end()
    const away = await findings({ DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none' })
    expect(away.find((finding) => finding.about === 'PostgreSQL')).toEqual({
      about: 'PostgreSQL',
      state: 'broken',
      detail: 'It cannot be used.',
      advice: 'PostgreSQL cannot be reached at DATABASE_URL (connection refused).',
    })
    expect(JSON.stringify(away)).not.toContain('hunter2')
    const empty = await createEmptyDatabase()
    parts.defer(() => empty.drop())
    expect(about(await findings({ DATABASE_URL: empty.url }), 'PostgreSQL')).toContain('warning: It has no tables yet.')
  })

  it('reports a database that an instance would not start on or could not work with', async () => {
    const server = new pg.Client(database.url)
    await server.connect()
    await server.query(
      "insert into schema_steps (name, is_additive, version) values ('9999-from-the-future', false, '9.9.0')",
    )
    const newer = (await findings()).filter((finding) => finding.about === 'PostgreSQL')
    await server.query("delete from schema_steps where name = '9999-from-the-future'")
    expect(newer).toEqual([
      expect.objectContaining({ state: 'broken', advice: expect.stringContaining('Start version 9.9.0 or later') }),
    ])

    const empty = await createEmptyDatabase()
    parts.defer(() => empty.drop())
    const role = `bb_reader_${process.pid}`
    await server.query(`create role ${role} login`)
    const url = new URL(empty.url)
    url.username = role
    const powerless = about(await findings({ DATABASE_URL: url.href }), 'PostgreSQL')
    await server.query(`drop role ${role}`)
    expect(powerless.slice(1)).toEqual([
      'broken: The database role cannot create tables, and the database must be migrated.',
    ])

    const { username, pathname } = new URL(database.url)
    const pooler = await startPrivatePgBouncer(database.url, username, 'statement')
    const [pooled] = (await findings({ DATABASE_URL: pooler.url + pathname })).filter(
      (finding) => finding.about === 'PostgreSQL',
    )
    await pooler.stop()
    await server.end()
    expect(pooled).toMatchObject({ state: 'broken', advice: expect.stringContaining('Set its pool_mode') })
  })

  it('says once that nothing can be reached', async () => {
    const away = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        value.replace(/^http:\/\/127[^/]+/, 'http://127.0.0.1:1'),
      ]),
    )
    const all = await findings(away)
    expect(about(all, 'Providers')).toEqual(['broken: Nothing on the internet can be reached.'])
    expect(all.filter((finding) => finding.about.startsWith('Provider '))).toEqual(
      all.filter(({ state }) => state === 'not tried'),
    )
  })

  it('says what the outgoing proxy answers, once or for the providers that it is for', async () => {
    const proxy = await startConnectProxy({ credentials: 'ada:hunter2' })
    parts.defer(() => proxy.close())
    const url = proxy.url.replace('//', '//ada:hunter2@')
    expect(badly(await findings({ OUTGOING_PROXY: url }))).toEqual([])
    const all = await findings({ OUTGOING_PROXY: url.replace('hunter2', 'hunter3') })
    expect(about(all, 'Outgoing proxy')).toEqual(['broken: The outgoing proxy wants other credentials (status 407).'])
    expect(badly(all)).toHaveLength(1)
    expect(JSON.stringify(all)).not.toContain('hunter')
    const one = badly(await findings({ MARGINALIA_PROXY: 'http://127.0.0.1:1' }))
    expect(about(one, 'Provider Marginalia')).toEqual(['broken: The outgoing proxy did not answer.'])
    expect(one).toHaveLength(1)
  })

  it.each([
    [{ HOST: '0.0.0.0' }, 'warning: Passwords and keys cross the network unencrypted.'],
    [{ HOST: '::', PUBLIC_URL: 'http://search.example' }, 'warning: Passwords and keys cross the network unencrypted.'],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://search.example' }, 'ok: Set.'],
    [{}, 'ok: Only this machine reaches the instance.'],
  ])('warns of passwords in the clear: %j, %s', async (more, expected) => {
    expect(about(await findings(more), 'PUBLIC_URL')).toEqual([expected])
  })

  it('names the data folder in which there is no database, and one that is damaged', async () => {
    const small = { DATABASE_URL: '', REDIS_URL: '' }
    const DATA_DIR = await createDataFolder()
    await writeFile(
      join(DATA_DIR, 'bowerbird.db'),
      'something else, and longer than the header of a database'.repeat(9),
    )
    const damaged = await findings({ ...small, DATA_DIR })
    expect(damaged).toContainEqual({
      about: 'Built-in database',
      state: 'broken',
      detail: 'It cannot be used.',
      advice: expect.stringContaining('bowerbird restore'),
    })
    const missing = await findings({ ...small, DATA_DIR: join(DATA_DIR, 'none') })
    expect(about(missing, 'Built-in database')).toEqual([`warning: There is none in ${DATA_DIR}/none yet.`])
    expect(existsSync(join(DATA_DIR, 'none'))).toBe(false)
  })

  it('checks the data folder, and reports TRUSTED_PROXIES that trust every address', async () => {
    const DATA_DIR = await createDataFolder()
    const all = await findings({ DATABASE_URL: '', REDIS_URL: '', DATA_DIR, TRUSTED_PROXIES: '0.0.0.0/0' })
    expect(about(all, 'Built-in database')[0]).toMatch(/^ok: Version \d/)
    expect(about(all, 'Disk')).toEqual([expect.stringContaining('GB free')])
    expect(about(all, 'TRUSTED_PROXIES')).toEqual([expect.stringMatching(/^broken: It trusts every address/)])
  })

  it('prepares a sign-in with each identity provider', async () => {
    await using providers = new AsyncDisposableStack()
    const provider = await startIdentityProvider(['https://search.example/callback/oidc'], 'https://search.example')
    providers.defer(() => provider.close())
    const oidc = {
      PUBLIC_URL: 'https://search.example',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Company',
    }
    const signIn = async () => about(await findings(oidc), 'Sign-in with Company')
    const redirect = 'It must allow https://search.example/callback/oidc as a redirect URI.'
    expect(await signIn()).toEqual([`ok: It answers. ${redirect}`])
    provider.document = { ...(await documentOf(provider.issuer)), issuer: 'https://other.example' }
    expect(await signIn()).toEqual([
      'broken: It is not what the settings say (OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED).',
    ])
    provider.document = {
      ...(await documentOf(provider.issuer)),
      issuer: provider.issuer,
      code_challenge_methods_supported: [],
    }
    expect(await signIn()).toEqual([`warning: It answers. ${redirect} It does not say that it supports PKCE.`])
    await provider.stop()
    expect(await signIn()).toEqual(['warning: It did not answer.'])
  })

  it('lists mistakes in settings first', async () => {
    expect(await findings({ PORT: 'http' })).toEqual([expect.objectContaining({ about: 'PORT', state: 'broken' })])
  })
})
