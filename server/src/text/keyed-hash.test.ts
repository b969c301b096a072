import { describe, expect, it } from 'vitest'
import { createDailyHash, createKeyedHash } from './keyed-hash.ts'

const SECRET = 'a secret for tests, long enough'
const ADDRESS = '198.51.100.77'

describe('createKeyedHash', () => {
  it('is the same on every node, and another for every text, secret and purpose', () => {
    const hash = createKeyedHash(SECRET, 'networks')
    expect(hash(ADDRESS)).toBe(createKeyedHash(SECRET, 'networks')(ADDRESS))
    const others = [
      hash('198.51.100.78'),
      createKeyedHash(`${SECRET}!`, 'networks')(ADDRESS),
      createKeyedHash(SECRET, 'responses')(ADDRESS),
    ]
    expect(new Set([hash(ADDRESS), ...others]).size).toBe(4)
  })

  it('is short, says nothing of the text and may stand in the name of a Redis key', () => {
    expect(createKeyedHash(SECRET, 'networks')('{user} 1\n*')).toMatch(/^[\w-]{22}$/)
  })
})

describe('createDailyHash', () => {
  it('changes at midnight UTC and not before, and is the same on every node', () => {
    let now = Date.UTC(2026, 10, 15, 23, 59, 59, 999)
    const parts = { instanceSecret: SECRET, purpose: 'networks', clock: () => now }
    const [one, other] = [createDailyHash(parts), createDailyHash(parts)]
    const before = one(ADDRESS)
    now = Date.UTC(2026, 10, 15, 0)
    expect(one(ADDRESS)).toBe(before)
    now = Date.UTC(2026, 10, 16, 0)
    expect(one(ADDRESS)).not.toBe(before)
    expect(other(ADDRESS)).toBe(one(ADDRESS))
  })
})
