// Recognises a picture by its first bytes and nothing else: trusting the sender's content type would let a page or a
// script through. SVG is a document that can contain both, so it is not accepted.

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end)

const BEGINNINGS: readonly [type: string, isThis: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => ascii(bytes, 0, 3) === '\xff\xd8\xff'],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6))],
  ['image/webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  ['image/avif', (bytes) => /^ftypavi[fs]$/.test(ascii(bytes, 4, 12))],
  ['image/x-icon', (bytes) => ascii(bytes, 0, 4) === '\0\0\x01\0'],
]

/** Undefined if it isn't a supported picture. */
export const pictureType = (bytes: Buffer): string | undefined => BEGINNINGS.find(([, isThis]) => isThis(bytes))?.[0]
