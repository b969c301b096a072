// Ways to spoil a good body: one place replaced, every type wrong, the values that providers really send instead, and one
// that tries to change the prototype of every object.
import { expect } from 'vitest'

type Path = readonly string[]

/** Every kind of place in a body, the body itself included. All items of a list are one kind: the first stands for all. */
const placesIn = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  const members = Object.entries(value).slice(0, Array.isArray(value) ? 1 : Number.POSITIVE_INFINITY)
  return [path, ...members.flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

const replaced = (value: unknown, path: Path, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value)
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

/** Texts of elements and values of attributes. */
const XML_TEXT = />([^<>]*[^<>\s][^<>]*)<|="([^"]*)"/g

interface Spoiling {
  places: readonly Path[]
  replace: (place: Path, by: unknown) => string
  isJson: boolean
}

/** The first two items of each list of objects: the others stay as they are, and would only be read again each time. */
const shortened = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
  const isOfObjects = value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  return (isOfObjects ? value.slice(0, 2) : value).map(shortened)
}

/** The places in a body, JSON or XML, and what it is with one of them replaced. */
export function spoiled(body: string): Spoiling {
  if (!body.startsWith('<')) {
    const value = shortened(JSON.parse(body))
    return { places: placesIn(value), replace: (path, by) => JSON.stringify(replaced(value, path, by)), isJson: true }
  }
  const places = [...body.matchAll(XML_TEXT)].map(({ index, 1: text, 2: value = '' }) => {
    const start = index + (text === undefined ? 2 : 1)
    return [String(start), String(start + (text ?? value).length)]
  })
  const replace = ([from, to]: Path, by: unknown) =>
    body.slice(0, Number(from)) + (typeof by === 'string' ? by : JSON.stringify(by)) + body.slice(Number(to))
  return { places, replace, isJson: false }
}

export const wrongTypesThroughout = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(wrongTypesThroughout)
  if (typeof value === 'string') return {}
  if (typeof value !== 'object' || value === null) return ['wrong']
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, wrongTypesThroughout(inner)]))
}

export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  ' ',
  '<b>bold</b> &amp; \u202e bidi hid\u{e0064}\u{e006f}\u{e0020}\u{e006e}den \u200b\u00ad\ufe00\ufe01\u3164\u2800',
  'https://example.org/\u{e0065}\u200b',
  'javascript:alert(1)',
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  'https://user:secret@example.org/',
  '//example.org/',
  [],
  [null, 7, 'text', []],
  {},
  JSON.parse('{"url":7,"title":{},"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'),
]

/** No reply has given a new member to all objects. */
export const expectUnpolluted = (): void => expect(Object.keys(Object.prototype)).toEqual([])
