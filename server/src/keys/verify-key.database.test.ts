import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createUser, disableUser, enableUser } from '../accounts/users.ts'
import { DATABASE_KINDS } from './access.test-database.ts'
import { HERE, setUpStage } from './access.test-harness.ts'
import { mintKey, readKey } from './key-format.ts'
import { createKey, revokeKey, rotateKey } from './keys.ts'

const MINUTE_MS = 60_000

describe.each(DATABASE_KINDS)('verifying a key on %s', (kind) => {
  const stage = setUpStage(kind)

  it('a key lives: created, used, rotated with a grace, ended, revoked', async () => {
    const { key, full } = await stage.createKey({ name: 'agent', scopes: ['search'], burst: '7/min' })
    expect(await stage.verifier.verify(full, HERE)).toEqual({
      ok: true,
      key: {
        keyId: key.id,
        userId: key.userId,
        username: 'lena',
        name: 'agent',
        prefix: readKey(full)?.prefix,
        scopes: new Set(['search']),
        burst: { count: 7, windowMs: MINUTE_MS },
        sustained: undefined,
        createdAt: key.createdAt,
        expiresAt: undefined,
        lastUsedAt: new Date(stage.now),
        isGrant: false,
      },
    })

    const rotated = await rotateKey(stage.context, { key: key.id, graceSeconds: 3_600 })
    const graceEnd = stage.now + 3_600_000
    expect(await stage.verifier.verify(full, HERE)).toMatchObject({ ok: true, key: { expiresAt: new Date(graceEnd) } })
    expect(await stage.verifier.verify(rotated.full, HERE)).toMatchObject({
      ok: true,
      key: { keyId: key.id, burst: { count: 7 } },
    })
    stage.now = graceEnd - 1
    await stage.verifier.verify(full, HERE)
    expect(stage.verifier.verifyCached(full, HERE)?.ok).toBe(true)
    stage.now = graceEnd
    await stage.verifier.verify(full, HERE)
    expect(stage.verifier.verifyCached(full, HERE)).toEqual({ ok: false, reason: 'expired' })
    expect(await stage.reasonOf(rotated.full)).toBe('good')

    await revokeKey(stage.context, rotated.full)
    expect(await stage.reasonOf(rotated.full)).toBe('revoked')
    expect(await stage.reasonOf(full)).toBe('revoked')
  })

  it('each wrong key is told why, cached and not', async () => {
    const { full } = await stage.createKey()
    const expiring = await stage.createKey({ expiresAt: new Date(stage.now + 1_000) })
    const revoked = await stage.createKey()
    await revokeKey(stage.context, revoked.full)
    stage.now += 1_000
    for (let round = 0; round < 2; round++) {
      expect(await stage.reasonOf(`${full}x`)).toBe('malformed')
      expect(await stage.reasonOf('')).toBe('malformed')
      expect(await stage.reasonOf(mintKey(randomBytes).full)).toBe('unknown')
      expect(await stage.reasonOf(expiring.full)).toBe('expired')
      expect(await stage.reasonOf(revoked.full)).toBe('revoked')
      expect(await stage.reasonOf(full)).toBe('good')
    }
    expect(stage.tap.state.statements).toHaveLength(5)
  })

  it('a wrong secret for a real prefix is unknown and does not harm the real key, cached or not', async () => {
    const { full } = await stage.createKey()
    const forged = forgeSecret(full)
    expect(await stage.reasonOf(forged)).toBe('unknown')
    expect(stage.verifier.verifyCached(full, HERE)?.ok).toBe(true)
    for (let n = 0; n < 20; n++) expect(await stage.reasonOf(forged)).toBe('unknown')
    expect(stage.verifier.verifyCached(full, HERE)?.ok).toBe(true)
    expect(stage.tap.state.statements).toEqual(['key-lookup'])
  })

  it('a disabled account is told so for each of its keys until it is enabled', async () => {
    await createUser(stage.context, { username: `otto-${stage.now}`, password: 'correct horse' })
    const owner = { username: `otto-${stage.now}` }
    const keys = [await stage.createKey({ owner }), await stage.createKey({ owner })]
    const reasons = () => Promise.all(keys.map(({ full }) => stage.reasonOf(full)))
    expect(await reasons()).toEqual(['good', 'good'])
    await disableUser(stage.context, owner.username)
    expect(await reasons()).toEqual(['disabled', 'disabled'])
    await enableUser(stage.context, owner.username)
    expect(await reasons()).toEqual(['good', 'good'])
  })

  it('a key for certain networks is refused elsewhere, from memory, and that is no use of it', async () => {
    const { full } = await stage.createKey({ networks: ['192.0.2.0/28'] })
    const from = (address: string) => stage.reasonOf(full, stage.verifier, address)
    expect(await from('198.51.100.1')).toBe('network')
    expect(await from('192.0.2.15')).toBe('good')
    for (const address of ['192.0.2.16', '2001:db8::1', '', 'unknown']) expect(await from(address)).toBe('network')
    expect(await from('::ffff:192.0.2.3')).toBe('good')
    expect(stage.tap.state.statements).toEqual(['key-lookup'])
    const unused = await stage.createKey({ networks: ['192.0.2.0/28'] })
    expect(await stage.reasonOf(unused.full, stage.verifier, '198.51.100.1')).toBe('network')
    await stage.verifier.stop()
    const { last_used_at } = await stage.context.db
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('id', '=', unused.key.id)
      .executeTakeFirstOrThrow()
    expect(last_used_at).toBeNull()
  })

  it('a cached key costs no statement; a hundred uncached requests with one key cost one', async () => {
    const { full } = await stage.createKey()
    expect(stage.verifier.verifyCached(full, HERE)).toBeUndefined()
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => stage.verifier.verify(full, HERE)))
    expect(verdicts.every(({ ok }) => ok)).toBe(true)
    for (let n = 0; n < 100; n++) expect(stage.verifier.verifyCached(full, HERE)?.ok).toBe(true)
    expect(stage.tap.state.statements).toEqual(['key-lookup'])
  })

  it('an unknown prefix is asked for once in two seconds, and a key made under it works at once', async () => {
    const minted = mintKey(randomBytes)
    for (let n = 0; n < 50; n++) expect(await stage.reasonOf(minted.full)).toBe('unknown')
    expect(stage.verifier.verifyCached(minted.full, HERE)).toEqual({ ok: false, reason: 'unknown' })
    stage.now += 2_000
    expect(await stage.reasonOf(minted.full)).toBe('unknown')
    expect(stage.tap.state.statements).toHaveLength(2)

    // The same bytes mint the same key once more, this time for real.
    let seed = randomBytes(400)
    const sameBytes = (size: number) => {
      const bytes = seed.subarray(0, size)
      seed = seed.subarray(size)
      return bytes
    }
    const copy = Buffer.from(seed)
    const { full } = mintKey(sameBytes)
    seed = copy
    expect(await stage.reasonOf(full)).toBe('unknown')
    const created = await createKey({ ...stage.context, randomBytes: sameBytes }, { owner: { username: 'lena' } })
    expect(created.full).toBe(full)
    expect(await stage.reasonOf(full)).toBe('good')
  })
})

/** Another well-formed key under the same prefix. */
function forgeSecret(full: string): string {
  const { prefix = '' } = readKey(full) ?? {}
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const wanted = Uint8Array.from(Array.from(prefix, (character) => alphabet.indexOf(character)))
  return mintKey((size) => (size === wanted.length ? wanted : randomBytes(size))).full
}
