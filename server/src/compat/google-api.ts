// The API of Google's Custom Search, which ends on 1 January 2027: GET /google/customsearch/v1 for programs that were
// written for it, and only need another host. Their key goes into `X-Goog-Api-Key` or the path; `key` in the query string
// is never read, and neither is `cx`, which names an engine at Google.
import type { DateRange, Hit, ImageHit, WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import { sendJson } from '../api/pipeline/send-json.ts'
import { readDomains } from '../search/read-filters.ts'
import type { Search } from '../search/search.ts'
import type { SearchRequest } from '../search/search-request.ts'
import { escapeMarkup } from '../text/escape-markup.ts'
import { country, language, MAX_BODY_BYTES, notOffered, queryText, readQueryAs, resultCount } from './compat-params.ts'
import { type CompatAnswer, noteMember, PLAIN_REQUEST, searchFor, withNote } from './compat-search.ts'
import {
  type CompatError,
  type CompatFrame,
  ENDPOINT_OF_TAB,
  mountCompatRoute,
  mountNotFound,
} from './mount-compat-route.ts'

/** Google's reason and status, by the HTTP status. */
const REASONS: Record<number, [reason: string, status: string]> = {
  400: ['badRequest', 'INVALID_ARGUMENT'],
  401: ['authError', 'UNAUTHENTICATED'],
  403: ['forbidden', 'PERMISSION_DENIED'],
  404: ['notFound', 'NOT_FOUND'],
  429: ['rateLimitExceeded', 'RESOURCE_EXHAUSTED'],
  503: ['backendError', 'UNAVAILABLE'],
}

function describeError({ status: code, sentence: message }: CompatError) {
  const [reason, status] = REASONS[code] ?? ['internalError', 'INTERNAL']
  const domain = code === 429 ? 'usageLimits' : 'global'
  return { error: { code, message, errors: [{ message, domain, reason }], status } }
}

interface GoogleServices {
  search: Search
}

export function mountGoogle(frame: CompatFrame, { current }: { current: () => GoogleServices }): void {
  for (const path of ['/google/customsearch/v1', '/google/customsearch/v1/siterestrict']) {
    mountCompatRoute<GoogleParams>(frame, {
      path,
      methods: ['GET'],
      scope: 'search',
      countedAs: ({ tab }) => ENDPOINT_OF_TAB[tab],
      fields: { names: Object.keys(GoogleSchema.shape), maxBytes: MAX_BODY_BYTES },
      begin() {
        const { search } = current()
        return {
          read(request) {
            const read = readQueryAs(request, GoogleSchema)
            return read.ok ? { ...read, params: toParams(read.params) } : read
          },
          async handle(call) {
            const { params } = call
            return googleReply(params, await searchFor(call, search, params.tab, params.request))
          },
        }
      },
      send: sendJson,
      describeError,
    })
  }
  mountNotFound(frame, { path: '/google/*', describeError })
}

/** `start` counts results from 1, ten to a page, and there are a hundred at most. */
const PAGE = 10
const MAX_RESULTS = 100

interface GoogleParams {
  tab: 'web' | 'images'
  request: SearchRequest
  start: number
  num: number
  /** How many results of the page are before `start`. */
  skipped: number
  note: string
}

const AGE = /^([dwmy])(\d{0,4})$/
const AGES = 'Send d, w, m or y and a number, such as d7.'
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30.5, y: 365.25 }

/** `w` is the last week, `d10` the last ten days. */
function readAge(text: string): Pick<SearchRequest, 'date' | 'dateFrom'> | undefined {
  const [, unit = '', count = ''] = AGE.exec(text) ?? []
  const days = DAYS[unit]
  if (days === undefined || count === '0') return undefined
  // The pattern has no other letters.
  if (count === '' || count === '1') return { date: unit as DateRange }
  return { date: undefined, dateFrom: Date.now() - Number(count) * days * 86_400_000 }
}

const SITE = 'Send a domain such as example.org.'

const GoogleSchema = z.object({
  q: queryText,
  num: resultCount(PAGE, PAGE),
  start: z.coerce
    .number({ error: 'Send a number.' })
    .int('Send a whole number.')
    .min(0, 'Send 1 or more.')
    .max(MAX_RESULTS, `Send at most ${MAX_RESULTS}.`)
    .default(1),
  dateRestrict: z
    .string()
    .transform((text, context) => {
      const age = readAge(text.toLowerCase())
      if (!age) context.addIssue({ code: 'custom', message: AGES })
      return age ?? {}
    })
    .optional(),
  lr: language((text) => text.replace(/^lang_/, '')),
  safe: z.enum(['active', 'high', 'medium', 'off'], { error: 'Send active or off.' }).default('active'),
  siteSearch: z
    .string()
    .transform((text, context) => {
      const domains = readDomains([text])
      if (!domains) context.addIssue({ code: 'custom', message: SITE })
      return domains
    })
    .optional(),
  siteSearchFilter: z.enum(['i', 'e'], { error: 'Send i or e.' }).default('i'),
  gl: country('gl'),
  searchType: z.literal('image', { error: 'Send image, or leave it out.' }).optional(),
  ...Object.fromEntries(
    [
      'cr',
      'exactTerms',
      'excludeTerms',
      'fileType',
      'highRange',
      'hq',
      'imgColorType',
      'imgDominantColor',
      'imgSize',
      'imgType',
      'linkSite',
      'lowRange',
      'orTerms',
      'relatedSite',
      'rights',
      'sort',
    ].map((name) => [name, notOffered()]),
  ),
})

function toParams(params: z.output<typeof GoogleSchema>): GoogleParams {
  const { q: text, num, dateRestrict, lr, safe, siteSearch, siteSearchFilter, searchType } = params
  const start = Math.max(1, params.start)
  const skipped = (start - 1) % PAGE
  const request: SearchRequest = {
    ...PLAIN_REQUEST,
    text,
    safe: safe !== 'off',
    lang: lr,
    region: params.gl.region,
    page: Math.floor((start - 1) / PAGE) + 1,
    limit: skipped + num,
    ...dateRestrict,
    ...(siteSearch && { [siteSearchFilter === 'e' ? 'excludeDomains' : 'includeDomains']: siteSearch }),
  }
  return { tab: searchType === 'image' ? 'images' : 'web', request, start, num, skipped, note: params.gl.note }
}

/** Programs go on to the next page while there are `items`, so without results there is no such member. */
function googleReply({ request, start, num, skipped, note }: GoogleParams, found: CompatAnswer) {
  const { answer } = found
  const shown = found.results.slice(skipped)
  const next = start + num
  const hasNext = shown.length > 0 && next + num - 1 <= MAX_RESULTS
  // Nobody knows how many there are; but there is a next page to look at.
  const total = String(start - 1 + shown.length + (hasNext ? num : 0))
  const seconds = answer.upstreamMs / 1_000
  const query = (startIndex: number) => ({
    title: `Google Custom Search - ${request.text}`,
    totalResults: total,
    searchTerms: request.text,
    count: num,
    startIndex,
    inputEncoding: 'utf8',
    outputEncoding: 'utf8',
    safe: request.safe ? 'active' : 'off',
  })
  return {
    kind: 'customsearch#search',
    queries: {
      ...(start > num && { previousPage: [query(start - num)] }),
      request: [{ ...query(start), count: shown.length }],
      ...(hasNext && { nextPage: [query(next)] }),
    },
    context: { title: 'Bowerbird' },
    searchInformation: {
      searchTime: seconds,
      formattedSearchTime: seconds.toFixed(2),
      totalResults: total,
      formattedTotalResults: total,
    },
    ...(answer.correction !== '' && {
      spelling: { correctedQuery: answer.correction, htmlCorrectedQuery: escapeMarkup(answer.correction) },
    }),
    ...(shown.length > 0 && { items: shown.map(({ hit }) => itemOf(hit)) }),
    ...noteMember(withNote(found, note)),
  }
}

const itemOf = (hit: Hit) => ({
  kind: 'customsearch#result',
  title: hit.title,
  htmlTitle: escapeMarkup(hit.title),
  link: hit.url,
  displayLink: hostOf(hit.url),
  ...(hit.kind === 'web' && webMembers(hit)),
  ...(hit.kind === 'image' && imageMembers(hit)),
})

const webMembers = ({ description, url }: WebHit) => ({
  snippet: description,
  htmlSnippet: escapeMarkup(description),
  formattedUrl: url,
  htmlFormattedUrl: escapeMarkup(url),
})

/** The link is the picture, and the page that shows it is beside it. */
const imageMembers = ({ title, url, thumbnailUrl, imageUrl = thumbnailUrl, width, height }: ImageHit) => ({
  link: imageUrl,
  snippet: title,
  htmlSnippet: escapeMarkup(title),
  image: { contextLink: url, ...(width && { width, height }), thumbnailLink: thumbnailUrl },
})
