// GitHub: repositories by name, description and topic. JSON over HTTP, with a token (`github`) or without
// (`githubfree`), which differ in calls per minute. A 403 with no calls left in the window is throttling. There is no
// safe filter: repositories that their author tagged as adult are filtered out here. A repository's date is its last
// push.

import { defineEngine, type EngineQuery, type EngineTab, type EngineTerms, PAGE_SIZE, type WebHit } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { asObject, jsonReply, resultList } from '../parsing/json-reply.ts'
import { bearer, getJson } from '../parsing/json-request.ts'
import { dropAdultResults, parseResults, type ReadReply, sitelinksOf, webHit } from '../parsing/read-hits.ts'
import { softwareOf } from '../parsing/software.ts'
import { numberInHeader, throttled } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

/** GitHub allows 256 characters, including the date filter we may add. */
const MAX_QUERY_LENGTH = { characters: 230, words: 230 }

const requestFor = (query: EngineQuery, headers: Record<string, string>) => {
  const start = rangeStartDay(query)
  return getJson(
    '/search/repositories',
    { q: start ? `${query.text} pushed:>=${start}` : query.text, per_page: PAGE_SIZE, page: query.page },
    { accept: 'application/vnd.github+json', ...headers },
  )
}

const githubReply: ReadReply = (reply, query) => {
  const isQuotaSpent = reply.status === 403 && numberInHeader(reply, 'x-ratelimit-remaining', 0) === 0
  if (!isQuotaSpent) return jsonReply(reply, query)
  throw throttled(reply, query.now, numberInHeader(reply, 'x-ratelimit-reset', 0) - query.now / 1000)
}

/** What SPDX says where a licence is not one that it knows. */
const NO_LICENCE = 'NOASSERTION'

const licenceIn = (license: unknown): unknown => {
  const { spdx_id: id } = asObject(license)
  return id === NO_LICENCE ? undefined : id
}

const repositories: Omit<EngineTab<WebHit, unknown>, 'request'> = {
  lastPage: 50,
  honours: ['safe', 'date'],
  byNature: ['safe'],
  hasTextInAnyLanguage: true,
  parse: parseResults(
    { results: ({ items }, query) => dropAdultResults(query, resultList(items), 'topics'), readReply: githubReply },
    ({ html_url: url, full_name: title, description, pushed_at: pushedAt, homepage, ...about }) =>
      webHit({
        url,
        title,
        description,
        publishedAt: parseTimestamp(pushedAt),
        sitelinks: sitelinksOf({ Homepage: homepage }),
        software: softwareOf({
          stars: about['stargazers_count'],
          language: about['language'],
          licence: licenceIn(about['license']),
        }),
      }),
  ),
}

const TERMS: EngineTerms = {
  cacheSeconds: 3600,
  cacheIn: 'shared',
  pricePerCallMicros: 0,
  attribution: '',
  asOf: '2026-11-15',
  unverified: 'never tried; read in another project’s source',
}

export const github = defineEngine({
  slug: 'github',
  name: 'GitHub',
  homepage: 'https://github.com',
  settings: { baseUrl: setting('GITHUB_URL', 'https://api.github.com'), apiKey: secret('GITHUB_API_KEY') },
  terms: { ...TERMS, rateLimit: { calls: 30, perSeconds: 60 } },
  maxQueryLength: MAX_QUERY_LENGTH,
  tabs: { code: { ...repositories, request: (query, { apiKey }) => requestFor(query, bearer(apiKey)) } },
})

export const githubfree = defineEngine({
  slug: 'githubfree',
  name: 'GitHub (keyless)',
  homepage: 'https://github.com',
  hasNoContract: true,
  tierOf: 'github',
  settings: { baseUrl: setting('GITHUBFREE_URL', 'https://api.github.com') },
  terms: { ...TERMS, rateLimit: { calls: 10, perSeconds: 60 } },
  maxQueryLength: MAX_QUERY_LENGTH,
  tabs: { code: { ...repositories, request: (query) => requestFor(query, {}) } },
})
