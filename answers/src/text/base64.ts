// Base64: `base64 encode hello`, `base64 decode aGVsbG8=`. Bare `base64`, `python base64` and `image to base64` are
// ordinary searches and stay unanswered. Input is validated before decoding, because the decoder accepts anything.
import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine, quoted, readPayload } from '../lib/payload.ts'

type Direction = 'encode' | 'decode'

const WORD = 'base[- ]?64(url)?'
const BEFORE = new RegExp(`^${WORD}\\s+(encode|decode|of)(?:\\s+of)?(\\s*:\\s*|\\s+)([\\s\\S]+)$`, 'i')
const VERB_FIRST = new RegExp(`^(encode|decode)\\s+${WORD}(\\s*:\\s*|\\s+)([\\s\\S]+)$`, 'i')
const BETWEEN = new RegExp(
  `^(?:(encode|decode|convert)\\s+)?([\\s\\S]+?)\\s{1,5}(?:to|in|as|into|from|with)\\s+${WORD}$`,
  'i',
)
const AFTER = new RegExp(`^(\\S+)\\s+${WORD}\\s+(decode|encode)d?$`, 'i')

const STANDARD = /^[A-Za-z\d+/]+={0,2}$/
const FOR_ADDRESSES = /^[A-Za-z\d_-]+={0,2}$/

export const base64 = defineAnswer({
  slug: 'base64',
  title: 'Base64 encoder and decoder',
  summary: 'Encodes text as Base64 or Base64url, and decodes it, to hexadecimal bytes if the result is not text.',
  examples: [
    { q: 'base64 encode hello' },
    { q: 'base64 decode aGVsbG8=' },
    { q: 'hello world to base64' },
    { q: 'base64url encode "a?b>c"' },
  ],
  reply: z.object({
    direction: z.enum(['encode', 'decode']),
    variant: z.enum(['base64', 'base64url']),
    input: z.string(),
    output: z.string().describe('Empty if the decoded bytes are not text.'),
    bytes_hex: z.string().describe('The bytes that were encoded or decoded.'),
  }),
  match({ asked, folded }) {
    if (!/base[- ]?64/.test(folded)) return null
    const found = read(asked)
    if (!found) return null
    const input = readPayload(found.rest, { isCertain: found.isCertain })
    if (input === null || (found.direction === 'decode' && !isBase64(input))) return null
    return { direction: found.direction, isForAddresses: found.isForAddresses, input }
  },
  answer({ direction, isForAddresses, input }) {
    if (direction === 'encode') {
      const bytes = Buffer.from(input)
      const variant = isForAddresses ? ('base64url' as const) : ('base64' as const)
      const output = bytes.toString(variant)
      const text = `${isForAddresses ? 'Base64url' : 'Base64'} of ${quoted(input)}: ${output}`
      return { text, direction, variant, input, output, bytes_hex: bytes.toString('hex') }
    }
    const bytes = Buffer.from(input, 'base64')
    const bytes_hex = bytes.toString('hex')
    const output = isUtf8(bytes) ? bytes.toString() : ''
    const text =
      output === '' ? `${input} decoded is no text: bytes ${bytes_hex}` : `${input} decoded: ${oneLine(output)}`
    const variant = /[-_]/.test(input) ? ('base64url' as const) : ('base64' as const)
    return { text, direction, variant, input, output, bytes_hex }
  },
})

function read(
  asked: string,
): { direction: Direction; isForAddresses: boolean; rest: string; isCertain: boolean } | null {
  const before = BEFORE.exec(asked)
  if (before) {
    const [, url, verb = '', separator = '', rest = ''] = before
    return { direction: directionOf(verb), isForAddresses: Boolean(url), rest, isCertain: separator.includes(':') }
  }
  const first = VERB_FIRST.exec(asked)
  if (first) {
    const [, verb = '', url, separator = '', rest = ''] = first
    return { direction: directionOf(verb), isForAddresses: Boolean(url), rest, isCertain: separator.includes(':') }
  }
  const [, verb = '', rest = '', url] = BETWEEN.exec(asked) ?? []
  if (rest) return { direction: directionOf(verb), isForAddresses: Boolean(url), rest, isCertain: false }
  const [, text = '', forAddresses, last = ''] = AFTER.exec(asked) ?? []
  if (!text) return null
  return { direction: directionOf(last), isForAddresses: Boolean(forAddresses), rest: text, isCertain: false }
}

const directionOf = (verb: string): Direction => (verb.toLowerCase() === 'decode' ? 'decode' : 'encode')

/** Accepts exactly what an encoder writes, with or without padding: no stray bits in the last character. */
function isBase64(input: string): boolean {
  if (!STANDARD.test(input) && !FOR_ADDRESSES.test(input)) return false
  const bare = input.replace(/=+$/, '')
  const padding = input.length - bare.length
  if (padding > 0 && input.length % 4 !== 0) return false
  const variant = /[-_]/.test(bare) ? 'base64url' : 'base64'
  return Buffer.from(bare, variant).toString(variant).replace(/=+$/, '') === bare
}
