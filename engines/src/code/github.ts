// GitHub: repositories by name, description and topic. JSON over HTTP, with a token (`github`) or without
// (`githubfree`), which differ in calls per minute. A 403 with no calls left in the window is throttling. There is no
// safe filter: repositories that their author tagged as adult are filtered out here. A repository's date is its last
// push.

import {
  defineEngine,
  type EngineQuery,
  type EngineTab,
  type EngineTerms,
  PAGE_SIZE,
  type ProviderReply,
  type WebHit,
} from '../engine.ts'
import { fitFor } from '../parsing/adult-tags.ts'
import { hitsOf, jsonReply, moment, resultList } from '../parsing/json-reply.ts'
import { bearer, getJson } from '../parsing/json-request.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { sitelinksOf, webHit } from '../parsing/read-hits.ts'
import { errorWithWait, numberInHeader, waitOf } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const JSON_TYPE = { accept: 'application/vnd.github+json' }

/** GitHub allows 256 characters, including the date filter we may add. */
const LONGEST_QUERY = { characters: 230, words: 230 }

const requestFor = (query: EngineQuery, headers: Record<string, string>) => {
  const start = rangeStart(query)?.toISOString().slice(0, 10)
  return getJson(
    '/search/repositories',
    { q: start ? `${query.text} pushed:>=${start}` : query.text, per_page: PAGE_SIZE, page: query.page },
    { ...JSON_TYPE, ...headers },
  )
}

function githubReply(reply: ProviderReply, now: number) {
  const isSpent = reply.status === 403 && numberInHeader(reply, 'x-ratelimit-remaining', 0) === 0
  if (!isSpent) return jsonReply(reply, { now })
  const wait = waitOf(reply, now, numberInHeader(reply, 'x-ratelimit-reset', 0) - now / 1000)
  throw errorWithWait('throttled', 'The provider asks us to slow down.', wait)
}

const repositories: Omit<EngineTab<WebHit, unknown>, 'request'> = {
  lastPage: 50,
  honours: ['safe', 'date'],
  byNature: ['safe'],
  hasTextInAnyLanguage: true,
  parse: (reply, query) => {
    const found = resultList(githubReply(reply, query.now)['items'])
    return {
      correction: '',
      hits: hitsOf(fitFor(query, found, 'topics'), (repository) =>
        webHit({
          url: repository['html_url'],
          title: repository['full_name'],
          description: repository['description'],
          publishedAt: moment(repository['pushed_at']),
          sitelinks: sitelinksOf({ Homepage: repository['homepage'] }),
        }),
      ),
    }
  },
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
  longestQuery: LONGEST_QUERY,
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
  longestQuery: LONGEST_QUERY,
  tabs: { code: { ...repositories, request: (query) => requestFor(query, {}) } },
})
