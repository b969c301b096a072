// Base64: `base64 encode hello`, `base64 decode aGVsbG8=`. Bare `base64`, `python base64` and `image to base64` are
// ordinary searches and stay unanswered. Input is validated before decoding, because the decoder accepts anything.
import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { isSample, oneLine, quoted, readPayload } from '../lib/payload.ts'

type Direction = 'encode' | 'decode'

const NAME = 'base[- ]?64(?<url>url)?'
const FORMS = [
  `${NAME}\\s+(?<verb>encode|decode|of)(?:\\s+of)?(?<separator>\\s*:\\s*|\\s+)(?<rest>[\\s\\S]+)`,
  `(?<verb>encode|decode)\\s+${NAME}(?<separator>\\s*:\\s*|\\s+)(?<rest>[\\s\\S]+)`,
  `(?:(?<verb>encode|decode|convert)\\s+)?(?<rest>[\\s\\S]+?)\\s{1,5}(?:to|in|as|into|with)\\s+${NAME}`,
  `(?:(?<verb>decode|convert)\\s+)?(?<rest>\\S+)\\s+(?<from>from)\\s+${NAME}`,
  `(?<rest>\\S+)\\s+${NAME}\\s+(?<verb>decode|encode)d?`,
].map((form) => new RegExp(`^${form}$`, 'i'))

const TERSE = /^base[- ]?64 ([^\s]{2,200}|[a-z]{3,5} [a-z]{3,5})$/i
const STANDARD = /^[A-Za-z\d+/]+={0,2}$/
const URL_SAFE = /^[A-Za-z\d_-]+={0,2}$/

export const base64 = defineAnswer({
  slug: 'base64',
  title: 'Base64 encoder and decoder',
  summary:
    'Encodes text as Base64 or Base64url, and decodes both. Decoded bytes that are not text are shown in hexadecimal.',
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
    bytes_hex: z.string().describe('The unencoded bytes, in hexadecimal.'),
  }),
  match({ asked, folded }) {
    if (!/base[- ]?64/.test(folded)) return null
    const terse = readTerse(asked)
    if (terse) return terse
    const found = FORMS.map((form) => form.exec(asked)?.groups).find((groups) => groups !== undefined)
    if (!found) return null
    const { url, verb = '', from, separator = '', rest = '' } = found
    const direction: Direction = from !== undefined || verb.toLowerCase() === 'decode' ? 'decode' : 'encode'
    const input = readPayload(rest, { isCertain: separator.includes(':') })
    if (input === null || (direction === 'decode' && !isBase64(input))) return null
    return { direction, isUrlSafe: url !== undefined, input }
  },
  answer({ direction, isUrlSafe, input }) {
    if (direction === 'encode') {
      const bytes = Buffer.from(input)
      const variant = isUrlSafe ? ('base64url' as const) : ('base64' as const)
      const output = bytes.toString(variant)
      const text = `${isUrlSafe ? 'Base64url' : 'Base64'} of ${quoted(input)}: ${output}`
      return { text, direction, variant, input, output, bytes_hex: bytes.toString('hex') }
    }
    const bytes = Buffer.from(input, 'base64')
    const bytes_hex = bytes.toString('hex')
    const output = isUtf8(bytes) ? bytes.toString() : ''
    const text =
      output === ''
        ? `${input} decodes to bytes that are not text: ${bytes_hex}`
        : `${input} decoded: ${oneLine(output)}`
    const variant = /[-_]/.test(input) ? ('base64url' as const) : ('base64' as const)
    return { text, direction, variant, input, output, bytes_hex }
  },
})

/** `base64 hello`, `base64 aGVsbG8=`: a word that people try it with, a text with a password, or an unmistakable code. */
function readTerse(asked: string): { direction: Direction; isUrlSafe: boolean; input: string } | undefined {
  const [, input = ''] = TERSE.exec(asked) ?? []
  if (input === '') return undefined
  if (isSample(input) || /^[^\s:]{1,40}:[^\s:/]{1,80}$/.test(input))
    return { direction: 'encode', isUrlSafe: false, input }
  const isCode = input.endsWith('=') && isBase64(input) && isUtf8(Buffer.from(input, 'base64'))
  return isCode ? { direction: 'decode', isUrlSafe: false, input } : undefined
}

/** Accepts exactly what an encoder writes, with or without padding: no stray bits in the last character. */
function isBase64(input: string): boolean {
  if (!STANDARD.test(input) && !URL_SAFE.test(input)) return false
  const bare = input.replace(/=+$/, '')
  const padding = input.length - bare.length
  if (padding > 0 && input.length % 4 !== 0) return false
  const variant = /[-_]/.test(bare) ? 'base64url' : 'base64'
  return Buffer.from(bare, variant).toString(variant).replace(/=+$/, '') === bare
}
