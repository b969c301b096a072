// A cache for values that are costly to create, such as Intl's formatters. Its keys come from queries, so it is
// bounded: once full, it is cleared.
const MAX_ENTRIES = 300

export function cached<Value>(cache: Map<string, Value>, key: string, create: () => Value): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= MAX_ENTRIES) cache.clear()
  const value = create()
  cache.set(key, value)
  return value
}
