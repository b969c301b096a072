// What Brave's clients send, and the errors they read. Freshness, language, safe search and paging are honoured, and so
// are the domains that LiteLLM writes into the query. Goggles are refused. A country is passed on to engines that can
// favour one, and the reply names the others.
import type { DateRange } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { sendJson } from '../../api/pipeline/send-json.ts'
import type { SearchRequest } from '../../search/plan.ts'
import { MAX_DOMAINS, readDay, readDomains } from '../../search/read-filters.ts'
import { country, language, notOffered, queryText, resultCount } from '../compat-params.ts'
import { PLAIN_REQUEST } from '../compat-search.ts'
import type { CompatError } from '../mount-compat-route.ts'
import { addBraveLimits } from './brave-limits.ts'
import { LAST_OFFSET } from './brave-replies.ts'

/** By status; Brave answers a wrong key with 422, but no client depends on that. */
const CODES: Record<number, string> = {
  400: 'VALIDATION',
  401: 'SUBSCRIPTION_TOKEN_INVALID',
  403: 'SUBSCRIPTION_NOT_FOUND',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  429: 'RATE_LIMITED',
}

export const BRAVE_FORMAT = {
  send: sendJson,
  addHeaders: addBraveLimits,
  describeError: ({ status, sentence, headers }: CompatError) => {
    const id = headers['Error-Code'] ?? ''
    const code = id === 'monthly_cap_reached' ? 'QUOTA_LIMITED' : (CODES[status] ?? 'INTERNAL')
    const time = Math.floor(Date.now() / 1_000)
    return { type: 'ErrorResponse', error: { id, status, code, detail: sentence }, time }
  },
}

export type BraveTab = 'web' | 'news' | 'images' | 'videos'

const RANGES: ReadonlyMap<string, DateRange> = new Map([
  ['pd', 'd'],
  ['pw', 'w'],
  ['pm', 'm'],
  ['py', 'y'],
])
const FRESHNESS = 'Send pd, pw, pm, py, or two days as in 2026-11-01to2026-11-07.'

function readFreshness(text: string): Pick<SearchRequest, 'date' | 'dateFrom' | 'dateTo'> | undefined {
  const date = RANGES.get(text)
  if (date !== undefined) return { date }
  const [from = '', to = '', ...rest] = text.split('to')
  const [dateFrom, dateTo] = [readDay(from, 'first'), readDay(to, 'last')]
  if (dateFrom === undefined || dateTo === undefined || rest.length > 0 || dateFrom > dateTo) return undefined
  return { date: undefined, dateFrom, dateTo }
}

/** What web search has in common with the text for language models. */
export const webMembers = {
  q: queryText,
  search_lang: language((text) => (text === 'jp' ? 'ja' : text)),
  safesearch: z.enum(['off', 'moderate', 'strict'], { error: 'Send off, moderate or strict.' }).default('moderate'),
  freshness: z
    .string({ error: FRESHNESS })
    .transform((text, context) => {
      const dates = readFreshness(text)
      if (!dates) context.addIssue({ code: 'custom', message: FRESHNESS })
      return dates ?? {}
    })
    .optional(),
  country: country('country'),
  goggles: notOffered(),
  goggles_id: notOffered(),
}

const COUNTS: Record<BraveTab, [most: number, usual: number]> = {
  web: [20, 20],
  news: [50, 20],
  images: [200, 50],
  videos: [50, 20],
}
const ONLY_WEB = 'Only web results are here. Include web, or ask /res/v1/news/search or /res/v1/videos/search.'

const hasWeb = (sections: string) => sections.split(',').some((section) => section.trim() === 'web')

export function schemaFor(tab: BraveTab) {
  const lastOffset = tab === 'images' ? 0 : LAST_OFFSET
  const schema = z.object({
    ...webMembers,
    count: resultCount(...COUNTS[tab]),
    offset: z.coerce
      .number({ error: 'Send a number.' })
      .int('Send a whole number.')
      .min(0, 'Send 0 or more.')
      .max(lastOffset, `Send at most ${lastOffset}: it counts pages.`)
      .default(0),
    result_filter: z
      .string()
      .refine((text) => tab !== 'web' || hasWeb(text), ONLY_WEB)
      .optional(),
  })
  // Pictures have no dates to filter by.
  return tab === 'images' ? schema.extend({ freshness: notOffered().transform(() => undefined) }) : schema
}

interface BraveParams extends Pick<z.output<ReturnType<typeof schemaFor>>, keyof typeof webMembers> {
  count: number
  offset?: number
}

export const toRequest = ({
  q,
  count,
  offset = 0,
  search_lang,
  country: { region },
  safesearch,
  freshness,
}: BraveParams): SearchRequest => ({
  ...PLAIN_REQUEST,
  ...withoutSites(q),
  safe: safesearch !== 'off',
  lang: search_lang,
  region,
  page: offset + 1,
  limit: count,
  ...freshness,
})

/** LiteLLM writes domains as `(climate) AND (site:a.org OR site:b.org)`. Anything else stays as it is. */
function withoutSites(text: string): Pick<SearchRequest, 'text' | 'includeDomains'> {
  const at = text.lastIndexOf(') AND (')
  if (at === -1 || !text.startsWith('(') || !text.endsWith(')')) return { text }
  const sites = text.slice(at + ') AND ('.length, -1).split(' OR ')
  const query = text.slice(1, at).trim()
  if (query === '' || sites.length > MAX_DOMAINS || !sites.every((site) => site.startsWith('site:'))) return { text }
  const includeDomains = readDomains(sites.map((site) => site.slice('site:'.length)))
  return includeDomains ? { text: query, includeDomains } : { text }
}
