import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createOpaqueTokens } from './opaque-token.ts'

const tokensFor = (purpose: string, instanceSecret = 'a secret') =>
  createOpaqueTokens({ instanceSecret, purpose, randomBytes })

describe('an opaque token', () => {
  it('is known as ours by its end, and by nothing else', () => {
    const { mint, isOurs } = tokensFor('session')
    const { token } = mint()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(isOurs(token)).toBe(true)
    for (const wrong of ['', 'nonsense', randomBytes(32).toString('base64url'), token.slice(1), `${token}A`]) {
      expect([wrong, isOurs(wrong)]).toEqual([wrong, false])
    }
    const changed = Buffer.from(token, 'base64url')
    changed.writeUInt8(changed.readUInt8(3) ^ 1, 3)
    expect(isOurs(changed.toString('base64url'))).toBe(false)
  })

  it('of one purpose or secret is none of another', () => {
    const { token } = tokensFor('session').mint()
    expect(tokensFor('ticket').isOurs(token)).toBe(false)
    expect(tokensFor('session', 'another secret').isOurs(token)).toBe(false)
  })

  it('is another each time, and is stored as its hash', () => {
    const { mint, hash } = tokensFor('session')
    const made = Array.from({ length: 100 }, mint)
    expect(new Set(made.map(({ token }) => token)).size).toBe(100)
    for (const { token, tokenHash } of made) expect(hash(token)).toEqual(tokenHash)
    expect(hash('x'.repeat(44))).toBeUndefined()
  })
})
