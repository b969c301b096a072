// HTML entities: `html escape <b>`, `html decode caf&eacute;`, `html entity for ©`, and a lone entity (`&eacute;`), a
// form that nothing else has. `html entities` and `html email template` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine, quoted, readPayload } from '../lib/payload.ts'

type Job = 'encode' | 'decode' | 'name'

const BEFORE = /^html\s+(encode|escape|decode|unescape)(?:\s+of)?(\s*:\s*|\s+)([\s\S]+)$/i
const VERB_FIRST = /^(encode|escape|decode|unescape)\s+html(?:\s+entit(?:y|ies))?(\s*:\s*|\s+)([\s\S]+)$/i
const NAME_OF = /^html\s+(?:entity|entity code|code|escape code)\s+(?:(?:of|for)\s+)?(\S{1,8})$/iu
const ENTITY = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});$/i
const HAS_ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i
/** Characters that escaping changes, or that can be written as an entity. */
const ESCAPABLE = /[&<>"'\u0080-\u{10FFFF}]/u

export const htmlEntities = defineAnswer({
  slug: 'html_entities',
  title: 'HTML entities',
  summary: 'Escapes text for HTML, decodes entities, and gives the entity for a character.',
  examples: [
    { q: 'html escape <b>Fish & Chips</b>' },
    { q: 'html decode caf&eacute;' },
    { q: 'html entity for ©' },
    { q: '&eacute;' },
  ],
  reply: z.object({
    job: z.enum(['encode', 'decode', 'name']),
    input: z.string(),
    output: z.string(),
    ascii: z.string().describe('The output with every character outside ASCII as an entity; empty when decoding.'),
  }),
  match({ asked, folded }): { job: Job; input: string } | null {
    if (ENTITY.test(asked)) return { job: 'decode', input: asked }
    if (!/^(?:html|encode|escape|decode|unescape) /.test(folded)) return null
    const [, character = ''] = NAME_OF.exec(asked) ?? []
    if (isOneSymbol(character)) return { job: 'name', input: character }
    const [, verb = '', separator = '', rest = ''] = BEFORE.exec(asked) ?? VERB_FIRST.exec(asked) ?? []
    const job: Job = /^(?:decode|unescape)$/i.test(verb) ? 'decode' : 'encode'
    if (!(job === 'decode' ? HAS_ENTITY : ESCAPABLE).test(rest)) return null
    const input = readPayload(rest, { isCertain: separator.includes(':') })
    return input === null ? null : { job, input }
  },
  async answer({ job, input }) {
    const { decodeHTMLStrict, encodeHTML, encodeNonAsciiHTML, escapeUTF8 } = await import('entities')
    if (job === 'decode') {
      const output = decodeHTMLStrict(input)
      return output === input
        ? null
        : { text: `${oneLine(input)} stands for ${oneLine(output)}`, job, input, output, ascii: '' }
    }
    if (job === 'encode') {
      const output = escapeUTF8(input)
      const ascii = encodeNonAsciiHTML(input)
      return { text: `${quoted(input)} escaped for HTML: ${oneLine(output)}`, job, input, output, ascii }
    }
    const numericEntity = `&#${input.codePointAt(0)};`
    const namedEntity = encodeHTML(input)
    const isNamed = /^&[a-z\d]+;$/i.test(namedEntity)
    const output = isNamed ? namedEntity : numericEntity
    return {
      text: `${input} in HTML: ${isNamed ? `${namedEntity} or ${numericEntity}` : numericEntity}`,
      job,
      input,
      output,
      ascii: output,
    }
  },
})

/** ASCII letters and digits need no entity. */
const isOneSymbol = (text: string): boolean => Array.from(text).length === 1 && /^[^a-z\d]$/iu.test(text)
