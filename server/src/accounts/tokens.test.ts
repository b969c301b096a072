import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createOpaqueTokens, mintReadableCode, readReadableCode } from './tokens.ts'

const tokensFor = (purpose: string, instanceSecret = 'a secret') =>
  createOpaqueTokens({ instanceSecret, purpose, randomBytes })

describe('an opaque token', () => {
  it('is recognised as ours by its tag alone', () => {
    const tokens = tokensFor('session')
    const { token, tokenHash } = tokens.mint()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(tokens.hash(token)).toEqual(tokenHash)
    for (const wrong of ['', 'nonsense', randomBytes(32).toString('base64url'), token.slice(1), `${token}A`]) {
      expect([wrong, tokens.hash(wrong)]).toEqual([wrong, undefined])
    }
    const changed = Buffer.from(token, 'base64url')
    changed.writeUInt8(changed.readUInt8(3) ^ 1, 3)
    expect(tokens.hash(changed.toString('base64url'))).toBeUndefined()
  })

  it('for one purpose or secret is not valid for another', () => {
    const { token } = tokensFor('session').mint()
    expect(tokensFor('ticket').hash(token)).toBeUndefined()
    expect(tokensFor('session', 'another secret').hash(token)).toBeUndefined()
  })

  it('is another each time, and is stored as its hash', () => {
    const tokens = tokensFor('session')
    const made = Array.from({ length: 100 }, () => tokens.mint())
    expect(new Set(made.map(({ token }) => token)).size).toBe(100)
    for (const { token, tokenHash } of made) expect(tokens.hash(token)).toEqual(tokenHash)
    expect(tokens.hash('x'.repeat(44))).toBeUndefined()
  })
})

describe('a readable code', () => {
  it('has groups of four characters that cannot be mistaken for each other', () => {
    expect(mintReadableCode(randomBytes, 4)).toMatch(/^[\da-hjkmnp-tv-z]{4}(-[\da-hjkmnp-tv-z]{4}){3}$/)
  })

  it('is read however it was copied', () => {
    const code = mintReadableCode((size) => new Uint8Array(size).map((_, at) => at), 4)
    expect(code).toBe('0123-4567-89ab-cdef')
    for (const copied of [
      code,
      code.toUpperCase(),
      code.replaceAll('-', ''),
      ' O123 4567\t89AB - cdef\n',
      'ol23-4567-89ab-cdef',
    ]) {
      expect(readReadableCode(copied, 4)).toBe(code)
    }
  })

  it('is read from nothing else', () => {
    for (const other of [
      '',
      '123456',
      '0123-4567-89ab-cde',
      '0123-4567-89ab-cdeff',
      'é123-4567-89ab-cdef',
      'x'.repeat(1e6),
    ]) {
      expect(readReadableCode(other, 4)).toBeUndefined()
    }
  })
})
