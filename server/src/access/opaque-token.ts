// A text that means nothing and opens something: 256 random bits for the browser, of which the database keeps the hash.
// Whoever reads the database can open nothing with what is there.
import { hash } from 'node:crypto'
import type { RandomBytes } from '../keys/key-format.ts'

const SIZE_BYTES = 32
const FORM = /^[\w-]{43}$/

interface MintedToken {
  /** It exists once, here: it is never stored. */
  token: string
  tokenHash: Buffer
}

export function mintToken(randomBytes: RandomBytes): MintedToken {
  const token = Buffer.from(randomBytes(SIZE_BYTES)).toString('base64url')
  return { token, tokenHash: hash('sha256', token, 'buffer') }
}

/** Undefined for a text that cannot be a token, so that nobody asks the database about it. */
export const hashToken = (text: string): Buffer | undefined =>
  FORM.test(text) ? hash('sha256', text, 'buffer') : undefined
