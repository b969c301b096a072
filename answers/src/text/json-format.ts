// JSON: `format json {"a":1}`, `json validate [1,2`, and a lone object. `format json in notepad++` and `json parser
// online` are ordinary searches and stay unanswered: what follows must begin like JSON.
//
// The text itself is reformatted, never the parsed values, which would lose digits and duplicate members.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine } from '../lib/payload.ts'
import { counted } from '../lib/write-text.ts'

const VERBS = '(?:format|beautify|prettify|pretty print|pretty|validate|minify|check|parse|lint)'
const TRIGGER = new RegExp(
  `^(?:${VERBS}\\s+json|json\\s+(?:${VERBS}|formatter|validator|minifier|beautifier|parser))\\s*:?\\s*(?=[[{"])|^json\\s*:?\\s*(?=[[{])`,
  'i',
)
/** An object, or a list of objects. */
const OBJECT = /^(?:\[\s*)?\{\s*"/
const PIECES = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g

export const jsonFormat = defineAnswer({
  slug: 'json_format',
  title: 'JSON formatter',
  summary: 'Formats and minifies JSON, or says where it is invalid.',
  examples: [{ q: 'format json {"a":1,"b":[true,null]}' }, { q: 'json validate [1, 2,]' }, { q: '{"name": "Ada"}' }],
  reply: z.object({
    is_valid: z.boolean(),
    error: z.string().describe('Empty when it is valid.'),
    formatted: z.string().describe('Empty when it is not valid, like the minified form.'),
    minified: z.string(),
  }),
  match({ asked }) {
    const [trigger] = TRIGGER.exec(asked) ?? []
    if (trigger !== undefined) return { json: asked.slice(trigger.length) }
    // Without a trigger, only valid JSON counts.
    return OBJECT.test(asked) && errorIn(asked) === '' ? { json: asked } : null
  },
  answer({ json }) {
    const error = errorIn(json)
    if (error) return { text: `Not valid JSON: ${error}`, is_valid: false, error, formatted: '', minified: '' }
    const pieces = json.match(PIECES) ?? []
    const minified = pieces.join('')
    return {
      text: `Valid JSON (${describeValue(json)}): ${oneLine(minified)}`,
      is_valid: true,
      error: '',
      formatted: indent(pieces),
      minified,
    }
  },
})

function errorIn(json: string): string {
  try {
    JSON.parse(json)
    return ''
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return oneLine(error.message.replace(/\.*$/, '.'))
  }
}

function describeValue(json: string): string {
  const value: unknown = JSON.parse(json)
  if (Array.isArray(value)) return counted(value.length, 'element')
  if (typeof value === 'object' && value !== null) return counted(Object.keys(value).length, 'member')
  return typeof value
}

/** Indents by two spaces per level; empty arrays and objects stay on one line. */
function indent(pieces: readonly string[]): string {
  let depth = 0
  let text = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [index, piece] of pieces.entries()) {
    const wasOpening = /^[[{]$/.test(pieces[index - 1] ?? '')
    if (piece === '}' || piece === ']') {
      depth -= 1
      text += wasOpening ? piece : newLine() + piece
    } else {
      text += wasOpening ? newLine() + piece : piece
      if (piece === '{' || piece === '[') depth += 1
      if (piece === ',') text += newLine()
      if (piece === ':') text += ' '
    }
  }
  return text
}
