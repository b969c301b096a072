// Parameters that several compatible APIs have, each under its own name. A filter is honoured or refused, never dropped;
// what is no filter and has no meaning here is ignored, and named in `Ignored-Parameters`. A wish that nobody can fulfil is
// said to have had no effect where programs read it. A country is such a wish: engines that can favour one are asked to.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type ReadParams, readParams } from '../api/pipeline/read-params.ts'
import { readCountry } from '../search/country-names.ts'
import { isTooLong, MAX_DOMAINS, MAX_QUERY_LENGTH, readDay, readDomains, readLanguage } from '../search/read-filters.ts'

/** For requests that have their parameters in the URL. */
export const MAX_BODY_BYTES = 16_384

export const queryText = z
  .string({ error: 'Send a query.' })
  .trim()
  .min(1, 'Send a query.')
  .refine((text) => !isTooLong(text), `Send at most ${MAX_QUERY_LENGTH} characters.`)

/** How many results; more than there may be is as many as there may be. */
export const resultCount = (max: number, defaultValue: number) =>
  z.coerce
    .number({ error: 'Send a number.' })
    .int('Send a whole number.')
    .min(1, 'Send 1 or more.')
    .transform((count) => Math.min(count, max))
    .default(defaultValue)

/** A body has room for thirty thousand values: zod would look at each of them before it counts. */
const shortList = (max: number, message: string) =>
  z.custom<string[]>(
    (value) => Array.isArray(value) && value.length <= max && value.every((item) => typeof item === 'string'),
    message,
  )

const DOMAINS = `Send at most ${MAX_DOMAINS} domains such as example.org.`

/** A list, or one domain as a string. */
export const domainList = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), shortList(MAX_DOMAINS, DOMAINS))
  .transform((texts, context) => {
    const names = readDomains(texts)
    if (!names) context.addIssue({ code: 'custom', message: DOMAINS })
    return names?.length ? names : undefined
  })
  .optional()

const LANGUAGE = 'Send a language such as de or pt-BR.'

/** `rewrite` turns the API's own way of writing a language into a tag. */
export const language = (rewrite: (text: string) => string) =>
  z
    .string({ error: LANGUAGE })
    .transform((text, context) => {
      const tag = readLanguage(rewrite(text))
      if (tag === undefined) context.addIssue({ code: 'custom', message: LANGUAGE })
      return tag ?? ''
    })
    .default('')

const US_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** A day as Americans write it: 11/07/2026. */
export function readUsDay(text: string, edge: 'first' | 'last'): number | undefined {
  const [, month = '', day = '', year = ''] = US_DAY.exec(text) ?? []
  return readDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, edge)
}

/** Whether a value asks for nothing: false, or empty. */
export const isNothing = (value: unknown): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** What clients send when nobody has chosen a country or a language. */
const UNCHOSEN = new Set(['us', 'united states', 'all', 'en'])

const isUnchosen = (value: unknown): boolean =>
  isNothing(value) || (typeof value === 'string' && UNCHOSEN.has(value.trim().toLowerCase()))

const withoutEffect = (name: string): string => `Without effect here: ${name}.`

/** A wish that no engine here takes. Gives what there is to say of it: '' if nobody has chosen anything. */
export const wish = (name: string) =>
  z
    .unknown()
    .transform((value) => (isUnchosen(value) ? '' : withoutEffect(name)))
    .default('')

/** The country whose results are wanted first, and what there is to say if it isn't understood. */
export interface CountryWish {
  region?: string | undefined
  note: string
}

/** A country by its code or its English name. None if nobody has chosen one. */
export const country = (name: string) =>
  z
    .unknown()
    .transform((value): CountryWish => {
      if (isUnchosen(value)) return { note: '' }
      const region = typeof value === 'string' ? readCountry(value) : undefined
      return region ? { region, note: '' } : { note: withoutEffect(name) }
    })
    .default({ note: '' })

/** A filter that isn't offered is refused unless it filters nothing. */
export const notOffered = () => z.unknown().refine(isNothing, 'This is not offered here. Leave it out.').optional()

/** Reads the parameters of a URL. One without a value is as good as left out. */
export function readQueryAs<Members extends z.ZodObject>(
  { query }: Pick<FastifyRequest, 'query'>,
  schema: Members,
): ReadParams<z.output<Members>> {
  // Fastify types the parsed query as unknown; its parser always gives an object.
  const given = Object.entries(query as Record<string, unknown>)
  return readParams(schema, Object.fromEntries(given.filter(([, value]) => value !== '')))
}
