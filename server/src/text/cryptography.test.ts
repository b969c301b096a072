import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createDailyHash, createEncryption, createKeyedHash } from './cryptography.ts'

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

const PLAIN = Buffer.from('twenty secret bytes.')

describe('what is encrypted', () => {
  const encryption = createEncryption('secret of the instance', 'test', randomBytes)

  it('can be decrypted for its owner, with the same secret and purpose', () => {
    expect(
      createEncryption('secret of the instance', 'test', randomBytes).decrypt(encryption.encrypt(PLAIN, '7'), '7'),
    ).toEqual(PLAIN)
  })

  it('opens for nobody else, under no other secret, for no other purpose', () => {
    const encrypted = encryption.encrypt(PLAIN, '7')
    expect(encryption.decrypt(encrypted, '8')).toBeUndefined()
    expect(createEncryption('another secret', 'test', randomBytes).decrypt(encrypted, '7')).toBeUndefined()
    expect(createEncryption('secret of the instance', 'other', randomBytes).decrypt(encrypted, '7')).toBeUndefined()
  })

  it('reveals nothing of its content, and is different each time', () => {
    const [one, other] = [encryption.encrypt(PLAIN, '7'), encryption.encrypt(PLAIN, '7')]
    expect(one).not.toEqual(other)
    expect(one.includes(PLAIN.subarray(0, 4))).toBe(false)
  })

  it('does not open when any byte of it was changed or is missing', () => {
    const encrypted = encryption.encrypt(PLAIN, '7')
    for (let at = 0; at < encrypted.length; at++) {
      const changed = Buffer.from(encrypted)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(encryption.decrypt(changed, '7')).toBeUndefined()
      expect(encryption.decrypt(encrypted.subarray(0, at), '7')).toBeUndefined()
    }
  })
})
