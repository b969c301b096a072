import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.ts'
import { hashPassword, isPasswordRight } from '../access/passwords.ts'

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

describe('a password', () => {
  it('is kept as argon2id with the recommended cost, never twice the same', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(other).not.toBe(one)
    expect(one).not.toContain('correct')
  })

  it('opens when it is right and not when it is wrong', async () => {
    const hash = await hashPassword('correct horse')
    expect(await isPasswordRight(hash, 'correct horse')).toBe(true)
    expect(await isPasswordRight(hash, 'correct horsf')).toBe(false)
    expect(await isPasswordRight(hash, '')).toBe(false)
  })

  it('is the same password however its accents were typed', async () => {
    const hash = await hashPassword('caf\u00e9 au lait')
    expect(await isPasswordRight(hash, 'cafe\u0301 au lait')).toBe(true)
  })

  it('needs 10 characters, counted as a person counts them', async () => {
    await expect(hashPassword('123456789')).rejects.toMatchObject({
      status: 400,
      body: { password: ['Use at least 10 characters.'] },
    })
    await expect(hashPassword('🦜🦜🦜🦜🦜')).rejects.toBeInstanceOf(Refusal)
    expect(await hashPassword('1234567890')).toContain('argon2id')
  })

  it('has an upper length, so that hashing stays cheap', async () => {
    await expect(hashPassword('x'.repeat(1_001))).rejects.toBeInstanceOf(Refusal)
    expect(await isPasswordRight(undefined, 'x'.repeat(1_000_000))).toBe(false)
  })

  it('is wrong for an unknown user, after the time a known one takes', async () => {
    const hash = await hashPassword('correct horse')
    expect(await isPasswordRight(undefined, 'correct horse')).toBe(false)
    const known = await millisecondsOf(() => isPasswordRight(hash, 'wrong password'))
    const unknown = await millisecondsOf(() => isPasswordRight(undefined, 'wrong password'))
    expect(unknown).toBeGreaterThan(known / 3)
  })
})
