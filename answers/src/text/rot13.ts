// ROT13, which is its own inverse: `rot13 hello`. Bare `rot13`, `rot13 python` and `rot in wood` are ordinary searches
// and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine, quoted, readPayload } from '../lib/payload.ts'

const BEFORE = /^(?:(?:decode|encode|decrypt|encrypt)\s+)?rot-?13(?:\s+(?:of|encode|decode))?(\s*:\s*|\s+)([\s\S]+)$/i
const AFTER = /^(?:(?:decode|encode|convert)\s+)?([\s\S]+?)\s{1,5}(?:in|to|with|from)\s+rot[- ]?13$/i
const SHIFT = 13
const ALPHABET_LENGTH = 26

export const rot13 = defineAnswer({
  slug: 'rot13',
  title: 'ROT13',
  summary: 'Shifts every letter by half the alphabet, which both encodes and decodes a text.',
  examples: [{ q: 'rot13 hello' }, { q: 'rot13 uryyb' }, { q: 'hello world in rot13' }],
  reply: z.object({ input: z.string(), output: z.string() }),
  match({ asked, folded }) {
    if (!/rot[- ]?13/.test(folded)) return null
    const [, separator = '', rest = ''] = BEFORE.exec(asked) ?? []
    const text = rest || (AFTER.exec(asked)?.[1] ?? '')
    const input = readPayload(text, { isCertain: separator.includes(':') })
    return input !== null && /[a-z]/i.test(input) ? { input } : null
  },
  answer({ input }) {
    const output = input.replace(/[a-z]/gi, rotate)
    return { text: `ROT13 of ${quoted(input)}: ${oneLine(output)}`, input, output }
  },
})

function rotate(letter: string): string {
  const first = letter <= 'Z' ? 'A'.charCodeAt(0) : 'a'.charCodeAt(0)
  return String.fromCharCode(((letter.charCodeAt(0) - first + SHIFT) % ALPHABET_LENGTH) + first)
}
