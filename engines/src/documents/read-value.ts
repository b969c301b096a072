// Reads values out of a reply as a document says: JSON Pointers with `*` for every element, look-ups, templates. A reply is
// untrusted: only its own members can be reached, and at most 100 elements of a list are looked at.
import { markdownText } from '../parsing/plain-text.ts'
import type { Condition, Value } from './document-format.ts'
import { fillText, type Values } from './fill-template.ts'

/** Elements that a `*` or a look-up reads. */
export const MAX_ELEMENTS = 100

/** What a value is read from. */
export interface Place {
  reply: unknown
  result: unknown
  /** The position of the result in the reply. */
  index: number
  /** The address of the service for readers. */
  link: string
  /** The base language that was asked for, or ''. */
  language: string
  settings: Values
  let: Readonly<Record<string, Value>>
}

const INDEX = /^(?:0|[1-9]\d{0,5})$/

const memberOf = (value: unknown, token: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return INDEX.test(token) ? value[Number(token)] : undefined
  // Its own members only: `constructor` and `__proto__` are not.
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined
}

const elementsOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS)
  return typeof value === 'object' && value !== null ? Object.values(value).slice(0, MAX_ELEMENTS) : []
}

/** Stops as soon as there are enough: a pointer may have many a `*`. */
function elementsOfAll(values: readonly unknown[]): unknown[] {
  const elements: unknown[] = []
  for (const value of values) {
    if (elements.length >= MAX_ELEMENTS) break
    elements.push(...elementsOf(value))
  }
  return elements
}

/** What a pointer leads to: several values if it has a `*`, none if it leads nowhere. */
export function pointAt(pointer: string, { reply, result }: Pick<Place, 'reply' | 'result'>): unknown[] {
  const isFromReply = pointer.startsWith('#')
  const [, ...tokens] = (isFromReply ? pointer.slice(1) : pointer).split('/')
  let found: unknown[] = [isFromReply ? reply : result]
  for (const token of tokens) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = token === '*' ? elementsOfAll(found) : found.map((value) => memberOf(value, name))
    found = next.filter((value) => value !== undefined).slice(0, MAX_ELEMENTS)
  }
  return found
}

/** Text as it stands, a number or a boolean as text; '' for anything else. */
const scalarText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const textsOf = (found: readonly unknown[]): string[] =>
  found
    .flatMap((value) => (Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : [value]))
    .map(scalarText)
    .filter((text) => text.trim() !== '')

const DEFAULT_JOIN = ' … '

const textAt = (pointer: string, place: Place, join = DEFAULT_JOIN): string =>
  textsOf(pointAt(pointer, place)).join(join)

const SECONDS = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, ticks: 1e-7, min: 60 }

function readFrom(value: Extract<Value, { from: string }>, place: Place): string {
  const { from, join, after, map, markup, unit } = value
  let text = textAt(from, place, join)
  if (after !== undefined) text = text.includes(after) ? text.slice(text.lastIndexOf(after) + after.length) : ''
  if (map !== undefined) text = Object.hasOwn(map, text) ? (map[text] ?? '') : ''
  if (unit !== undefined && text !== '' && Number.isFinite(Number(text))) text = String(Number(text) * SECONDS[unit])
  return markup === 'markdown' ? markdownText(text) : text
}

type LookUp = Extract<Value, { in: string }>

function lookUp(value: LookUp, place: Place): string {
  const [table] = pointAt(value.in, place)
  const found =
    'key' in value
      ? memberOf(table, textAt(value.key, place))
      : 'index' in value
        ? memberOf(table, String(place.index))
        : elementWhere(value, table, place)
  return found === undefined ? '' : textAt(value.take, { ...place, result: found })
}

function elementWhere({ where, is }: Extract<LookUp, { where: string }>, table: unknown, place: Place): unknown {
  const wanted = textAt(is, place)
  return wanted === '' ? undefined : elementsOf(table).find((result) => textAt(where, { ...place, result }) === wanted)
}

const encodePath = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

/** Fills an address or a text from a result. A list is no value here: it would make an address that leads nowhere. */
function fillFromResult(template: string, place: Place): string {
  const variables = (name: string): string => {
    if (name === 'link') return place.link
    if (name === 'lang.base') return encodeURIComponent(place.language)
    if (name.startsWith('setting.')) return encodeURIComponent(place.settings[name.slice('setting.'.length)] ?? '')
    const [pointer = '', form] = name.split(':')
    if (!/^#?\//.test(pointer)) return encodeURIComponent(readLet(pointer, place).toWellFormed())
    const found = pointAt(pointer, place)
    const text = (pointer.includes('*') ? textsOf(found).join(DEFAULT_JOIN) : scalarText(found[0])).toWellFormed()
    return form === 'raw' ? text : form === 'path' ? encodePath(text) : encodeURIComponent(text)
  }
  return fillText(template, variables) ?? ''
}

/** What a `let` is called for is read without the others: none can refer to itself. */
const readLet = (name: string, place: Place): string => {
  const value = Object.hasOwn(place.let, name) ? place.let[name] : undefined
  return value === undefined ? '' : readValue(value, { ...place, let: {} })
}

/** The first text that is acceptable, or ''. */
export function readValue(
  value: Value | undefined,
  place: Place,
  accept: (text: string) => boolean = (text) => text.trim() !== '',
): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) {
    for (const each of value) {
      const text = readValue(each, place, accept)
      if (text !== '') return text
    }
    return ''
  }
  const text =
    typeof value === 'string'
      ? textAt(value, place)
      : 'from' in value
        ? readFrom(value, place)
        : 'template' in value
          ? fillFromResult(value.template, place)
          : lookUp(value, place)
  return accept(text) ? text : ''
}

export function meets({ at, is, isNot, exists }: Condition, place: Pick<Place, 'reply' | 'result'>): boolean {
  const found = pointAt(at, place)
  if (exists !== undefined) return found.some((value) => value !== null) === exists
  if (isNot !== undefined) return !found.includes(isNot)
  return is !== undefined && found.includes(is)
}
