// Parses the filters of a search in one place, so that the API's parameters, the site's URLs and a user's preferences
// all mean the same search. `undefined` means that a value could not be understood; the API and the site each report
// that in their own words.
import type { DateRange } from '@bowerbird/engines/engine.ts'
import { readWholeNumber } from '../text/query-params.ts'

export const MAX_QUERY_LENGTH = 500
export const LAST_PAGE = 50

/** The shape of a BCP 47 tag: a language, then subtags. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i

const SAFE_VALUES = new Map([
  ['on', true],
  ['true', true],
  ['1', true],
  ['yes', true],
  ['off', false],
  ['false', false],
  ['0', false],
  ['no', false],
])

export const SAFE_WORDS: readonly string[] = [...SAFE_VALUES.keys()]
export const DATE_RANGES = ['d', 'w', 'm', 'y'] as const satisfies readonly DateRange[]

/** Counts code points, not UTF-16 code units. */
export const isTooLong = (text: string): boolean =>
  text.length > MAX_QUERY_LENGTH && Array.from(text).length > MAX_QUERY_LENGTH

export const readSafe = (text: string): boolean | undefined => SAFE_VALUES.get(text.trim().toLowerCase())

/** The values that other search APIs use for automatic. */
const ANY_LANGUAGE = new Set(['', 'auto', 'all'])

/** A tag, with `_` read as `-` (`de_DE`); '' for automatic. */
export function readLanguage(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-')
  if (ANY_LANGUAGE.has(tag.toLowerCase())) return ''
  return LANGUAGE_TAG.test(tag) ? tag : undefined
}

/** '' means that no page was given. */
export function readPage(text: string): number | undefined {
  const page = text.trim() === '' ? 1 : (readWholeNumber(text.trim()) ?? 0)
  return page >= 1 && page <= LAST_PAGE ? page : undefined
}

export const readDate = (text: string): DateRange | undefined => DATE_RANGES.find((range) => range === text)

/** Parses slot names, separated by commas or spaces, in any case; [] for all. */
export function readSlotNames(text: string, known: readonly string[]): string[] | undefined {
  const names = wordsOf(text)
  if (names.some((name) => name !== 'all' && !known.includes(name))) return undefined
  return names.includes('all') ? [] : names
}

export const MAX_DOMAINS = 50
/** Most pages have fewer results. */
export const MAX_LIMIT = 50

const DOMAIN = /^(?:\*\.)?(?:www\.)?([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,10})$/

/**
 * At most fifty host names, also written as addresses or with a path, as people write them; sorted, so that order means
 * nothing.
 */
export function readDomains(texts: readonly string[]): string[] | undefined {
  if (texts.length > MAX_DOMAINS) return undefined
  const names = texts.map((text) => DOMAIN.exec(writtenHost(text))?.[1])
  return names.includes(undefined) ? undefined : [...new Set(names.filter((name) => name !== undefined))].sort()
}

/** Names with other letters are searched for as `URL` writes them. */
function writtenHost(text: string): string {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[/?#:]/, 1)[0]
  return /^[\x20-\x7e]*$/.test(host ?? '') ? (host ?? '') : (URL.parse(`http://${host}`)?.hostname ?? '')
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** A day in UTC as its first or last millisecond, or a moment (RFC 3339). */
export function readDay(text: string, edge: 'first' | 'last'): number | undefined {
  const written = text.trim()
  const isDay = DAY.test(written)
  if (!isDay && !INSTANT.test(written)) return undefined
  const time = Date.parse(written)
  // 30 February is read as 2 March by some engines, and refused by others.
  if (Number.isNaN(time) || (isDay && new Date(time).toISOString().slice(0, 10) !== written)) return undefined
  return isDay && edge === 'last' ? time + 86_400_000 - 1 : time
}

/** Names separated by commas or spaces, each once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]
