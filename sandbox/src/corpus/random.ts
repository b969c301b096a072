// Reproducible randomness: numbers derived from text, so that one seed and one query always give the same results.

/** A 32-bit number that depends on every character of the text. */
export function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return mix(state, text.length)
}

/** The n-th number of the sequence seeded by `state`: cheaper than hashing text for each. */
export function mix(state: number, n: number): number {
  let mixed = Math.imul(state ^ Math.imul(n + 1, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** The same, as a fraction from 0 up to 1. */
export const fraction = (state: number, n: number): number => mix(state, n) / 2 ** 32
