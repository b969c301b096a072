// The query parameters shared by the search endpoints. Each error message says what to send
// instead.
import { IMAGE_FILTERS } from '@bowerbird/engines/image-filters.ts'
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import { z } from 'zod'
import {
  DATE_RANGES,
  isTooLong,
  LAST_PAGE,
  MAX_DOMAINS,
  MAX_LIMIT,
  MAX_QUERY_LENGTH,
  readDate,
  readDay,
  readDomains,
  readLanguage,
  readPage,
  readSafe,
  readSlotNames,
  SAFE_WORDS,
  wordsOf,
} from '../../search/read-filters.ts'
import { readRegion } from '../../search/regions.ts'
import { readWholeNumber } from '../../text/query-params.ts'

export const limitQueryLength = (text: z.ZodString) =>
  text.refine((q) => !isTooLong(q), `Send at most ${MAX_QUERY_LENGTH} characters.`)

export const queryParam = limitQueryLength(
  z
    .string({ error: 'This parameter is required.' })
    // Neither an engine nor whoever reads the reply needs what nobody sees.
    .overwrite(visibleText)
    .trim()
    .min(1, 'This parameter is required.'),
).meta({
  description: 'The query.',
  example: 'climate',
  schema: { type: 'string', minLength: 1, maxLength: MAX_QUERY_LENGTH },
})

/** '' counts as not sent: that is how forms send an empty field. */
export const safeParam = z
  .string()
  .default('on')
  .transform((text, context) => {
    const safe = text === '' ? true : readSafe(text)
    if (safe === undefined) context.addIssue({ code: 'custom', message: 'Send on or off.' })
    return safe ?? true
  })
  .meta({
    description: 'Safe search: `on` or `off` (`false`, `0` and `no` also mean off).',
    example: 'on',
    schema: { type: 'string', enum: ['', ...SAFE_WORDS], default: 'on' },
  })

export const langParam = z
  .string()
  .default('')
  .transform((text, context) => {
    const lang = readLanguage(text)
    if (lang === undefined) {
      context.addIssue({ code: 'custom', message: 'Send a language tag such as en, de or pt-BR.' })
    }
    return lang ?? ''
  })
  .meta({
    description: 'Language as a BCP 47 tag; empty, `auto` or `all` for automatic.',
    example: 'en',
    schema: { type: 'string', pattern: '^([Aa][Uu][Tt][Oo]|[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4})?$', default: '' },
  })

/** '' counts as not sent. */
export const regionParam = z
  .string()
  .default('')
  .transform((text, context) => {
    if (text === '') return undefined
    const region = readRegion(text)
    if (region === undefined)
      context.addIssue({ code: 'custom', message: 'Send a country such as DE or US (ISO 3166-1), or leave it out.' })
    return region || undefined
  })
  .meta({
    description:
      'The country whose results are wanted first, as an ISO 3166-1 code in any case; empty or `all` for none. A wish, not a filter: an engine that cannot favour a country is asked all the same, and `Engine-Status` says `region=ignored`. It wins over a region in `lang`.',
    example: 'DE',
    schema: { type: 'string', pattern: '^([A-Za-z]{2}|[Aa][Ll][Ll])?$', default: '' },
  })

export const pageParam = z
  .string()
  .default('1')
  .transform((text, context) => {
    const page = readPage(text)
    if (page === undefined) {
      context.addIssue({ code: 'custom', message: `Send a whole number from 1 to ${LAST_PAGE}.` })
    }
    return page ?? 1
  })
  .meta({
    description: 'Page number. Most engines end at page 10; past the last page of every engine, `results` is empty.',
    example: 1,
    schema: { type: 'integer', minimum: 1, maximum: LAST_PAGE, default: 1 },
  })

export const dateParam = z
  .string()
  .default('')
  .transform((text, context) => {
    const range = readDate(text)
    if (range === undefined && text !== '')
      context.addIssue({ code: 'custom', message: 'Send d (day), w (week), m (month) or y (year).' })
    return range
  })
  .meta({
    description: 'Only results from the last day (`d`), week (`w`), month (`m`) or year (`y`).',
    example: 'm',
    schema: { type: 'string', enum: ['', ...DATE_RANGES], default: '' },
  })

/** '' counts as not sent. */
export const limitParam = z
  .string()
  .default('')
  .transform((text, context) => {
    const limit = text.trim() === '' ? undefined : (readWholeNumber(text.trim()) ?? 0)
    if (limit !== undefined && (limit < 1 || limit > MAX_LIMIT)) {
      context.addIssue({ code: 'custom', message: `Send a whole number from 1 to ${MAX_LIMIT}.` })
    }
    return limit
  })
  .meta({
    description:
      'At most so many results of the page, after merging; all by default. What is cut is not on the next page.',
    example: 10,
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
  })

const domainsParam = (description: string) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      const domains = readDomains(wordsOf(text))
      if (!domains) {
        const message = `Send at most ${MAX_DOMAINS} domains such as example.org, separated by comma.`
        context.addIssue({ code: 'custom', message })
      }
      return domains?.length ? domains : undefined
    })
    .meta({ description, example: 'example.org' })

export const includeDomainsParam = domainsParam(
  `Only results of these domains and their subdomains: at most ${MAX_DOMAINS}, separated by comma or space. Engines are asked for them where they can be; results are checked in any case.`,
)
export const excludeDomainsParam = domainsParam(
  `No results of these domains and their subdomains: at most ${MAX_DOMAINS}, separated by comma or space.`,
)

export const preferDomainsParam = domainsParam(
  `Results of these domains and their subdomains count twice in the ranking: at most ${MAX_DOMAINS}, separated by comma or space. Nothing is left out.`,
)

const DAY_HINT = 'Send a day such as 2026-11-07, or a time such as 2026-11-07T10:00:00Z.'

/** '' counts as not sent. */
export const dayText = (edge: 'first' | 'last') =>
  z.string({ error: DAY_HINT }).transform((text, context) => {
    const day = text.trim() === '' ? undefined : readDay(text.trim(), edge)
    if (day === undefined && text.trim() !== '') context.addIssue({ code: 'custom', message: DAY_HINT })
    return day
  })

const dayParam = (edge: 'first' | 'last', description: string) =>
  dayText(edge)
    .prefault('')
    .meta({ description, example: '2026-11-07', schema: { type: 'string', default: '' } })

export const dateFromParam = dayParam(
  'first',
  'Only results published on this day (UTC) or later. Engines that cannot filter by date, and date no results, are not asked; results without a date are left out unless their engine keeps to the range by itself.',
)
export const dateToParam = dayParam('last', 'Only results published on this day (UTC) or earlier.')

const imageParam = <Value extends string>(values: readonly [Value, ...Value[]], description: string) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      const value = values.find((each) => each === text.trim().toLowerCase())
      if (value === undefined && text.trim() !== '') {
        context.addIssue({ code: 'custom', message: `Send ${values.join(', ')}.` })
      }
      return value
    })
    .meta({
      description: `${description} An engine that cannot filter by it, and does not tell it of its pictures, is skipped.`,
      example: values[0],
      schema: { type: 'string', enum: ['', ...values], default: '' },
    })

/** The filters of an image search. '' counts as not sent. */
export const imageParams = {
  image_size: imageParam(
    IMAGE_FILTERS.size,
    'Only pictures of this size: `small` has fewer than 640 × 480 pixels, `large` at least 1,600 × 1,200.',
  ),
  image_shape: imageParam(IMAGE_FILTERS.shape, 'Only pictures of this shape.'),
  image_licence: imageParam(
    IMAGE_FILTERS.licence,
    'Only pictures in the `public` domain, or that may be used like this: `share`, `commercial`, `modify`. Read the licence itself before you rely on it.',
  ),
  image_color: imageParam(IMAGE_FILTERS.color, 'Only pictures in which this colour prevails; `mono` has none.'),
  image_kind: imageParam(IMAGE_FILTERS.kind, 'Only pictures of this kind.'),
}

const INCLUDABLE = {
  explain: '`explain` shows how the score of each result was computed.',
  content: '`content` adds the text of the first pages; it also needs the scope `read`.',
  date: '`date` adds when each result was published.',
  image: '`image` adds the full size of each picture, who made it, and its licence.',
}

/** Asks for members that default bodies don't have: one or more words, in any order and case. */
export const includeParam = (...includable: (keyof typeof INCLUDABLE)[]) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      const names = text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean)
      if (names.some((name) => !includable.some((known) => known === name))) {
        context.addIssue({ code: 'custom', message: `Unknown value. Use ${includable.join(', ')}.` })
      }
      return {
        explain: names.includes('explain'),
        content: names.includes('content'),
        date: names.includes('date'),
        image: names.includes('image'),
      }
    })
    .meta({
      description: ['Extra members.', ...includable.map((name) => INCLUDABLE[name])].join(' '),
      example: 'explain',
      schema: { type: 'string', pattern: '^[A-Za-z,\\s]*$', default: '' },
    })

/** The slots of an instance, as the settings in force have them. */
export type SlotList = readonly string[]

export const unknownEngine = (slots: SlotList): string => `Unknown engine. Use ${slots.join(', ')} or all.`

/** Returns slot names, or [] for all. */
export const engineParam = (slots: SlotList) =>
  z
    .string()
    .default('all')
    .transform((text, context) => {
      const names = readSlotNames(text, slots)
      if (!names) context.addIssue({ code: 'custom', message: unknownEngine(slots) })
      return names ?? []
    })
    .meta({
      // The slots change with the settings, and what programs make of this text stays.
      description:
        'One or more slots, such as `engine_a`, or `all`, separated by comma or space. `status/` lists the slots of this instance.',
      example: 'all',
    })

/** Which names there are depends on who asks, so the endpoint checks them. */
export const ownEngineParam = z
  .string()
  .default('all')
  .transform((text) => {
    const names = wordsOf(text)
    return names.includes('all') ? [] : names
  })
  .meta({
    description: 'One or more of the names in `Engine-Status`, or `all`, separated by comma or space.',
    example: 'all',
  })
