// Keys, and their 401 and 403. Each test uses its own client
// address, because wrong keys are limited by address.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser, enableUser } from '../../src/accounts/users.ts'
import { mintKey } from '../../src/keys/key-format.ts'
import { revokeKey, rotateKey } from '../../src/keys/keys.ts'
import type { ApiReply } from '../support/api-client.ts'
import { bowerbird } from '../support/server-process.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => server.close())

const access = () => server.instance.services.access
let addresses = 0
const freshAddress = () => `192.0.2.${++addresses}`

/** A request from a new address. */
const ask = (options: { key?: string; headers?: Record<string, string>; path?: string } = {}) =>
  server.api.get(options.path ?? '/api/v1/key/', {
    key: options.key,
    headers: { 'x-forwarded-for': freshAddress(), ...options.headers },
  })

function expectUnauthorized({ status, json, headers }: ApiReply): string {
  expect(status).toBe(401)
  expect(Object.keys(json)).toEqual(['detail'])
  expect(json.detail).toMatch(/^[A-Z].*\.$/)
  expect(headers.get('www-authenticate')).toBe('Api-Key')
  return json.detail
}

describe('the header', () => {
  it.each(['Api-Key', 'api-key', 'API-KEY', 'aPi-kEy'])('the scheme word %s is recognised', async (scheme) => {
    expect((await ask({ headers: { authorization: `${scheme} ${server.key}` } })).status).toBe(200)
  })

  it('401: no header, and the detail says how to send the key', async () => {
    expect(expectUnauthorized(await ask())).toContain('Authorization: Api-Key')
  })

  it.each([
    ['an empty header', ''],
    ['the scheme word alone', 'Api-Key'],
    ['the scheme word and a space', 'Api-Key '],
    ['the bare key', 'KEY'],
    ['Bearer', 'Bearer KEY'],
    ['Token', 'Token KEY'],
    ['Basic', 'Basic YWRhOmNvcnJlY3Q='],
    ['a scheme that only begins like ours', 'Api-Keys KEY'],
    ['a colon', 'Api-Key: KEY'],
    ['two keys', 'Api-Key KEY KEY'],
    ['parameters after the key', 'Api-Key KEY, realm="x"'],
  ])('401: %s is not a recognised header', async (_name, written) => {
    expectUnauthorized(await ask({ headers: { authorization: written.replaceAll('KEY', server.key) } }))
  })

  it('401: a key anywhere else is not accepted', async () => {
    const key = server.key
    expectUnauthorized(await ask({ headers: { 'x-api-key': key } }))
    expectUnauthorized(await ask({ headers: { cookie: `api_key=${key}` } }))
    expectUnauthorized(await ask({ path: `/api/v1/key/?api_key=${key}&key=${key}&token=${key}` }))
  })

  it('401: comes before parameter validation', async () => {
    expectUnauthorized(await ask({ path: '/api/v1/web/?page=zero' }))
  })
})

describe('the key', () => {
  it('has the form bowerbird_<8>.<43 + 6>, in base62, and ends in a CRC-32 of the rest', async () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    for (let round = 0; round < 3; round++) {
      const key = await server.createKey()
      expect(key).toMatch(/^bowerbird_[0-9A-Za-z]{8}\.[0-9A-Za-z]{49}$/)
      const checksum = Array.from(key.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
      expect(checksum).toBe(crc32(key.slice(0, -6)))
    }
  })

  it('401: a typo anywhere is distinguished from an unknown key', async () => {
    const unknown = expectUnauthorized(await ask({ key: mintKey(randomBytes).full }))
    for (const at of [12, 18, 30, server.key.length - 1]) {
      const typo = server.key.slice(0, at) + (server.key[at] === 'x' ? 'y' : 'x') + server.key.slice(at + 1)
      expect(expectUnauthorized(await ask({ key: typo }))).not.toBe(unknown)
    }
  })

  it.each(['x', 'bowerbird_', 'bowerbird_abcdefgh.', 'sk-1234567890', '%00', 'x'.repeat(200), 'x'.repeat(5000)])(
    '401: malformed key %.30s',
    async (key) => {
      expectUnauthorized(await ask({ key }))
    },
  )

  it('401: a key that is truncated or has something appended', async () => {
    expectUnauthorized(await ask({ key: server.key.slice(0, -1) }))
    expectUnauthorized(await ask({ key: `${server.key}0` }))
  })

  it('401: a well-formed key that was never issued', async () => {
    expectUnauthorized(await ask({ key: mintKey(randomBytes).full }))
  })

  it('401: a known prefix with another secret', async () => {
    const prefix = server.key.slice(10, 18)
    const body = `bowerbird_${prefix}.${'A'.repeat(43)}`
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let checksum = ''
    for (let rest = crc32(body); checksum.length < 6; rest = Math.floor(rest / 62))
      checksum = digits[rest % 62] + checksum
    const unknown = expectUnauthorized(await ask({ key: mintKey(randomBytes).full }))
    expect(expectUnauthorized(await ask({ key: body + checksum }))).toBe(unknown)
  })

  it('401: a revoked key, cached or not', async () => {
    const [cached, uncached] = [await server.createKey(), await server.createKey()]
    expect((await ask({ key: cached })).status).toBe(200)
    for (const key of [cached, uncached]) {
      await revokeKey(access(), key)
      expect(expectUnauthorized(await ask({ key }))).toMatch(/revoked/)
    }
  })

  it('401: an expired key, from the moment it expires', async () => {
    const key = await server.createKey({ expiresAt: new Date(Date.now() + 2_000) })
    expect((await ask({ key })).status).toBe(200)
    await sleep(2_050)
    expect(expectUnauthorized(await ask({ key }))).toMatch(/expired/)
  })

  it('rotation: the old secret works during the grace period and not after', async () => {
    const older = await server.createKey()
    const { full: newer } = await rotateKey(access(), { key: older, graceSeconds: 60 })
    expect([(await ask({ key: older })).status, (await ask({ key: newer })).status]).toEqual([200, 200])
    const { full: newest } = await rotateKey(access(), { key: newer, graceSeconds: 0 })
    expectUnauthorized(await ask({ key: older }))
    expectUnauthorized(await ask({ key: newer }))
    expect((await ask({ key: newest })).status).toBe(200)
  })
})

describe('403', () => {
  it('403: a disabled account, and 200 again once it is enabled', async () => {
    await createUser(access(), { username: 'linus', password: 'correct horse battery' })
    const keys = [0, 1].map(() => server.createKey({ owner: { username: 'linus' } }))
    const [cached, uncached] = await Promise.all(keys)
    expect((await ask({ key: cached ?? '' })).status).toBe(200)
    await disableUser(access(), 'linus')
    for (const key of [cached ?? '', uncached ?? '']) {
      for (const path of ['/api/v1/web/?q=climate', '/api/v1/key/', '/api/v1/status/', '/api/v1/']) {
        const { status, json } = await ask({ key, path })
        expect(status).toBe(403)
        expect(json).toEqual({ detail: expect.stringMatching(/disabled/) })
      }
    }
    expect((await ask({ key: server.key })).status).toBe(200)
    await enableUser(access(), 'linus')
    expect((await ask({ key: cached ?? '' })).status).toBe(200)
  })

  it('403: a key that is restricted to other networks; the address is the one that the proxy forwards', async () => {
    const key = await server.createKey({ networks: ['198.51.100.0/24', '2001:db8:7::/48'] })
    const from = async (address: string) => {
      const { status, json } = await server.api.get('/api/v1/key/', { key, headers: { 'x-forwarded-for': address } })
      return status === 200 ? status : [status, json]
    }
    const refused = [403, { detail: 'This API key cannot be used from your network.' }]
    // Neither a look-up nor a cached key lets it in.
    for (let round = 0; round < 2; round++) {
      expect(await from('198.51.101.1')).toEqual(refused)
      expect(await from('198.51.100.77')).toBe(200)
      expect(await from('2001:db8:8::1')).toEqual(refused)
      expect(await from('2001:db8:7:1::1')).toBe(200)
    }
    expect(await from('198.51.101.1, 198.51.100.77')).toBe(200)
    expect(await from('198.51.100.77, 198.51.101.1')).toEqual(refused)
  })

  it('403: a key without the scope, even with a bad parameter, and the detail names the scope', async () => {
    const key = await server.createKey({ scopes: ['maps', 'translate', 'answers'] })
    for (const path of ['/api/v1/web/?q=climate', '/api/v1/web/?page=zero']) {
      const { status, json } = await ask({ key, path })
      expect(status).toBe(403)
      expect(json).toEqual({ detail: expect.stringContaining('search') })
    }
  })

  it.each(['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/'])('%s needs no scope', async (path) => {
    const key = await server.createKey({ scopes: ['maps'] })
    expect((await ask({ key, path })).status).toBe(200)
  })

  it('the scope search is enough for a search', async () => {
    const key = await server.createKey({ scopes: ['search'] })
    expect((await ask({ key, path: '/api/v1/web/?q=climate' })).status).toBe(200)
  })
})

describe('wrong keys are limited by client address', () => {
  const guess = (address: string) =>
    server.api.get('/api/v1/key/', { key: mintKey(randomBytes).full, headers: { 'x-forwarded-for': address } })

  it('429: after many wrong keys, with the wait in detail and Retry-After; other addresses are unaffected', async () => {
    const [guesser, other] = [freshAddress(), freshAddress()]
    const cached = await server.createKey()
    const statuses: number[] = []
    for (let count = 0; count < 40; count++) statuses.push((await guess(guesser)).status)
    const refusedFrom = statuses.indexOf(429)
    expect(refusedFrom).toBeGreaterThan(5)
    expect(new Set(statuses.slice(0, refusedFrom))).toEqual(new Set([401]))
    expect(new Set(statuses.slice(refusedFrom))).toEqual(new Set([429]))

    const { json, headers } = await guess(guesser)
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
    expect(json).toEqual({ detail: `Request was throttled. Expected available in ${wait} seconds.` })

    expect((await guess(other)).status).toBe(401)
    expect((await ask({ key: cached, headers: { 'x-forwarded-for': other } })).status).toBe(200)
    // A valid key that is cached works even from the guesser's address.
    expect((await ask({ key: cached, headers: { 'x-forwarded-for': guesser } })).status).toBe(200)
  })

  it('malformed keys count as wrong keys; requests without a key do not', async () => {
    const [silent, clumsy] = [freshAddress(), freshAddress()]
    const statuses = { silent: new Set<number>(), clumsy: new Set<number>() }
    for (let count = 0; count < 40; count++) {
      statuses.silent.add((await ask({ headers: { 'x-forwarded-for': silent } })).status)
      statuses.clumsy.add((await ask({ key: 'oops', headers: { 'x-forwarded-for': clumsy } })).status)
    }
    expect(statuses).toEqual({ silent: new Set([401]), clumsy: new Set([401, 429]) })
  })
})

describe('issuing keys', () => {
  it('an administrator creates a key on the command line from a username and a name; it works immediately and is shown once', async () => {
    const settings = { DATABASE_URL: server.databaseUrl, REDIS_URL: server.redisUrl }
    const created = await bowerbird(['key', 'create', 'ada', '--name', 'from the shell', '--json'], settings)
    expect(created).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Data: PostgreSQL .*\n$/) })
    const { key } = JSON.parse(created.stdout)
    const { status, json } = await ask({ key })
    expect([status, json.name]).toEqual([200, 'from the shell'])

    const listed = await bowerbird(['key', 'list', 'ada', '--json'], settings)
    expect(listed.stdout).toContain('from the shell')
    expect(listed.stdout).not.toContain(key.slice(key.indexOf('.') + 1))
  })

  it('a name is optional, a username is not', async () => {
    const settings = { DATABASE_URL: server.databaseUrl, REDIS_URL: server.redisUrl }
    const [unnamed, withoutUsername] = await Promise.all([
      bowerbird(['key', 'create', 'ada', '--json'], settings),
      bowerbird(['key', 'create'], settings),
    ])
    expect((await ask({ key: JSON.parse(unnamed.stdout).key })).json.name).toBe('')
    expect(withoutUsername.code).not.toBe(0)
  })
})

it('an instance stores passwords as argon2id at the cost that OWASP recommends', async () => {
  const query = access().db.selectFrom('users').select('password_hash').where('username', '=', 'ada')
  expect((await query.executeTakeFirstOrThrow()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
