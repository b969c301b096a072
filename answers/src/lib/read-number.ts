// Reads a number as people write it into an exact decimal string: `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`,
// `12,34,567`, `2e6`. If both marks occur, the last one is the decimal mark. A single mark before exactly three digits
// is ambiguous: the locale decides, so answers always show which number they understood.
const LONGEST = 60
const ONLY_NUMBER = /^[-+−]?([\d.,'’_ \u00a0\u2009\u202f]{1,60})(?:e([-+]?\d{1,4}))?$/i
const THOUSANDS = /^\d{1,3}(?:\D\d{3})+$/
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}$/
const DOTTED_QUAD = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Languages in which a single point groups thousands. Not French, where it is a borrowed decimal mark. */
const POINT_GROUPS: ReadonlySet<string> = new Set(['de', 'es', 'it', 'pt', 'nl'])

const decimalMarks = new Map<string, ',' | '.'>()
const MOST_LOCALES = 200

function decimalMark(locale: string): ',' | '.' {
  const known = decimalMarks.get(locale)
  if (known !== undefined) return known
  const mark = new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.'
  if (decimalMarks.size >= MOST_LOCALES) decimalMarks.clear()
  decimalMarks.set(locale, mark)
  return mark
}

/** Returns what Decimal accepts (`-1234.5`, `2e6`), and BigInt too if it's only digits. `undefined`: not one number. */
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

/** Returns the decimal mark of a number, '' if it has none, `undefined` if it isn't a plausible number. */
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

/** `1,234` or `1.234`, with nothing else to show what its mark means. */
function isGrouping(written: string, mark: ',' | '.', locale: string): boolean {
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(written)) return false
  if (mark === decimalMark(locale)) return false
  return mark === ',' || POINT_GROUPS.has(locale.slice(0, 2))
}

function ungrouped(whole: string): string | undefined {
  if (/^\d+$/.test(whole)) return whole
  const marks = new Set(whole.match(/\D/g))
  // A number uses one kind of grouping mark; a mixture is something else.
  if (marks.size !== 1) return undefined
  if (DOTTED_QUAD.test(whole) && whole.split('.').every((part) => Number(part) < 256)) return undefined
  return THOUSANDS.test(whole) || INDIAN.test(whole) ? whole.replace(/\D/g, '') : undefined
}
