import { hash } from 'node:crypto'
import { encodeQR } from 'qr'
import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { setUpAccounts } from './accounts.test-harness.ts'
import { SecondFactor } from './second-factor.ts'

const STEP_MS = 30_000

describe.each(DATABASE_KINDS)('the second factor on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const check = (userId: string, code: string) => stage.accounts.secondFactor.check(stage.access.db, userId, code)

  async function begin() {
    const { id, username } = await stage.addUser()
    const names = { userId: id, username, issuer: 'Bowerbird search.example:8443' }
    return { names, enrolment: await stage.accounts.secondFactor.begin(names) }
  }

  async function enrolled() {
    const user = await stage.addUser()
    return { userId: user.id, ...(await stage.enrol(user)) }
  }

  it('begins with a secret to type and the same one as a URI to scan', async () => {
    const { names, enrolment } = await begin()
    const address = new URL(enrolment.uri)
    expect(enrolment.secret).toMatch(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
    expect(address.searchParams.get('secret')).toBe(enrolment.secret.replaceAll(' ', ''))
    expect(decodeURIComponent(address.pathname)).toBe(`/Bowerbird search.example 8443:${names.username}`)
    expect(enrolment.qrSvg).toBe(encodeQR(enrolment.uri, 'svg', { border: 4 }))
  })

  it('is on only after a first correct code, and then issues ten recovery codes', async () => {
    const { names, enrolment } = await begin()
    const { secondFactor } = stage.accounts
    expect(await stage.confirmApp(names.userId, '000000x')).toBeUndefined()
    expect(await secondFactor.describe(names.userId)).toMatchObject({ hasApp: false })
    expect(await check(names.userId, stage.codeFor(enrolment.secret))).toBe('wrong')
    const codes = await stage.confirmApp(names.userId, stage.codeFor(enrolment.secret))
    expect(new Set(codes).size).toBe(10)
    expect(await secondFactor.describe(names.userId)).toEqual({ hasApp: true, passkeys: 0, recoveryCodesLeft: 10 })
    expect(await stage.confirmApp(names.userId, stage.codeFor(enrolment.secret))).toBeUndefined()
    expect(await check(names.userId, stage.codeFor(enrolment.secret))).toBe('wrong')
  })

  it('beginning again replaces a secret that was not confirmed, and 409: never one that was', async () => {
    const { names, enrolment } = await begin()
    const again = await stage.accounts.secondFactor.begin(names)
    expect(again.secret).not.toBe(enrolment.secret)
    await stage.confirmApp(names.userId, stage.codeFor(again.secret))
    await expect(stage.accounts.secondFactor.begin(names)).rejects.toMatchObject({ status: 409 })
    stage.now += 2 * STEP_MS
    expect(await check(names.userId, stage.codeFor(again.secret))).toBe('right')
  })

  it('accepts the current code, the one before and the one after, and no other', async () => {
    for (const [offset, verdict] of [
      [-2, 'wrong'],
      [-1, 'right'],
      [0, 'right'],
      [1, 'right'],
      [2, 'wrong'],
    ] as const) {
      const { userId, secret } = await enrolled()
      expect([offset, await check(userId, stage.codeFor(secret, offset * STEP_MS))]).toEqual([offset, verdict])
    }
  })

  it('takes no code twice, and none from before one that was taken', async () => {
    const { userId, secret } = await enrolled()
    const [before, now] = [stage.codeFor(secret, -STEP_MS), stage.codeFor(secret)]
    const verdicts = await Promise.all([check(userId, now), check(userId, now), check(userId, now)])
    expect(verdicts.filter((verdict) => verdict === 'right')).toHaveLength(1)
    expect(await check(userId, before)).toBe('wrong')
    const next = stage.codeFor(secret, STEP_MS)
    // As apps show it.
    expect(await check(userId, ` ${next.slice(0, 3)} ${next.slice(3)} `)).toBe('right')
  })

  it('takes each recovery code once, however it is typed, and from its own user alone', async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    const [code = ''] = one.recoveryCodes
    expect(await check(other.userId, code)).toBe('wrong')
    const verdicts = await Promise.all([check(one.userId, code.toUpperCase()), check(one.userId, code)])
    expect(verdicts.sort()).toEqual(['recovery', 'wrong'])
    expect(await stage.accounts.secondFactor.describe(one.userId)).toMatchObject({ recoveryCodesLeft: 9 })
  })

  it('its recovery codes have at least 128 random bits, and shorter ones are worth nothing', async () => {
    const { userId, recoveryCodes } = await enrolled()
    const bits = recoveryCodes.map((code) => code.replaceAll('-', '').length * 5)
    expect(Math.min(...bits)).toBeGreaterThanOrEqual(128)
    const short = ['0123-4567-89ab-cdef', '0123-4567-89ab-cdef-ghjk-mnpq']
    const rows = short.map((code) => ({ user_id: userId, code_hash: hash('sha256', `${userId} ${code}`, 'buffer') }))
    await stage.access.db.insertInto('recovery_codes').values(rows).execute()
    for (const code of short) expect([code, await check(userId, code)]).toEqual([code, 'wrong'])
  })

  it('any nonsense is a wrong code', async () => {
    const { userId } = await enrolled()
    for (const code of ['', '12345', '1234567', '١٢٣٤٥٦', '\0', 'x'.repeat(100_000)]) {
      expect(await check(userId, code)).toBe('wrong')
    }
  })

  it('neither the secret nor a recovery code is in the database', async () => {
    const { userId, secret, recoveryCodes } = await enrolled()
    const { db } = stage.access
    const factors = await db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).execute()
    const codes = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', userId).execute()
    const bytes = Buffer.concat([...factors.map((row) => row.sealed_secret), ...codes.map((row) => row.code_hash)])
    const plain = secret.replaceAll(' ', '')
    for (const text of [plain, ...recoveryCodes]) expect(bytes.includes(text)).toBe(false)
    expect(codes).toHaveLength(10)
  })

  it('503: the secret of the instance has changed; recovery codes still work', async () => {
    const { userId, secret, recoveryCodes } = await enrolled()
    const changed = new SecondFactor({ access: stage.access, instanceSecret: 'another secret' })
    const { db } = stage.access
    await expect(changed.check(db, userId, stage.codeFor(secret))).rejects.toMatchObject({ status: 503 })
    expect(await changed.check(db, userId, recoveryCodes[0] ?? '')).toBe('recovery')
  })
})
