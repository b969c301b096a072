// The parameters that tools share. Models send null or an empty string for a parameter that they don't use, and numbers
// and truth values as strings; all of that is read as what it means. Errors are sentences that a model can act on.
import { readTimeZone } from '@bowerbird/answers/lib/zones.ts'
import { z } from 'zod'
import { dayText } from '../../api/endpoints/search-params.ts'
import { MAX_DOMAINS, readDomains, readLanguage, readSafe, wordsOf } from '../../search/read-filters.ts'
import { readRegion } from '../../search/regions.ts'
import { readDecimal, readWholeNumber } from '../../text/query-params.ts'

const blankAsMissing = (value: unknown) => (value === null || value === '' ? undefined : value)

/** A parameter that may be left out. */
export const optional = <Type extends z.ZodType>(type: Type) => z.preprocess(blankAsMissing, type.optional())

const LANGUAGE_HINT = 'Send a language tag such as en, de or pt-BR.'

export const languageTag = optional(
  z
    .string({ error: LANGUAGE_HINT })
    .refine((text) => readLanguage(text) !== undefined, LANGUAGE_HINT)
    .transform((text) => readLanguage(text) ?? ''),
).describe('Language tag, such as en or de. Omit for any language.')

const COUNTRY_HINT = 'Send a country code such as DE or US.'

/** Gives the country; none for '' and `all`. */
export const countryCode = optional(
  z.string({ error: COUNTRY_HINT }).transform((text, context) => {
    const region = readRegion(text)
    if (region === undefined) context.addIssue({ code: 'custom', message: COUNTRY_HINT })
    return region || undefined
  }),
)

export const wholeNumber = (max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? readWholeNumber(value.trim()) : undefined) ?? blankAsMissing(value),
    z
      .int({ error: `Send a whole number from 1 to ${max}.` })
      .min(1)
      .max(max)
      .optional(),
  )

export const degrees = (max: number) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' ? (readDecimal(value.trim()) ?? blankAsMissing(value)) : blankAsMissing(value),
    z
      .number({ error: `Send a number of degrees from -${max} to ${max}.` })
      .min(-max)
      .max(max)
      .optional(),
  )

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  optional(z.enum(values, { error: `Send one of ${values.join(', ')}.` }))

export const trueOrFalse = z.preprocess(
  (value) => (typeof value === 'string' ? (readSafe(value) ?? blankAsMissing(value)) : blankAsMissing(value)),
  z.boolean({ error: 'Send true or false.' }).optional(),
)

const DOMAINS_HINT = `Send at most ${MAX_DOMAINS} domains such as example.org.`

/** A list, or one text with commas. */
export const domainList = z.preprocess(
  (value) => (typeof value === 'string' ? wordsOf(value) : (value ?? undefined)),
  z
    .array(z.string(), { error: DOMAINS_HINT })
    .transform((texts, context) => {
      const domains = readDomains(texts)
      if (!domains) context.addIssue({ code: 'custom', message: DOMAINS_HINT })
      return domains?.length ? domains : undefined
    })
    .optional(),
)

export const dayOf = (edge: 'first' | 'last') => optional(dayText(edge))

const ZONE_HINT = 'Send an IANA time zone such as Europe/Berlin.'

export const timeZone = optional(
  z
    .string({ error: ZONE_HINT })
    .trim()
    .refine((text) => readTimeZone(text) !== undefined, ZONE_HINT)
    .transform((text) => readTimeZone(text)),
)
