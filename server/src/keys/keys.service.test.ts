import { describe, expect, it } from 'vitest'
import { setUpAccounts } from '../accounts/accounts.test-harness.ts'
import { listKeys } from './key-records.ts'
import { createKey, findOwnKey, revokeOwnKey, rotateOwnKey } from './keys.ts'

describe('the keys of a user', () => {
  const stage = setUpAccounts('postgres')

  async function setUp() {
    const [lena, otto] = [await stage.addUser(), await stage.addUser()]
    const { key, full } = await createKey(stage.access, { owner: { userId: lena.id }, name: 'laptop' })
    return { lena, otto, key, full }
  }

  it('are read, rotated and revoked by their owner', async () => {
    const { lena, key, full } = await setUp()
    const own = { userId: lena.id, keyId: key.id }
    expect(await findOwnKey(stage.access, own)).toEqual(key)
    const rotated = await rotateOwnKey(stage.access, own, { graceSeconds: 60 })
    expect(rotated.full).not.toBe(full)
    expect(rotated.key.secrets).toHaveLength(2)
    expect(await revokeOwnKey(stage.access, own)).toMatchObject({ id: key.id, state: 'revoked' })
  })

  it('404: are out of reach of everybody else, as if they were not there', async () => {
    const { lena, otto, key, full } = await setUp()
    const missing = { status: 404, body: { detail: 'You do not have this key.' } }
    const before = await listKeys(stage.access, { username: lena.username })
    for (const keyId of [
      key.id,
      full,
      key.secrets[0]?.prefix ?? '',
      '999999999',
      '',
      "1' or '1'='1",
      `0${'1'.repeat(30)}`,
    ]) {
      const others = { userId: otto.id, keyId }
      expect(await findOwnKey(stage.access, others)).toBeUndefined()
      await expect(rotateOwnKey(stage.access, others, { graceSeconds: 0 })).rejects.toMatchObject(missing)
      await expect(revokeOwnKey(stage.access, others)).rejects.toMatchObject(missing)
    }
    expect(await listKeys(stage.access, { username: lena.username })).toEqual(before)
  })
})
