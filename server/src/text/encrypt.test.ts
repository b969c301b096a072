import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createEncryption } from './encrypt.ts'

const PLAIN = Buffer.from('twenty secret bytes.')

describe('what is encrypted', () => {
  const encryption = createEncryption('secret of the instance', 'test', randomBytes)

  it('opens for its owner, under the same secret and for the same purpose', () => {
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

  it('shows nothing of what is in it, and is never twice the same', () => {
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
