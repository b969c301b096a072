// Random tokens that grant access: the browser has the 192 random bits, the database only a hash, so reading the
// database isn't enough to use one.
//
// A token ends in a 64-bit tag, keyed with the instance secret. The tag grants nothing: it tells tokens issued here
// from made-up ones, so made-up tokens, however many, are never looked up.
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { RandomBytes } from '../keys/key-format.ts'

interface TokenParts {
  instanceSecret: string
  /** A token for one purpose is not valid for another. */
  purpose: string
  randomBytes: RandomBytes
}

export type OpaqueTokens = ReturnType<typeof createOpaqueTokens>

const RANDOM_BYTES = 24
const TAG_BYTES = 8
const KEY_BYTES = 32
const FORM = /^[\w-]{43}$/

export function createOpaqueTokens({ instanceSecret, purpose, randomBytes }: TokenParts) {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', `bowerbird ${purpose} token`, KEY_BYTES))
  const tagOf = (random: Uint8Array) => createHmac('sha256', key).update(random).digest().subarray(0, TAG_BYTES)
  return {
    /** The token is never stored; this is the only copy. */
    mint(): { token: string; tokenHash: Buffer } {
      const random = randomBytes(RANDOM_BYTES)
      const token = Buffer.concat([random, tagOf(random)]).toString('base64url')
      return { token, tokenHash: hash('sha256', token, 'buffer') }
    },
    /** Undefined unless it was issued here, for this purpose, with the current secret. */
    hash(text: string): Buffer | undefined {
      if (!FORM.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      const isOurs = timingSafeEqual(bytes.subarray(RANDOM_BYTES), tagOf(bytes.subarray(0, RANDOM_BYTES)))
      return isOurs ? hash('sha256', text, 'buffer') : undefined
    },
  }
}

/** No i, l, o or u, which are easily misread as 1, 1, 0 and v. 32 characters, so 5 bits each. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUP_LENGTH = 4

/** A random text that people copy by hand: a recovery code or a generated password. 20 bits per group. */
export function mintReadableCode(randomBytes: RandomBytes, groups: number): string {
  const characters = Array.from(randomBytes(groups * GROUP_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
  return withHyphens(characters.join(''))
}

/** Returns the original code, however it was copied: in capitals, without hyphens, with an O for a zero. */
export function readReadableCode(written: string, groups: number): string | undefined {
  if (written.length > groups * GROUP_LENGTH * 3) return undefined
  const plain = written.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  const isWhole = plain.length === groups * GROUP_LENGTH && /^[\da-z]*$/.test(plain)
  return isWhole ? withHyphens(plain) : undefined
}

const withHyphens = (text: string): string => text.replace(/.{4}(?=.)/g, '$&-')
