// Reads a whole-number parameter as strict providers do: anything but an integer within the range is refused.

/** The value, the fallback when it is not given, or `undefined` when it is refused. */
export function readInteger(
  query: URLSearchParams,
  name: string,
  range: { from: number; to: number; fallback: number },
): number | undefined {
  const given = query.get(name)
  if (given === null) return range.fallback
  const value = /^-?\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  return value >= range.from && value <= range.to ? value : undefined
}
