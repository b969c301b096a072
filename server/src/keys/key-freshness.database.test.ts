import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deleteUser } from '../accounts/delete-user.ts'
import { createUser, disableUser } from '../accounts/users.ts'
import { DATABASE_KINDS } from './access.test-database.ts'
import { DEAF, HERE, letPass, setUpStage, until } from './access.test-harness.ts'
import { mintKey } from './key-format.ts'
import { listKeys } from './key-records.ts'
import { revokeKey, rotateKey } from './keys.ts'

const MINUTE_MS = 60_000

describe.each(DATABASE_KINDS)('what is known of a key on %s', (kind) => {
  const stage = setUpStage(kind)
  const readLastUsed = async (keyId = '') =>
    (await listKeys(stage.context)).find(({ id }) => id === keyId)?.lastUsedAt?.getTime()

  it('without messages, the change feed brings a revocation, a disabling and a rotation', async () => {
    stage.context.changes = DEAF
    await createUser(stage.context, { username: `ines-${stage.now}`, password: 'correct horse' })
    const [toRevoke, toRotate, untouched] = [await stage.createKey(), await stage.createKey(), await stage.createKey()]
    const toDisable = await stage.createKey({ owner: { username: `ines-${stage.now}` } })
    const all = [toRevoke, toRotate, untouched, toDisable]
    const deaf = stage.createVerifier(DEAF, 50)
    deaf.start()
    await until(() => stage.tap.state.statements.filter((name) => name === 'changed-keys').length >= 2)
    for (const { full } of all) expect(await stage.reasonOf(full, deaf)).toBe('good')

    await revokeKey(stage.context, toRevoke.full)
    await rotateKey(stage.context, { key: toRotate.full, graceSeconds: 0 })
    await disableUser(stage.context, `ines-${stage.now}`)
    await until(async () => (await stage.reasonOf(toRevoke.full, deaf)) === 'revoked')
    await until(async () => (await stage.reasonOf(toRotate.full, deaf)) === 'expired')
    await until(async () => (await stage.reasonOf(toDisable.full, deaf)) === 'disabled')

    // The feed repeats a change for a minute; what has been read anew stays warm all the same.
    const { statements } = stage.tap.state
    await until(async () => {
      for (const { full } of all) await deaf.verify(full, HERE)
      const seen = statements.length
      await until(() => statements.length >= seen + 3)
      return all.every(({ full }) => deaf.verifyCached(full, HERE)) && !statements.slice(seen).includes('key-lookup')
    })
    await deaf.stop()
  })

  it('without messages, the change feed brings the deletion of an account, though its keys are no rows any more', async () => {
    stage.context.changes = DEAF
    const username = `gone-${stage.now}`
    await createUser(stage.context, { username, password: 'correct horse' })
    const { full } = await stage.createKey({ owner: { username } })
    const deaf = stage.createVerifier(DEAF, 50)
    deaf.start()
    await until(() => stage.tap.state.statements.filter((name) => name === 'changed-keys').length >= 2)
    expect(await stage.reasonOf(full, deaf)).toBe('good')
    await deleteUser(stage.context, username)
    await until(async () => (await stage.reasonOf(full, deaf)) === 'unknown')
    await deaf.stop()
  })

  it('a change that overtakes a look-up is not undone by it', async () => {
    const { full } = await stage.createKey()
    let revocation: Promise<unknown> | undefined
    stage.tap.state.beforeAnswer = async () => {
      // The old row has been read; stage.now the key is revoked and everybody is told, and only then the row arrives.
      stage.tap.state.beforeAnswer = letPass
      revocation = revokeKey(stage.context, full)
      await revocation
      expect(await stage.reasonOf(full)).toBe('revoked')
    }
    expect(await stage.reasonOf(full)).toBe('good')
    await revocation
    expect(stage.verifier.verifyCached(full, HERE)).toEqual({ ok: false, reason: 'revoked' })
  })

  it('a change that the feed reports during a look-up is not undone by it', async () => {
    const { full } = await stage.createKey()
    const deaf = stage.createVerifier(DEAF, 20)
    deaf.start()
    await until(() => stage.tap.state.statements.includes('changed-keys'))
    stage.context.changes = DEAF
    stage.tap.state.beforeAnswer = async (statement) => {
      if (statement !== 'key-lookup') return
      stage.tap.state.beforeAnswer = letPass
      await revokeKey(stage.context, full)
      const feeds = stage.tap.state.statements.length
      await until(() => stage.tap.state.statements.length >= feeds + 2)
    }
    expect(await stage.reasonOf(full, deaf)).toBe('good')
    expect(await stage.reasonOf(full, deaf)).toBe('revoked')
    await deaf.stop()
  })

  it('while the database is away cached keys work for ten minutes and others are unavailable', async () => {
    const [cache, cold, revoked] = [await stage.createKey(), await stage.createKey(), await stage.createKey()]
    await revokeKey(stage.context, revoked.full)
    expect([await stage.reasonOf(cache.full), await stage.reasonOf(revoked.full)]).toEqual(['good', 'revoked'])
    stage.tap.state.isCut = true
    expect(await stage.reasonOf(cold.full)).toBe('unavailable')
    expect(await stage.reasonOf(mintKey(randomBytes).full)).toBe('unavailable')
    expect(await stage.reasonOf('not a key')).toBe('malformed')
    expect([await stage.reasonOf(cache.full), await stage.reasonOf(revoked.full)]).toEqual(['good', 'revoked'])
    stage.now += 10 * MINUTE_MS
    expect(stage.verifier.verifyCached(cache.full, HERE)?.ok).toBe(true)
    stage.now += 1
    expect(stage.verifier.verifyCached(cache.full, HERE)).toBeUndefined()
    expect(await stage.reasonOf(cache.full)).toBe('unavailable')
    expect(await stage.reasonOf(revoked.full)).toBe('unavailable')
    stage.tap.state.isCut = false
    expect(await stage.reasonOf(cache.full)).toBe('good')
    expect(await stage.reasonOf(cold.full)).toBe('good')
  })

  it('reading the feed keeps cached keys trusted, and an outage of it loses no change', async () => {
    const { full } = await stage.createKey()
    const deaf = stage.createVerifier(DEAF, 20)
    stage.context.changes = DEAF
    deaf.start()
    const { statements } = stage.tap.state
    const moreFeeds = async () => {
      const seen = statements.length
      await until(() => statements.length >= seen + 2)
    }
    await moreFeeds()
    expect(await stage.reasonOf(full, deaf)).toBe('good')
    stage.now += 11 * MINUTE_MS
    await moreFeeds()
    expect(deaf.verifyCached(full, HERE)?.ok).toBe(true)
    stage.tap.state.isCut = true
    await revokeKey(stage.context, full)
    await moreFeeds()
    expect(deaf.verifyCached(full, HERE)?.ok).toBe(true)
    stage.tap.state.isCut = false
    await until(async () => (await stage.reasonOf(full, deaf)) === 'revoked')
    await deaf.stop()
  })

  it('the last use is written to the minute, in one statement, again after a failure, and is no change', async () => {
    const keys = [await stage.createKey(), await stage.createKey()]
    const versions = () => stage.context.db.selectFrom('api_keys').select('updated_at').orderBy('id').execute()
    const before = await versions()
    const firstUse = stage.now
    for (const { full } of keys) expect(await stage.reasonOf(full)).toBe('good')
    stage.now += MINUTE_MS - 1
    expect(stage.verifier.verifyCached(keys[0]?.full ?? '', HERE)).toMatchObject({
      ok: true,
      key: { lastUsedAt: new Date(firstUse) },
    })

    stage.tap.state.isCut = true
    await stage.verifier.stop()
    expect(await readLastUsed(keys[0]?.key.id)).toBeUndefined()
    stage.tap.state.isCut = false
    await stage.verifier.stop()
    await stage.verifier.stop()
    for (const { key } of keys) expect(await readLastUsed(key.id)).toBe(firstUse)
    expect(stage.tap.state.statements.filter((name) => name === 'write-uses')).toHaveLength(2)
    expect(await versions()).toEqual(before)

    stage.now += 1
    expect(stage.verifier.verifyCached(keys[0]?.full ?? '', HERE)).toMatchObject({
      ok: true,
      key: { lastUsedAt: new Date(stage.now) },
    })
    await stage.verifier.stop()
    expect(await readLastUsed(keys[0]?.key.id)).toBe(stage.now)
    expect(await readLastUsed(keys[1]?.key.id)).toBe(firstUse)
  })
})
