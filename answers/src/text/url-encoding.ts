// Percent-encoding of URLs: `url encode a b&c`, `url decode a%20b`. `urlencode php` and `url encoding` are ordinary
// searches and stay unanswered, as does anything that can't be decoded.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine, quoted, readPayload } from '../lib/payload.ts'

const NAME = '(?:url|uri|percent)'
const BEFORE = new RegExp(`^${NAME}[- ]?(encode|decode|escape|unescape)(?:\\s+of)?(\\s*:\\s*|\\s+)([\\s\\S]+)$`, 'i')
const VERB_FIRST = new RegExp(`^(encode|decode|escape|unescape)\\s+${NAME}(\\s*:\\s*|\\s+)([\\s\\S]+)$`, 'i')
const AFTER = new RegExp(`^([\\s\\S]+?)\\s{1,5}${NAME}[- ]?(encode|decode)d$`, 'i')
const CALL = /^(encode|decode)uri(?:component)?\((["'`])([\s\S]+)\2\)$/i

export const urlEncoding = defineAnswer({
  slug: 'url_encoding',
  title: 'URL encoder and decoder',
  summary: 'Percent-encodes text for a URL, and decodes it.',
  examples: [
    { q: 'url encode a b&c' },
    { q: 'url decode caf%C3%A9%20au%20lait' },
    { q: 'encodeURIComponent("50% off?")' },
  ],
  reply: z.object({ direction: z.enum(['encode', 'decode']), input: z.string(), output: z.string() }),
  match({ asked, folded }) {
    if (!/^(?:ur[li]|percent|encode|decode|escape|unescape)|encoded$|decoded$/.test(folded)) return null
    const found = readRequest(asked)
    if (!found) return null
    const isDecoding = /^(?:decode|unescape)$/i.test(found.verb)
    // A word that wouldn't change is hardly meant to be encoded: it's a search.
    const isPlain = isDecoding ? !/%[\da-f]{2}/i.test(found.rest) : /^[\w.~-]+$/.test(found.rest)
    const input = readPayload(found.rest, { isCertain: found.isCertain })
    return input === null || (isPlain && !found.isCertain) ? null : { isDecoding, input }
  },
  answer({ isDecoding, input }) {
    const output = isDecoding ? decode(input) : encodeURIComponent(input.toWellFormed())
    if (output === null) return null
    const text = isDecoding
      ? `${oneLine(input)} decoded: ${output.trim() === output ? oneLine(output) : quoted(output)}`
      : `${quoted(input)} URL-encoded: ${output}`
    return { text, direction: isDecoding ? ('decode' as const) : ('encode' as const), input, output }
  },
})

function readRequest(asked: string): { verb: string; rest: string; isCertain: boolean } | null {
  const [, calledVerb = '', , argument = ''] = CALL.exec(asked) ?? []
  if (calledVerb) return { verb: calledVerb, rest: argument, isCertain: true }
  const [, verb = '', separator = '', rest = ''] = BEFORE.exec(asked) ?? VERB_FIRST.exec(asked) ?? []
  if (verb) return { verb, rest, isCertain: separator.includes(':') }
  const [, text = '', last = ''] = AFTER.exec(asked) ?? []
  return text ? { verb: last, rest: text, isCertain: false } : null
}

function decode(input: string): string | null {
  try {
    return decodeURIComponent(input)
  } catch (error) {
    // Thrown for bytes that aren't UTF-8, and for stray percent signs.
    if (error instanceof URIError) return null
    throw error
  }
}
