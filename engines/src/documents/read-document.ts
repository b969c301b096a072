// Reads the text of a document and says of every mistake on which line it is. The text is untrusted: it is measured before
// it's parsed, and nothing of it is followed further down than a document ever goes.
import { checkDocument } from './check-document.ts'
import type { EngineDocument } from './document-format.ts'
import { extended } from './extend-document.ts'

export interface LineMistake {
  /** From 1. */
  line: number
  message: string
}

export type ReadDocument = { ok: true; document: EngineDocument } | { ok: false; mistakes: LineMistake[] }

export const MAX_DOCUMENT_BYTES = 64 * 1024
const MAX_DEPTH = 24

/** `others` are the documents that it may extend. */
export function readDocument(text: string, others: readonly unknown[]): ReadDocument {
  const refuse = (line: number, message: string): ReadDocument => ({ ok: false, mistakes: [{ line, message }] })
  if (new TextEncoder().encode(text).length > MAX_DOCUMENT_BYTES) return refuse(1, 'is larger than 64 kB')
  const tooDeep = lineBelow(text, MAX_DEPTH)
  if (tooDeep !== undefined) return refuse(tooDeep, `is nested more than ${MAX_DEPTH} levels deep`)
  const parsed = parse(text)
  if ('line' in parsed) return refuse(parsed.line, parsed.message)
  const { lines, mistakes } = locate(text)
  const { value } = parsed
  const name = extensionOf(value)
  const whole = extended(value, others)
  if (whole === value && name !== undefined) {
    mistakes.push({
      line: lineOf(['extends'], lines),
      message: `extends ${name}, which is no document that stands alone`,
    })
  }
  if (mistakes.length > 0) return { ok: false, mistakes }
  const checked = checkDocument(whole)
  if (checked.ok) return checked
  return {
    ok: false,
    mistakes: checked.mistakes.map(({ path, message }) => ({
      line: lineOf(path, lines),
      message: path.length === 0 ? message : `${path.join('/')} ${message}`,
    })),
  }
}

const extensionOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'extends' in value ? String(value.extends) : undefined

/** Strings, marks, and everything between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** The line on which a text is nested deeper than this. */
function lineBelow(text: string, depth: number): number | undefined {
  let open = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open++
    if (token === '}' || token === ']') open--
    if (open > depth) return lineAt(text, index)
  }
  return undefined
}

function parse(text: string): { value: unknown } | LineMistake {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [, position] = /at position (\d+)/.exec(error.message) ?? []
    const line = position === undefined ? lineAt(text, text.length) : lineAt(text, Number(position))
    return { line, message: 'is not valid JSON here' }
  }
}

interface Open {
  path: readonly PropertyKey[]
  isList: boolean
  /** The member or element that comes next. */
  next: PropertyKey | undefined
  names: Set<string>
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path)

/** The line of every member and element of valid JSON, and members that are a mistake whatever they hold. */
function locate(text: string): { lines: ReadonlyMap<string, number>; mistakes: LineMistake[] } {
  const lines = new Map<string, number>()
  const mistakes: LineMistake[] = []
  const open: Open[] = []
  let line = 1
  let from = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++
    from = index
    const inner = open.at(-1)
    if (inner && !inner.isList && inner.next === undefined && token.startsWith('"')) {
      const name: unknown = JSON.parse(token)
      inner.next = String(name)
      lines.set(keyOf([...inner.path, inner.next]), line)
      if (name === '__proto__') mistakes.push({ line, message: 'has a member called __proto__' })
      else if (inner.names.has(inner.next)) mistakes.push({ line, message: `has the member ${inner.next} twice` })
      inner.names.add(inner.next)
      continue
    }
    const path = inner ? [...inner.path, inner.next ?? 0] : []
    if (inner?.isList && !lines.has(keyOf(path)) && token !== ']') lines.set(keyOf(path), line)
    if (token === '{' || token === '[') {
      open.push({ path, isList: token === '[', next: token === '[' ? 0 : undefined, names: new Set() })
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && inner) inner.next = inner.isList ? Number(inner.next) + 1 : undefined
  }
  return { lines, mistakes }
}

/** The line of a member, or of the nearest one around it that is there. */
function lineOf(path: readonly PropertyKey[], lines: ReadonlyMap<string, number>): number {
  for (let length = path.length; length > 0; length--) {
    const line = lines.get(keyOf(path.slice(0, length)))
    if (line !== undefined) return line
  }
  return 1
}
