// Picks the media type a client prefers, by its Accept header (RFC 9110, section 12.5.1).

/** A named type beats a wildcard of the same weight; among equals, the first in the header wins. */
interface Preference {
  type: string
  weight: number
  isNamed: boolean
}

const MOST_RANGES = 20

/**
 * The type in `offered` that the client names and prefers to `usual`; `undefined`: send `usual`. A wildcard never
 * selects anything else.
 */
export function preferredType<Type extends string>(
  accept: string,
  usual: string,
  offered: readonly Type[],
): Type | undefined {
  const ranges = accept.toLowerCase().split(',', MOST_RANGES).map(parseRange)
  let best = preferenceFor(usual, ranges)
  let chosen: Type | undefined
  for (const { type, weight } of ranges) {
    const match = offered.find((one) => one === type)
    if (!match || weight === 0 || weight < best.weight || (weight === best.weight && best.isNamed)) continue
    best = { type, weight, isNamed: true }
    chosen = match
  }
  return chosen
}

function parseRange(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';')
  const quality = parameters.map((parameter) => /^\s*q=([\d.]{1,5})\s*$/.exec(parameter)?.[1]).find(Boolean)
  return { type: type.trim(), weight: quality === undefined ? 1 : Math.min(1, Number(quality) || 0) }
}

/** The most specific matching range decides. */
function preferenceFor(type: string, ranges: readonly { type: string; weight: number }[]): Preference {
  const family = `${type.split('/', 1)[0]}/*`
  for (const name of [type, family, '*/*']) {
    const range = ranges.find((one) => one.type === name)
    if (range) return { type, weight: range.weight, isNamed: name === type }
  }
  return { type, weight: 0, isNamed: false }
}
