import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createResponseEncryption } from './response-encryption.ts'

const secrecy = createResponseEncryption('a secret for tests')
const KEY = 'bb:response:{name}:mojeek'

describe('the encryption of responses', () => {
  it('any text decrypts on every node of the instance, and shows nothing of itself in Redis', () => {
    const otherNode = createResponseEncryption('a secret for tests')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), (text) => {
        const stored = secrecy.encrypt(text, KEY)
        expect(stored).not.toContain(text)
        expect(Buffer.from(stored, 'base64').includes(text)).toBe(false)
        expect(otherNode.decrypt(stored, KEY)).toBe(text)
      }),
    )
  })

  it('the same text encrypts differently each time', () => {
    expect(secrecy.encrypt('text', KEY)).not.toBe(secrecy.encrypt('text', KEY))
  })

  it('text that was moved, changed, forged or written by another instance is rejected', () => {
    const stored = secrecy.encrypt('text', KEY)
    expect(createResponseEncryption('another secret').decrypt(stored, KEY)).toBe('')
    expect(secrecy.decrypt(stored, 'bb:response:{other}:mojeek')).toBe('')
    expect(secrecy.decrypt(`${stored.slice(0, -4)}AAAA`, KEY)).toBe('')
    for (const invented of ['', 'x', '{"hits":[],"correction":""}', 'A'.repeat(80)]) {
      expect(secrecy.decrypt(invented, KEY)).toBe('')
    }
  })
})
