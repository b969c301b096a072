// The parts of an instant answer as it is shown: the question as understood, a value, and details below. An answer's
// text is one line that is complete on its own; most answers are shown by splitting it at its `=` or colon.
import type { InstantAnswer } from '@bowerbird/answers/answers.ts'
import { type Html, html, joined, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText, type Locale, type Words } from '../i18n/messages.ts'
import { capitalised, formatLongDay, languageName } from '../parts/formats.ts'
import { shortened } from './result-parts.ts'

export interface ShownAnswer {
  /** The question as understood: a quiet line above. */
  question?: string
  /** The large line. */
  value: string
  /** A quiet line below. */
  note?: string
  /** What the button copies: by default the value; '' for no button. */
  copy?: string
  /** Meant for programs: monospaced, with its line breaks. */
  isCode?: boolean
  /** The language of the value, if known to differ from the page's. */
  lang?: string
  /** Beside the value. */
  picture?: Html
  body?: Piece
  /** The address of the tool that gives this answer, with its values; '' for none. */
  change?: string
  /** The source to credit. */
  source?: { text: string; url: string }
}

const MAX_QUESTION_LENGTH = 200

/** Splits `5 in = 12.7 cm` and `Tokyo: 13:13` into question and value; any other text is all value. */
export function splitAnswer(text: string): Pick<ShownAnswer, 'question' | 'value'> {
  const cut = /(?<sign> [=≈]| ?:) /.exec(text)
  const at = cut?.index ?? 0
  if (!cut || at === 0 || at > MAX_QUESTION_LENGTH) return { value: text }
  const sign = (cut.groups?.['sign'] ?? '').trim()
  // The colon is dropped, but an equals sign is part of the question.
  const question = sign === ':' ? text.slice(0, at) : `${text.slice(0, at)} ${sign}`
  return { question, value: text.slice(at + cut[0].length) }
}

/** Splits off a remark in brackets at the end: `86.06 EUR (European Central Bank, 13 November 2026)`. */
function splitRemark(text: string): { value: string; note?: string } {
  const [, value, note] = /^([^()]{1,300}) \(([^()]{1,300})\)$/.exec(text) ?? []
  return value !== undefined && note !== undefined ? { value, note } : { value: text }
}

/** A true minus sign instead of a hyphen. What is copied keeps the hyphen, which programs read. */
export const withMinus = <Shown extends { value: string }>(shown: Shown): Shown => ({
  ...shown,
  value: shown.value.replace(/^-(?=\d)/, '−'),
})

/** A calculation: all its digits are copied, as programs write them. */
export function sumParts({ text, result }: { text: string; result: string | null }): ShownAnswer {
  if (result === null) return { value: text, copy: '' }
  const { value, ...rest } = splitAnswer(text)
  return { ...rest, ...withMinus(splitRemark(value)), copy: result }
}

/** A conversion of units. The brackets of `gal (US)` are no remark. */
export function unitParts({
  text,
  to,
  problem,
}: {
  text: string
  to: { unit: string }
  problem: string | null
}): ShownAnswer {
  if (problem !== null) return { value: text, copy: '' }
  const { value, ...rest } = splitAnswer(text)
  return { ...rest, ...withMinus(value.endsWith(to.unit) ? { value } : splitRemark(value)), copy: value }
}

export function moneyParts({ text }: { text: string }): ShownAnswer {
  const { value, ...rest } = splitAnswer(text)
  return { ...rest, ...splitRemark(value) }
}

/** The bracketed note at the end of the text of an out-of-range colour. */
const CLAMPED = /(?:red|[\da-z)%]) \((.{1,100} clamped)\)$/

/** The name of a colour, and whether it is out of range. */
export const colourNote = ({
  text,
  name,
  is_clamped: isClamped,
}: {
  text: string
  name: string
  is_clamped: boolean
}) => [name, isClamped ? CLAMPED.exec(text)?.[1] : ''].filter(Boolean).join(', ')

/** Short values are large; sentences are set as text. */
const SHORT_LENGTH = 32
const MEDIUM_LENGTH = 90

/** The class for the length of a value. */
export const sizeOf = ({ value, isCode }: ShownAnswer): string => {
  const size =
    value.length <= SHORT_LENGTH ? 'answer-short' : value.length <= MEDIUM_LENGTH ? 'answer-medium' : 'answer-long'
  return isCode ? `${size} answer-code` : size
}

const LONG_NUMBER = /\d{1,3}(?:[.,’'\u00a0\u202f]\d{3}){4,}/

/** Lets a long number break after the separators of its groups. */
export const breakable = (value: string): Piece =>
  LONG_NUMBER.test(value) ? joined(value.split(/(?<=\d[.,’'\u00a0\u202f])(?=\d{3})/), html`<wbr>`) : value

/** Fields that every answer has, that the reader typed, or that are evident from the answer's text. */
const REDUNDANT_FIELDS = new Set(
  'type query text attribution input direction variant job operation fact polar dimension daylight_saving is_exact lang unit from_base to_base latitude longitude country sides people version is_public'.split(
    ' ',
  ),
)
const MAX_FACT_LENGTH = 300
const MAX_FACTS = 12

type Reader = Pick<PageContext, 'words' | 'locale'>

/** A collapsed list of the fields that are plain values and that the text doesn't already contain. */
export function details(answer: InstantAnswer, { words: { answers: words }, locale }: Reader): Html | false {
  const isKnown = (value: string) => containsValue(answer.text, value)
  const facts = Object.entries(answer)
    .filter(([name, value]) => !REDUNDANT_FIELDS.has(name) && !isKnown(String(value)))
    .map(([name, value]) => ({ label: labelOf(name, words), value: factText(name, value, { words, locale }) }))
    .filter(({ value }) => value !== '' && !isKnown(value))
    .slice(0, MAX_FACTS)
  return (
    facts.length > 0 &&
    html`<details class="answer-more"><summary>${words.details}</summary>${factList(facts)}</details>`
  )
}

const SHORT_VALUE_LENGTH = 8

/** Matches a short value only as a whole word: a 5 within a hash doesn't mean five bytes. */
const containsValue = (text: string, value: string): boolean =>
  value.length > SHORT_VALUE_LENGTH ? text.includes(value) : text.split(/[^\p{L}\p{N}.]+/u).includes(value)

export interface Fact {
  label: string
  value: Piece
}

export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="fact-list">${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd dir="auto">${value}</dd></div>`)}</dl>`

function labelOf(name: string, { members }: Words['answers']): string {
  return findText(members, name) ?? capitalised(name.replaceAll('_', ' '))
}

const ISO_DAY = /^\d{4}-\d\d-\d\d$/

/** The value as the reader's language writes it. */
function factText(
  name: string,
  value: unknown,
  { words, locale }: { words: Words['answers']; locale: Locale },
): string {
  if (typeof value === 'string') {
    if (ISO_DAY.test(value)) return formatLongDay(new Date(value), locale)
    return shortened(value, MAX_FACT_LENGTH)
  }
  if (typeof value === 'number') {
    // A count of zero isn't worth showing, and a year has no separators.
    if (value === 0) return ''
    return name.endsWith('year')
      ? String(value)
      : new Intl.NumberFormat(locale, { maximumFractionDigits: 10 }).format(value)
  }
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return ''
  const written = name === 'languages' ? value.map((code) => languageName(code, locale) ?? code) : value
  return shortened(written.join(', '), MAX_FACT_LENGTH)
}
