// The format of a key: `bowerbird_<prefix>.<secret>`. The prefix identifies the key; the secret, stored only as a hash,
// authenticates it. The secret ends in a checksum of everything before it, so that a typo can be distinguished from a
// wrong key without a look-up, and a scanner can tell a leaked key from a lookalike.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const LABEL = 'bowerbird_'
const PREFIX_LENGTH = 8
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The label, the prefix, and the secret, which ends in the checksum. */
const FORM = /^bowerbird_([0-9A-Za-z]{8})\.([0-9A-Za-z]{43}([0-9A-Za-z]{6}))$/

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
  const random = randomBase62(RANDOM_LENGTH, randomBytes)
  const checksum = toBase62(crc32(`${LABEL}${prefix}.${random}`))
  const secret = random + checksum
  return { prefix, secret, full: `${LABEL}${prefix}.${secret}` }
}

/** Parses a well-formed key; undefined for anything else: a typo, a cut-off paste, another service's key. */
export function readKey(text: string): KeyParts | undefined {
  const [, prefix, secret, checksum] = FORM.exec(text) ?? []
  if (prefix === undefined || secret === undefined) return undefined
  return checksum === toBase62(crc32(text.slice(0, -CHECKSUM_LENGTH))) ? { prefix, secret } : undefined
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
