import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createOpaqueTokens } from './opaque-token.ts'

const tokensFor = (purpose: string, instanceSecret = 'a secret') =>
  createOpaqueTokens({ instanceSecret, purpose, randomBytes })

describe('an opaque token', () => {
  it('is known as ours by its end, and by nothing else', () => {
    const { mint, hash } = tokensFor('session')
    const { token, tokenHash } = mint()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(hash(token)).toEqual(tokenHash)
    for (const wrong of ['', 'nonsense', randomBytes(32).toString('base64url'), token.slice(1), `${token}A`]) {
      expect([wrong, hash(wrong)]).toEqual([wrong, undefined])
    }
    const changed = Buffer.from(token, 'base64url')
    changed.writeUInt8(changed.readUInt8(3) ^ 1, 3)
    expect(hash(changed.toString('base64url'))).toBeUndefined()
  })

  it('of one purpose or secret is none of another', () => {
    const { token } = tokensFor('session').mint()
    expect(tokensFor('ticket').hash(token)).toBeUndefined()
    expect(tokensFor('session', 'another secret').hash(token)).toBeUndefined()
  })

  it('is another each time, and is stored as its hash', () => {
    const { mint, hash } = tokensFor('session')
    const made = Array.from({ length: 100 }, mint)
    expect(new Set(made.map(({ token }) => token)).size).toBe(100)
    for (const { token, tokenHash } of made) expect(hash(token)).toEqual(tokenHash)
    expect(hash('x'.repeat(44))).toBeUndefined()
  })
})
