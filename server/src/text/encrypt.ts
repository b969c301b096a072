// Encryption of what the database must not be able to read: AES-256-GCM under a key that is derived from the secret of
// the instance. A sealed text belongs to one owner: put into another's row, it does not open.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { RandomBytes } from '../keys/key-format.ts'

export interface Seal {
  close: (plain: Uint8Array, owner: string) => Buffer
  /** Undefined when it was sealed under another secret, for another owner, or has been changed since. */
  open: (sealed: Uint8Array, owner: string) => Buffer | undefined
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of what is sealed, so that another way of sealing can come after this one. */
const VERSION = 1

/** `purpose` gives each use of the secret a key of its own. */
export function createSeal(instanceSecret: string, purpose: string, randomBytes: RandomBytes): Seal {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', purpose, KEY_BYTES))
  return {
    close(plain, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text])
    },
    open(sealed, owner) {
      if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) return undefined
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
      const text = decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([text, decipher.final()])
      } catch {
        // The tag does not fit; Node has no other way to say so.
        return undefined
      }
    },
  }
}
