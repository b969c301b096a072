// Keys over HTTP, and their end. Each wrong key, on every route: `every-surface.test.ts`; the header and the
// limit of wrong keys: `api/pipeline/authenticate.test.ts`.
import { expect, it } from 'vitest'
import { revokeKey, rotateKey } from '../../src/keys/keys.ts'
import { useTestInstance } from '../support/test-instance.ts'

const server = useTestInstance({ TRUSTED_PROXIES: '127.0.0.1' })

const access = () => server.instance.services.access
const ask = (key: string, path = '/api/v1/key/') => server.api.get(path, { key })

it('401: an old secret ends with its grace period, and every secret when the key is revoked', async () => {
  const older = await server.createKey()
  const { full: newer } = await rotateKey(access(), { key: older, graceSeconds: 60 })
  expect((await ask(older)).status).toBe(200)
  const { full: newest } = await rotateKey(access(), { key: newer, graceSeconds: 0 })
  for (const ended of [older, newer]) expect((await ask(ended)).status).toBe(401)
  expect((await ask(newest)).status).toBe(200)
  await revokeKey(access(), newest)
  expect(await ask(newest)).toMatchObject({ status: 401, json: { detail: expect.stringContaining('revoked') } })
})

it('403: a key that is restricted to other networks; the address is the one that the proxy forwards', async () => {
  const key = await server.createKey({ networks: ['198.51.100.0/24', '2001:db8:7::/48'] })
  const statusFrom = async (address: string) =>
    (await server.api.get('/api/v1/key/', { key, headers: { 'x-forwarded-for': address } })).status
  // Neither a look-up nor a cached key lets it in.
  for (let round = 0; round < 2; round++) {
    expect(await statusFrom('198.51.101.1')).toBe(403)
    expect(await statusFrom('198.51.100.77')).toBe(200)
    expect(await statusFrom('2001:db8:8::1')).toBe(403)
    expect(await statusFrom('2001:db8:7:1::1')).toBe(200)
  }
  expect(await statusFrom('198.51.101.1, 198.51.100.77')).toBe(200)
  expect(await statusFrom('198.51.100.77, 198.51.101.1')).toBe(403)
})

it('403: a key without the scope is told so before its parameters are read', async () => {
  const key = await server.createKey({ scopes: ['maps'] })
  const reply = await ask(key, '/api/v1/web/?page=zero')
  expect(reply).toMatchObject({ status: 403, json: { detail: expect.stringContaining('search') } })
})

it('an instance stores passwords as argon2id at the cost that OWASP recommends', async () => {
  const query = access().db.selectFrom('users').select('password_hash').where('username', '=', 'ada')
  expect((await query.executeTakeFirstOrThrow()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
