// A number as people write it, as an exact decimal string: `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`, `12,34,567`,
// `2e6`. With both marks the last one is the decimal mark. A single mark before exactly three digits could be either:
// the locale decides, so an answer always says which number it has understood.
const LONGEST = 60
const ONLY_NUMBER = /^[-+−]?([\d.,'’_ \u00a0\u2009\u202f]{1,60})(?:e([-+]?\d{1,4}))?$/i
const THOUSANDS = /^\d{1,3}(?:\D\d{3})+$/
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}$/
const DOTTED_QUAD = /^\d{1,3}(?:\.\d{1,3}){3}$/
/**
 * Languages in which a single point groups thousands. In French it does not: there it is a decimal mark from elsewhere.
 */
const POINT_GROUPS: ReadonlySet<string> = new Set(['de', 'es', 'it', 'pt', 'nl'])

const decimalMarks = new Map<string, ',' | '.'>()
const MOST_LOCALES = 200

/** The locale's own decimal mark. */
function decimalMark(locale: string): ',' | '.' {
  const known = decimalMarks.get(locale)
  if (known !== undefined) return known
  const mark = new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.'
  if (decimalMarks.size >= MOST_LOCALES) decimalMarks.clear()
  decimalMarks.set(locale, mark)
  return mark
}

/** `-1234.5`, `2e6`: what Decimal takes, and BigInt if it is digits alone. `undefined`: not one number. */
export function readNumber(text: string, locale: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const found = ONLY_NUMBER.exec(text)
  if (found === null) return undefined
  const digits = plainDigits(found[1] ?? '', locale)
  if (digits === undefined) return undefined
  const sign = text.startsWith('-') || text.startsWith('−') ? '-' : ''
  return `${sign}${digits}${found[2] === undefined ? '' : `e${found[2]}`}`
}

function plainDigits(written: string, locale: string): string | undefined {
  const mark = markIn(written, locale)
  if (mark === undefined) return undefined
  const at = mark === '' ? -1 : written.lastIndexOf(mark)
  const whole = at < 0 ? written : written.slice(0, at)
  const fraction = at < 0 ? '' : written.slice(at + 1)
  if (at >= 0 && !/^\d+$/.test(fraction)) return undefined
  const integer = whole === '' && at >= 0 ? '0' : ungrouped(whole)
  if (integer === undefined) return undefined
  return fraction === '' ? integer : `${integer}.${fraction}`
}

/** The decimal mark of a number, '' if it has none, `undefined` if nobody writes a number so. */
function markIn(written: string, locale: string): ',' | '.' | '' | undefined {
  const points = written.split('.').length - 1
  const commas = written.split(',').length - 1
  if (points === 0 && commas === 0) return ''
  if (points > 0 && commas > 0) {
    const last = written.lastIndexOf(',') > written.lastIndexOf('.') ? ',' : '.'
    return (last === ',' ? commas : points) === 1 ? last : undefined
  }
  if (points + commas > 1) return ''
  const mark = points === 1 ? '.' : ','
  return isGrouping(written, mark, locale) ? '' : mark
}

/** `1,234` or `1.234`, with nothing else that would tell what its mark means. */
function isGrouping(written: string, mark: ',' | '.', locale: string): boolean {
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(written)) return false
  if (mark === decimalMark(locale)) return false
  return mark === ',' || POINT_GROUPS.has(locale.slice(0, 2))
}

function ungrouped(whole: string): string | undefined {
  if (/^\d+$/.test(whole)) return whole
  const marks = new Set(whole.match(/\D/g))
  // One kind of mark groups a number; a mixture is something else.
  if (marks.size !== 1) return undefined
  if (DOTTED_QUAD.test(whole) && whole.split('.').every((part) => Number(part) < 256)) return undefined
  return THOUSANDS.test(whole) || INDIAN.test(whole) ? whole.replace(/\D/g, '') : undefined
}
