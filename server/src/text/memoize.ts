// Remembers what a function returns for each key. Nothing is ever dropped: for keys of which there are few, such as
// languages and locales.

export function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    if (!values.has(key)) values.set(key, compute(key))
    // The line above has put it there.
    return values.get(key) as Value
  }
}
