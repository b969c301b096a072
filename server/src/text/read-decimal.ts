// Parses a number as programming languages write it: `48.85`, `.5`, `1.`, `+3`, `5e-7`. Nothing else counts: no
// separators, no hexadecimal, no Infinity.

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const LONGEST = 64

export const readDecimal = (text: string): number | undefined =>
  text.length <= LONGEST && DECIMAL.test(text) ? Number(text) : undefined

/** Also `3.0`, as languages without integers write it, but never with an exponent. */
const WHOLE_NUMBER = /^[+-]?\d{1,15}(?:\.0*)?$/

export const readWholeNumber = (text: string): number | undefined =>
  text.length <= LONGEST && WHOLE_NUMBER.test(text) ? Number(text) : undefined
