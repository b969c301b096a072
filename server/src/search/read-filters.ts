// What may be asked of a search, and how it is written: one reading for every door, so that the API's parameters, the
// site's addresses and a reader's preferences mean the same search. `undefined` is something that cannot be understood;
// each door says so in its own words.
import type { DateRange } from '../providers/engine.ts'

export const LONGEST_QUERY = 500
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

/** Characters as people count them, not halves of surrogate pairs. */
export const isTooLong = (text: string): boolean =>
  text.length > LONGEST_QUERY && Array.from(text).length > LONGEST_QUERY

export const readSafe = (text: string): boolean | undefined => SAFE_VALUES.get(text.trim().toLowerCase())

/** '' for automatic. */
export const isLanguage = (tag: string): boolean => tag === '' || LANGUAGE_TAG.test(tag)

export function readPage(text: string): number | undefined {
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return page >= 1 && page <= LAST_PAGE ? page : undefined
}

export const readDate = (text: string): DateRange | undefined => DATE_RANGES.find((range) => range === text)

/** Names of slots, separated by comma or space, in any case; [] for all. */
export function readSlotNames(text: string, known: readonly string[]): string[] | undefined {
  const names = [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ]
  if (names.some((name) => name !== 'all' && !known.includes(name))) return undefined
  return names.includes('all') ? [] : names
}
