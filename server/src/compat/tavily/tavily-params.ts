// Translates a Tavily client's request into one of our searches. What we don't have (depth, images, page text) is left
// out of the reply in the form that its clients expect; unknown members are ignored, as Tavily does.

import type { DateRange } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { SearchRequest } from '../../search/plan.ts'
import { isTooLong, LONGEST_QUERY, readLanguage } from '../../search/read-filters.ts'
import { readMembers } from '../read-members.ts'

export interface TavilyParams {
  tab: 'web' | 'news'
  /** As the client wrote it, without the site operators that we add. */
  query: string
  request: SearchRequest
  most: number
  includedHosts: readonly string[]
  excludedHosts: readonly string[]
  wantsAnswer: boolean
  wantsFavicon: boolean
}

const MOST_RESULTS = 20
const DEFAULT_RESULTS = 5
const MOST_HOSTS = 20

const RANGES: Record<string, DateRange> = { day: 'd', week: 'w', month: 'm', year: 'y', d: 'd', w: 'w', m: 'm', y: 'y' }
const MOST_DAYS: readonly [number, DateRange][] = [
  [1, 'd'],
  [7, 'w'],
  [31, 'm'],
]

const HOST = /^(?:\*\.)?([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,10})$/i

/** `example.org`, also as a URL or with a path, as people write it. */
const host = z.string().transform((text, context) => {
  const written = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
  const name = HOST.exec(written)?.[1]
  if (name === undefined) context.addIssue({ code: 'custom', message: 'Send host names such as example.org.' })
  return (name ?? '').toLowerCase().replace(/^www\./, '')
})
const hosts = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(host).max(MOST_HOSTS))
  .optional()

const TavilySchema = z.object({
  query: z
    .string({ error: 'Send a query.' })
    .trim()
    .min(1, 'Send a query.')
    .refine((text) => !isTooLong(text), `Send at most ${LONGEST_QUERY} characters.`),
  max_results: z.coerce
    .number({ error: 'Send a number.' })
    .int('Send a whole number.')
    .min(0, 'Send 0 or more.')
    .transform((most) => Math.min(most, MOST_RESULTS))
    .default(DEFAULT_RESULTS),
  topic: z.string().default('general'),
  time_range: z
    .string()
    .transform((text, context) => {
      const range = RANGES[text.toLowerCase()]
      if (range === undefined && text !== '')
        context.addIssue({ code: 'custom', message: 'Send day, week, month or year.' })
      return range
    })
    .optional(),
  days: z.coerce.number({ error: 'Send a number.' }).optional(),
  include_domains: hosts,
  exclude_domains: hosts,
  include_answer: z.union([z.boolean(), z.string()]).default(false),
  include_favicon: z.boolean().default(false),
  safe_search: z.boolean().default(true),
  language: z.string().default(''),
})

export function readTavily(fields: Record<string, unknown>): Reading<TavilyParams> {
  const read = readMembers(TavilySchema, fields)
  if (!read.ok) return read
  const { query, max_results, topic, include_domains = [], exclude_domains = [], ...rest } = read.params
  const tab = topic === 'news' ? 'news' : 'web'
  const text = withHosts(query, include_domains, exclude_domains)
  if (isTooLong(text)) {
    return {
      ok: false,
      refusal: new Refusal(400, 'The query and its domains are too long together. Send fewer domains.'),
    }
  }
  const date = rest.time_range ?? (tab === 'news' && rest.days !== undefined ? rangeOf(rest.days) : undefined)
  return {
    ok: true,
    params: {
      tab,
      query,
      request: { text, page: 1, engines: [], safe: rest.safe_search, date, lang: readLanguage(rest.language) ?? '' },
      most: max_results,
      includedHosts: include_domains,
      excludedHosts: exclude_domains,
      wantsAnswer: rest.include_answer !== false && rest.include_answer !== 'false',
      wantsFavicon: rest.include_favicon,
    },
  }
}

const rangeOf = (days: number): DateRange => MOST_DAYS.find(([most]) => days <= most)?.[1] ?? 'y'

/** Adds the operators that every engine knows; results are filtered again, in case one doesn't. */
function withHosts(query: string, included: readonly string[], excluded: readonly string[]): string {
  const wanted = included.map((name) => `site:${name}`).join(' OR ')
  const parts = [query, included.length > 1 ? `(${wanted})` : wanted, ...excluded.map((name) => `-site:${name}`)]
  return parts.filter(Boolean).join(' ')
}

export function isWanted(address: string, { includedHosts, excludedHosts }: TavilyParams): boolean {
  if (includedHosts.length === 0 && excludedHosts.length === 0) return true
  const name = URL.parse(address)?.hostname ?? ''
  const isAmong = (list: readonly string[]) => list.some((of) => name === of || name.endsWith(`.${of}`))
  return !isAmong(excludedHosts) && (includedHosts.length === 0 || isAmong(includedHosts))
}
