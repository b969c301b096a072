import { hash } from 'node:crypto'
import { decodeQR } from 'qr/decode.js'
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
    expect(readQr(enrolment.qrSvg)).toBe(enrolment.uri)
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
    expect(await check(userId, stage.codeFor(secret, STEP_MS))).toBe('right')
  })

  it('does not accept the code that turned it on', async () => {
    const { names, enrolment } = await begin()
    const code = stage.codeFor(enrolment.secret)
    await stage.confirmApp(names.userId, code)
    expect(await check(names.userId, code)).toBe('wrong')
  })

  it('accepts a code with a space in it, as apps show them', async () => {
    const { userId, secret } = await enrolled()
    const code = stage.codeFor(secret)
    expect(await check(userId, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe('right')
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

/** Paints the one path of the picture, four pixels a module, and reads it as a camera would. */
function readQr(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const scale = 4
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [x, y] of modulesOf(svg)) {
    for (let dy = 0; dy < scale; dy++) {
      for (let dx = 0; dx < scale; dx++) {
        const at = ((y * scale + dy) * width + x * scale + dx) * 4
        data.fill(0, at, at + 3)
      }
    }
  }
  return decodeQR({ width, height: width, data })
}

/** The path is a chain of unit squares, each begun by an absolute or a relative move. */
function modulesOf(svg: string): [x: number, y: number][] {
  const path = / d="([^"]+)"/.exec(svg)?.[1] ?? ''
  let [x, y] = [0, 0]
  return [...path.matchAll(/([Mm])(-?\d+)[ ,]?(-?\d+)h1v1/g)].map(([, move, dx, dy]) => {
    x = Number(dx) + (move === 'm' ? x : 0)
    y = Number(dy) + (move === 'm' ? y : 0)
    return [x, y]
  })
}
