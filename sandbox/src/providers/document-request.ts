// Reads a request by the templates of an engine document, as strictly as if each were a provider's reference: a parameter or
// member that is not declared, has another type, or is missing without being optional is refused.
import type { DocumentRequest, Json } from '@bowerbird/engines/documents/document-format.ts'
import { isRecord } from '../is-record.ts'
import type { ProviderRequest } from './provider.ts'

/** What the variables of a request stood for, and which case of a choice was taken (`by.date`). */
export type Found = ReadonlyMap<string, string>

const MOMENTS = ['since', 'until']
const COUNTS = ['page', 'page0', 'offset', 'offset1', 'count', 'upTo']
const WHOLE_NUMBERS = [...COUNTS, ...MOMENTS.flatMap((name) => [`${name}.seconds`, `${name}.ms`])]
const LISTS = ['domains', 'notDomains']
const FORMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(WHOLE_NUMBERS.map((name) => [name, '\\d{1,15}'])),
  lang: '[a-z]{2,3}(?:-[A-Za-z]+)*',
  'lang.base': '[a-z]{2,3}',
  'lang.region': '[A-Z]{2}',
  region: '[A-Z]{2}',
  'region.lower': '[a-z]{2}',
  ...Object.fromEntries(MOMENTS.map((name) => [`${name}.iso`, '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'])),
  ...Object.fromEntries(MOMENTS.map((name) => [`${name}.date`, '\\d{4}-\\d\\d-\\d\\d'])),
  'domains.only': '[a-z\\d.-]+',
}
const ANYTHING = '[\\s\\S]+'

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** The pattern of a template, and the names of its groups. `anything` is what a variable without a form stands for. */
function patternOf(template: string, anything: string): { pattern: RegExp; names: string[] } {
  const names: string[] = []
  const source = template.split(/(\$\$\{|\$\{[^}]*\})/).map((part) => {
    if (part === '$${') return escaped('${')
    const [, name] = /^\$\{([^}]*)\}$/.exec(part) ?? []
    if (name === undefined) return escaped(part)
    names.push(name)
    return `(${FORMS[name] ?? anything})`
  })
  return { pattern: new RegExp(`^${source.join('')}$`), names }
}

interface Reading {
  found: Map<string, string>
  /** In a query string, where everything is text. */
  isText: boolean
}

const SEGMENT = '[^/]+'

function readText(template: string, text: string, found: Map<string, string>): boolean {
  const { pattern, names } = patternOf(template, template.startsWith('/') ? SEGMENT : ANYTHING)
  const match = pattern.exec(text)
  if (!match) return false
  for (const [index, name] of names.entries()) found.set(name, match[index + 1] ?? '')
  return true
}

/** Only a filter that wasn't asked for and a setting that is empty leave something out. */
function mayBeAbsent(template: Json | undefined): boolean {
  if (typeof template === 'string') return /\$\{(?:since|until|domains|notDomains|lang|region|setting)\b/.test(template)
  if (!isRecord(template) || !('$by' in template)) return false
  const { $by, ...cases } = template
  const isWhole = $by === 'safe' ? 'on' in cases && 'off' in cases : '' in cases
  return !isWhole || Object.values(cases).some(mayBeAbsent)
}

function readJson(template: Json, value: unknown, reading: Reading): boolean {
  const { found, isText } = reading
  if (typeof template === 'string') {
    const [, name = ''] = /^\$\{([^}]*)\}$/.exec(template) ?? []
    if (!isText && LISTS.includes(name)) return isListOfTexts(value)
    const isNumber = !isText && WHOLE_NUMBERS.includes(name)
    return typeof value === (isNumber ? 'number' : 'string') && readText(template, String(value), found)
  }
  if (!isRecord(template) && !Array.isArray(template)) return isText ? String(template) === value : template === value
  if (Array.isArray(template)) return Array.isArray(value) && readList(template, value, reading)
  if ('$by' in template) {
    const { $by, ...cases } = template
    return Object.entries(cases).some(([name, each]) => {
      const inCase = new Map(found)
      if (!readJson(each, value, { found: inCase, isText })) return false
      for (const [key, text] of inCase.set(`by.${nameOf($by)}`, name)) found.set(key, text)
      return true
    })
  }
  return isRecord(value) && readMembers(template, value, reading)
}

const nameOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function readMembers(
  template: Readonly<Record<string, Json>>,
  given: Readonly<Record<string, unknown>>,
  reading: Reading,
): boolean {
  if (Object.keys(given).some((name) => !Object.hasOwn(template, name))) return false
  return Object.entries(template).every(([name, each]) =>
    Object.hasOwn(given, name) ? readJson(each, given[name], reading) : mayBeAbsent(each),
  )
}

function readList(template: readonly Json[], values: readonly unknown[], reading: Reading): boolean {
  let at = 0
  for (const each of template) {
    if (at < values.length && readJson(each, values[at], reading)) at++
    else if (!mayBeAbsent(each)) return false
  }
  return at === values.length
}

/** Whether the method and the path are those of the document. */
export const isAt = ({ method = 'GET', path }: DocumentRequest, request: ProviderRequest): boolean =>
  method === request.method && readText(path, request.path, new Map())

function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** `undefined`: something about the request is wrong. */
export function readRequest(declared: DocumentRequest, request: ProviderRequest): Found | undefined {
  const found = new Map<string, string>()
  const parts: [string, string][] = [...request.query]
  if (new Set(parts.map(([name]) => name)).size < parts.length) return undefined
  readText(declared.path, request.path, found)
  for (const [name, segment] of found) found.set(name, decodeURIComponent(segment))
  if (!readMembers(declared.query ?? {}, Object.fromEntries(parts), { found, isText: true })) return undefined
  if (declared.body !== undefined && !readJson(declared.body, parsedBody(request.body), { found, isText: false }))
    return undefined
  for (const [name, template] of Object.entries(declared.headers ?? {})) {
    const value = request.headers[name]
    if (value === undefined ? !mayBeAbsent(template) : !readText(template, String(value), found)) return undefined
  }
  return found
}
