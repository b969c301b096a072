// Hashes and checksums: `sha256 hello`, `md5 of hello`. The text is hashed as UTF-8, with all spaces inside it. `md5`,
// `sha256 python`, `md5 vs sha1` and `hash browns` are ordinary searches and stay unanswered.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { isSample, quoted, readPayload } from '../lib/payload.ts'

type Digest = (bytes: Buffer) => Uint8Array | Promise<Uint8Array>

interface Algorithm {
  label: string
  digest: Digest
}

const builtIn =
  (name: string, outputLength?: number): Digest =>
  (bytes) =>
    createHash(name, outputLength === undefined ? {} : { outputLength })
      .update(bytes)
      .digest()

const crc32Digest: Digest = (bytes) => {
  const value = Buffer.alloc(4)
  value.writeUInt32BE(crc32(bytes))
  return value
}

/** Keyed by name without hyphens or slashes. The two SHAKE functions have no fixed length, so the label states it. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  ['md5', { label: 'MD5', digest: builtIn('md5') }],
  ['sha1', { label: 'SHA-1', digest: builtIn('sha1') }],
  ['sha224', { label: 'SHA-224', digest: builtIn('sha224') }],
  ['sha256', { label: 'SHA-256', digest: builtIn('sha256') }],
  ['sha384', { label: 'SHA-384', digest: builtIn('sha384') }],
  ['sha512', { label: 'SHA-512', digest: builtIn('sha512') }],
  ['sha512224', { label: 'SHA-512/224', digest: builtIn('sha512-224') }],
  ['sha512256', { label: 'SHA-512/256', digest: builtIn('sha512-256') }],
  ['sha3224', { label: 'SHA3-224', digest: builtIn('sha3-224') }],
  ['sha3256', { label: 'SHA3-256', digest: builtIn('sha3-256') }],
  ['sha3384', { label: 'SHA3-384', digest: builtIn('sha3-384') }],
  ['sha3512', { label: 'SHA3-512', digest: builtIn('sha3-512') }],
  ['shake128', { label: 'SHAKE128 (32 bytes)', digest: builtIn('shake128', 32) }],
  ['shake256', { label: 'SHAKE256 (64 bytes)', digest: builtIn('shake256', 64) }],
  ['blake2b', { label: 'BLAKE2b-512', digest: builtIn('blake2b512') }],
  ['blake2b512', { label: 'BLAKE2b-512', digest: builtIn('blake2b512') }],
  ['blake2s', { label: 'BLAKE2s-256', digest: builtIn('blake2s256') }],
  ['blake2s256', { label: 'BLAKE2s-256', digest: builtIn('blake2s256') }],
  ['blake3', { label: 'BLAKE3', digest: async (bytes) => (await import('@noble/hashes/blake3.js')).blake3(bytes) }],
  [
    'keccak256',
    { label: 'Keccak-256', digest: async (bytes) => (await import('@noble/hashes/sha3.js')).keccak_256(bytes) },
  ],
  ['ripemd160', { label: 'RIPEMD-160', digest: builtIn('ripemd160') }],
  ['sm3', { label: 'SM3', digest: builtIn('sm3') }],
  ['crc32', { label: 'CRC-32', digest: crc32Digest }],
])

/** Every name begins with one of these, followed by a digit. */
const HINT = /(?:sha|md|crc|blake|ripemd|keccak|shake|sm)[-_ ]?\d/
const NAME = '((?:sha|md|crc|blake|ripemd|keccak|shake|sm)[-_ ]?\\d[a-z\\d/_-]{0,9})'
const VERB = '(?:(?:calculate|compute|generate|create|what is|what.s)\\s+)?(?:the\\s+)?'
const BEFORE = new RegExp(
  `^${VERB}${NAME}(?:\\s+(?:hash|checksum|digest|sum))?(\\s+(?:of|for))?(\\s*:\\s*|\\s+)([\\s\\S]+)$`,
  'i',
)
/** As programs write it: `sha256("hello")`. */
const CALL = new RegExp(`^${NAME}\\(((?:"[^"]*"|'[^']*'))\\)$`, 'i')
/** `hello md5`: only with a word that people try it with. */
const SAMPLE_FIRST = new RegExp(`^([a-z ]{2,12}) ${NAME}$`, 'i')
const AFTER = new RegExp(`^(?:(?:convert|hash)\\s{1,5})?([\\s\\S]+?)\\s{1,5}(?:to|in|with|as)\\s{1,5}${NAME}$`, 'i')

/** Without `of`, a colon or quotation marks, more words than this are a search. */
const MAX_LOOSE_WORDS = 3
/** Only after these names is a bare word hashed: `blake3 hello` is a search, and so is `md5 in python`. */
const LOOSE_NAME = /^(?:md5|sha-?\d+|sha3-\d+)$/i
const STARTS_WITH_SMALL_WORD = /^(?:in|on|for|with|and|or|not|to|from|by|at) /i

const algorithmOf = (name: string): Algorithm | undefined => ALGORITHMS.get(name.toLowerCase().replace(/[-_/ ]/g, ''))

export const hash = defineAnswer({
  slug: 'hash',
  title: 'Hash',
  summary:
    'The hash or checksum of a text: MD5, SHA-1, -2 and -3, SHAKE, BLAKE2 and 3, Keccak-256, RIPEMD-160, SM3, CRC-32.',
  examples: [{ q: 'sha256 hello' }, { q: 'md5 of hello' }, { q: 'crc32 "The quick brown fox"' }, { q: 'blake3: abc' }],
  reply: z.object({
    algorithm: z.string(),
    input: z.string(),
    input_bytes: z.int().describe('The length of the input in UTF-8.'),
    hex: z.string(),
    base64: z.string(),
  }),
  match({ asked, folded }) {
    if (!HINT.test(folded)) return null
    const [, name = '', of, separator = '', rest = ''] = BEFORE.exec(asked) ?? []
    const algorithm = algorithmOf(name)
    // `md5 of` is an unfinished query.
    if (of === undefined && /^(?:of|for)$/i.test(rest)) return null
    if (algorithm) {
      const isLoose = LOOSE_NAME.test(name) && !STARTS_WITH_SMALL_WORD.test(rest)
      const maxWords = isLoose || isSample(rest) ? MAX_LOOSE_WORDS : 0
      const input = readPayload(rest, { isCertain: separator.includes(':'), ...(of === undefined && { maxWords }) })
      return input === null ? null : { algorithm, input }
    }
    const [, called = '', argument = ''] = CALL.exec(asked) ?? []
    const calledFunction = algorithmOf(called)
    if (calledFunction) return { algorithm: calledFunction, input: argument.slice(1, -1) }
    const [, sample = '', after = ''] = SAMPLE_FIRST.exec(asked) ?? []
    const afterSample = isSample(sample) ? algorithmOf(after) : undefined
    if (afterSample) return { algorithm: afterSample, input: sample }
    const [, text = '', last = ''] = AFTER.exec(asked) ?? []
    const found = algorithmOf(last)
    const input = found ? readPayload(text) : null
    return found && input !== null ? { algorithm: found, input } : null
  },
  async answer({ algorithm: { label, digest }, input }) {
    const bytes = Buffer.from(input)
    const value = Buffer.from(await digest(bytes))
    const hex = value.toString('hex')
    return {
      text: `${label} of ${quoted(input)}: ${hex}`,
      algorithm: label,
      input,
      input_bytes: bytes.length,
      hex,
      base64: value.toString('base64'),
    }
  },
})
