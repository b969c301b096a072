// What key/ says about the key in use.
import { beforeAll, describe, expect, it } from 'vitest'
import { rotateKey } from '../../src/keys/keys.ts'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

const MINUTE_MS = 60_000

let server: SharedInstance
beforeAll(async () => {
  server = await shareInstance()
})

const recordOf = async (key: string) => (await server.api.get('/api/v1/key/', { key })).json
const prefixOf = (key: string) => key.slice('bowerbird_'.length, key.indexOf('.'))

describe('the key record', () => {
  it('has exactly these keys, and the defaults of a key created without options', async () => {
    const before = Date.now()
    const key = await server.createKey()
    const record = await recordOf(key)
    expect(record).toEqual({
      name: '',
      prefix: prefixOf(key),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: null,
      revoked: false,
      scopes: ['search', 'maps', 'translate', 'answers'],
      limits: { burst: '60/min', sustained: '5000/day', monthly_cap: null },
      usage: { month: new Date().toISOString().slice(0, 7), searches: 0 },
    })
    expect(Date.parse(record.created_at)).toBeGreaterThanOrEqual(before - 1000)
    expect(Date.parse(record.created_at)).toBeLessThanOrEqual(Date.now() + 1000)
  })

  it('shows name, expiry, scopes and custom limits as given', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const options = { name: 'Laptop, "blå"', scopes: ['maps', 'search'], burst: '7/s', sustained: '90/hour', expiresAt }
    expect(await recordOf(await server.createKey(options))).toMatchObject({
      name: 'Laptop, "blå"',
      scopes: ['search', 'maps'],
      expires_at: expiresAt.toISOString(),
      limits: { burst: '7/s', sustained: '90/hour', monthly_cap: null },
    })
  })

  it('one custom limit replaces only that limit', async () => {
    const { limits } = await recordOf(await server.createKey({ burst: '120/min' }))
    expect(limits).toEqual({ burst: '120/min', sustained: '5000/day', monthly_cap: null })
  })

  it('never contains the secret', async () => {
    const key = await server.createKey()
    const { text } = await server.api.get('/api/v1/key/', { key })
    expect(text).not.toContain(key.slice(key.indexOf('.') + 1))
  })

  it('last_used_at is the last use to the minute', async () => {
    const key = await server.createKey()
    await server.api.get('/api/v1/web/?q=climate', { key })
    const { last_used_at } = await recordOf(key)
    const ago = Date.now() - Date.parse(last_used_at)
    expect(ago).toBeGreaterThanOrEqual(0)
    expect(ago).toBeLessThanOrEqual(MINUTE_MS)
  })

  it("usage counts this UTC month's searches immediately, and reading the record is not one", async () => {
    const key = await server.createKey()
    for (let count = 0; count < 3; count++) {
      await server.api.get('/api/v1/web/?q=climate', { key })
      expect((await recordOf(key)).usage.searches).toBe(count + 1)
    }
    await recordOf(key)
    expect((await recordOf(key)).usage.searches).toBe(3)
  })

  it('a rotated key is the same record under a new prefix, whichever secret is used', async () => {
    const key = await server.createKey({ name: 'rotated' })
    await server.api.get('/api/v1/web/?q=climate', { key })
    const { full } = await rotateKey(server.instance.services.access, { key })
    const record = await recordOf(full)
    expect(record).toMatchObject({ name: 'rotated', prefix: prefixOf(full), usage: { searches: 1 } })
    expect(prefixOf(full)).not.toBe(prefixOf(key))
    expect((await recordOf(key)).usage.searches).toBe(1)
  })

  it('two keys of one user have separate records', async () => {
    const [one, other] = [await server.createKey({ name: 'one' }), await server.createKey({ name: 'other' })]
    await server.api.get('/api/v1/web/?q=climate', { key: one })
    expect(await recordOf(one)).toMatchObject({ name: 'one', usage: { searches: 1 } })
    expect(await recordOf(other)).toMatchObject({ name: 'other', usage: { searches: 0 } })
  })
})
