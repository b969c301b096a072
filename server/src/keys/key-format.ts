// The format of a key: `bowerbird_<prefix>.<secret>`. The prefix identifies the key; the secret, stored only as a hash,
// authenticates it. The secret ends in a checksum of everything before it, so that a typo can be distinguished from a
// wrong key without a look-up, and a scanner can tell a leaked key from a lookalike.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const LABEL = 'bowerbird_'
const PREFIX_LENGTH = 8
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6

const DOT_AT = LABEL.length + PREFIX_LENGTH
const SECRET_AT = DOT_AT + 1
const CHECKSUM_AT = SECRET_AT + RANDOM_LENGTH
const KEY_LENGTH = CHECKSUM_AT + CHECKSUM_LENGTH

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const NOT_A_DIGIT = 255

/** The value of each ASCII character as a base62 digit. */
const DIGIT_VALUES = new Uint8Array(128).fill(NOT_A_DIGIT)
for (let value = 0; value < BASE62.length; value++) DIGIT_VALUES[BASE62.charCodeAt(value)] = value

export type RandomBytes = (size: number) => Uint8Array

export interface KeyParts {
  prefix: string
  secret: string
}

export interface MintedKey extends KeyParts {
  /** The key that clients send. It exists only here and is never stored. */
  full: string
}

export function mintKey(randomBytes: RandomBytes): MintedKey {
  const prefix = mintPrefix(randomBytes)
  const body = `${LABEL}${prefix}.${randomBase62(RANDOM_LENGTH, randomBytes)}`
  const full = body + toBase62(crc32(body))
  return { prefix, secret: full.slice(SECRET_AT), full }
}

/** Parses a well-formed key; undefined for anything else: a typo, a cut-off paste, another service's key. */
export function readKey(text: string): KeyParts | undefined {
  if (text.length !== KEY_LENGTH || !text.startsWith(LABEL) || text[DOT_AT] !== '.') return undefined
  for (let at = LABEL.length; at < CHECKSUM_AT; at++) {
    if (at !== DOT_AT && digitAt(text, at) === NOT_A_DIGIT) return undefined
  }
  let checksum = 0
  for (let at = CHECKSUM_AT; at < KEY_LENGTH; at++) {
    const digit = digitAt(text, at)
    if (digit === NOT_A_DIGIT) return undefined
    checksum = checksum * 62 + digit
  }
  if (checksum !== crc32(text.slice(0, CHECKSUM_AT))) return undefined
  return { prefix: text.slice(LABEL.length, DOT_AT), secret: text.slice(SECRET_AT) }
}

/**
 * Reads what an operator enters to identify a key: its prefix, with or without the label, or the whole key if it
 * leaked. The secret is ignored.
 */
export function readPrefix(text: string): string | undefined {
  const unlabelled = text.startsWith(LABEL) ? text.slice(LABEL.length) : text
  const prefix = unlabelled.slice(0, PREFIX_LENGTH)
  const isWhole = unlabelled.length === PREFIX_LENGTH || unlabelled[PREFIX_LENGTH] === '.'
  return isWhole && /^[0-9A-Za-z]{8}$/.test(prefix) ? prefix : undefined
}

/** A secret has 256 random bits, so one plain SHA-256 is enough: guessing is hopeless, and a slow hash adds nothing. */
export const hashSecret = (secret: string): Uint8Array => hash('sha256', secret, 'buffer')

const digitAt = (text: string, at: number): number => DIGIT_VALUES[text.charCodeAt(at)] ?? NOT_A_DIGIT

/** Never returns only digits, which could be mistaken for a key's id. */
function mintPrefix(randomBytes: RandomBytes): string {
  for (;;) {
    const prefix = randomBase62(PREFIX_LENGTH, randomBytes)
    if (!/^\d+$/.test(prefix)) return prefix
  }
}

/** 248 is the largest multiple of 62 in a byte; larger bytes would favour the first digits. */
const UNBIASED_BELOW = 248

function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < UNBIASED_BELOW) text += BASE62[byte % 62]
    }
  }
  return text
}

function toBase62(value: number): string {
  let text = ''
  for (let rest = value; text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text
}
