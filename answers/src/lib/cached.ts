// A cache for what is costly to create, such as Intl's formatters. Its keys come from queries, so it is bounded.
const MOST_ENTRIES = 300

export function cached<Value>(cache: Map<string, Value>, key: string, create: () => Value): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= MOST_ENTRIES) cache.clear()
  const value = create()
  cache.set(key, value)
  return value
}
