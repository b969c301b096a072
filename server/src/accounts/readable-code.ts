// Random texts that people copy by hand: recovery codes and generated passwords.
import type { RandomBytes } from '../keys/key-format.ts'

/** No i, l, o or u, which are easily misread as 1, 1, 0 and v. 32 characters, so 5 bits each. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUP_LENGTH = 4

/** 20 bits per group. */
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
