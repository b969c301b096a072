// Hashes and encrypts with keys derived from the instance's secret, one key for each purpose. The same on all nodes.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Shows whether two texts are the same, but not what they are. Without the instance's secret, not even trying every
 * possible text reveals what was hashed. Hashes for different purposes can't be compared either.
 */
export type KeyedHash = (text: string) => string

const KEY_BYTES = 32
/** 132 bits: enough to rule out collisions. */
const HASH_LENGTH = 22
const DAY_MS = 86_400_000

export function createKeyedHash(instanceSecret: string, purpose: string): KeyedHash {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', instanceSecret, '', `bowerbird ${purpose}`, KEY_BYTES)))
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, HASH_LENGTH)
}

/** Compares in constant time, so that a hash can't be guessed piece by piece. */
export function isSameHash(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

interface DailyHashParts {
  instanceSecret: string
  purpose: string
  clock: () => number
}

/** Uses a new key every day (UTC), so that hashes from different days can't be compared. */
export function createDailyHash({ instanceSecret, purpose, clock }: DailyHashParts): KeyedHash {
  let today = Number.NaN
  let hashOfToday: KeyedHash = () => ''
  return (text) => {
    const day = Math.floor(clock() / DAY_MS)
    if (day !== today) {
      hashOfToday = createKeyedHash(instanceSecret, `${purpose} of day ${day}`)
      today = day
    }
    return hashOfToday(text)
  }
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The first byte of the ciphertext, so that the scheme can be replaced later. */
const VERSION = 1

/**
 * Encrypts data that must not be readable from the database or Redis alone: AES-256-GCM. A ciphertext is bound to one
 * owner: copied to another user's row, it can't be decrypted.
 */
export function createEncryption(instanceSecret: string, purpose: string, randomBytes: (size: number) => Uint8Array) {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', purpose, KEY_BYTES))
  return {
    encrypt(plain: Uint8Array, owner: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text])
    },
    /** Undefined if it was encrypted with another secret, for another owner, or has been modified. */
    decrypt(encrypted: Uint8Array, owner: string): Buffer | undefined {
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
