// Builds the query string of a provider request. `undefined` parameters are left out, so an adapter can write its whole
// mapping as one table.

export const queryString = (parameters: Record<string, string | number | undefined>): string => {
  let joined = ''
  for (const name in parameters) {
    const value = parameters[name]
    if (value === undefined) continue
    // A lone surrogate would make the encoder throw.
    const text = typeof value === 'string' ? encodeURIComponent(value.toWellFormed()) : value
    joined += `${joined === '' ? '?' : '&'}${name}=${text}`
  }
  return joined
}
