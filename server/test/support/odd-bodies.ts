// Ways to spoil a good body: one place replaced, every type wrong, and the values that providers really send instead.

type Path = readonly string[]

/** Every kind of place in a body, the body itself included. All items of a list are one kind: the first stands for all. */
export const placesIn = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  const members = Object.entries(value).slice(0, Array.isArray(value) ? 1 : Number.POSITIVE_INFINITY)
  return [path, ...members.flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

export const replaced = (value: unknown, path: Path, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value)
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

export const wrongTypesThroughout = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(wrongTypesThroughout)
  if (typeof value === 'string') return 7
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
  '<b>bold</b> &amp; \u202e bidi',
  'javascript:alert(1)',
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  'https://user:secret@example.org/',
  '//example.org/',
  [],
  [null, 7, 'text', []],
  {},
  { url: 7, title: {} },
]
