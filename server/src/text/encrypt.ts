// Encrypts data that must not be readable from the database or Redis alone: AES-256-GCM, with a key derived from the
// instance's secret. A ciphertext is bound to one owner: copied to another user's row, it can't be decrypted.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

export interface Encryption {
  encrypt: (plain: Uint8Array, owner: string) => Buffer
  /** Undefined if it was encrypted with another secret, for another owner, or has been modified. */
  decrypt: (encrypted: Uint8Array, owner: string) => Buffer | undefined
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of the ciphertext, so that the scheme can be replaced later. */
const VERSION = 1

/** `purpose` gives each use of the secret its own key. */
export function createEncryption(
  instanceSecret: string,
  purpose: string,
  randomBytes: (size: number) => Uint8Array,
): Encryption {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', purpose, KEY_BYTES))
  return {
    encrypt(plain, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text])
    },
    decrypt(encrypted, owner) {
      if (encrypted.length < 1 + NONCE_BYTES + TAG_BYTES || encrypted[0] !== VERSION) return undefined
      const nonce = encrypted.subarray(1, 1 + NONCE_BYTES)
      const tag = encrypted.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
      const text = decipher.update(encrypted.subarray(1 + NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([text, decipher.final()])
      } catch {
        // The authentication tag is wrong; Node reports that only by throwing.
        return undefined
      }
    },
  }
}
