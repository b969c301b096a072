// Formats a number as a plain decimal, as geo: URIs, map links and geocoders require: `0.0000001`, not `1e-7`; `0`, not
// `-0`; no trailing zeros.

/** `decimals` from 1 to 20; the number must be smaller than 1e21. */
export const plainDecimal = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** The digits that JSON writes for the number, without its exponent; the number must be smaller than 1e21. */
export function exactDecimal(value: number): string {
  const text = String(value)
  const [, sign, whole, fraction = '', zeros] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return zeros === undefined ? text : `${sign}0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`
}
