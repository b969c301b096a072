// OpenAlex: papers, books and theses in all fields and languages, from a foundation. JSON over HTTP, with a key
// (`openalex`) or without (`openalexfree`), which differ in their daily allowance. The key is only accepted in the URL.
// The abstract comes as an inverted index. Too many calls are a 403. A library of papers counts as safe.

import { defineEngine, type EngineQuery, type EngineTab, type EngineTerms, PAGE_SIZE, type WebHit } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { asArray, asObject, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { paperHit } from '../parsing/read-paper.ts'
import { throttled } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const FIELDS = 'id,doi,display_name,publication_date,primary_location,authorships,abstract_inverted_index'
const MAX_WORDS = 250

/** `{"heat":[0,7],"pumps":[1]}` → `heat pumps …`. */
function abstractOf(index: unknown): string {
  const words: string[] = []
  for (const [word, places] of Object.entries(asObject(index))) {
    for (const place of asArray(places)) {
      if (Number.isInteger(place) && Number(place) >= 0 && Number(place) < MAX_WORDS) words[Number(place)] = word
    }
  }
  return words.filter(Boolean).join(' ')
}

function filterOf(query: EngineQuery): string | undefined {
  const language = baseLanguage(query.lang)
  const start = rangeStartDay(query)
  const filters = [language && `language:${language}`, start && `from_publication_date:${start}`].filter(Boolean)
  return filters.length === 0 ? undefined : filters.join(',')
}

const requestFor = (query: EngineQuery, apiKey: string | undefined) =>
  getJson('/works', {
    search: query.text,
    page: query.page,
    'per-page': PAGE_SIZE,
    filter: filterOf(query),
    sort: 'relevance_score:desc',
    select: FIELDS,
    api_key: apiKey,
  })

const openalexReply: ReadReply = (reply, query) => {
  if (reply.status === 403) throw throttled(reply, query.now)
  return jsonReply(reply, query)
}

const works: Omit<EngineTab<WebHit, unknown>, 'request'> = {
  lastPage: 50,
  honours: ['safe', 'date', 'lang'],
  byNature: ['safe'],
  parse: parseResults({ results: 'results', readReply: openalexReply }, (work) => {
    const { source, landing_page_url: page, pdf_url: pdf } = asObject(work['primary_location'])
    return paperHit({
      doi: work['doi'],
      url: page,
      title: work['display_name'],
      authors: asArray(work['authorships']).map(
        (authorship) => asObject(asObject(authorship)['author'])['display_name'],
      ),
      journal: asObject(source)['display_name'],
      abstract: abstractOf(work['abstract_inverted_index']),
      published: work['publication_date'],
      publishedAt: parseTimestamp(work['publication_date']),
      links: { PDF: pdf },
    })
  }),
}

const TERMS: EngineTerms = {
  cacheSeconds: 86_400,
  cacheIn: 'shared',
  pricePerCallMicros: 0,
  attribution: '',
  asOf: '2026-11-15',
  unverified: 'everything but the limits: we read the rest in another project’s source and never tried it',
}

export const openalex = defineEngine({
  slug: 'openalex',
  name: 'OpenAlex',
  homepage: 'https://openalex.org',
  keysUrl: 'https://developers.openalex.org',
  settings: { baseUrl: setting('OPENALEX_URL', 'https://api.openalex.org'), apiKey: secret('OPENALEX_API_KEY') },
  terms: { ...TERMS, hasFreeKeys: true, dailyCalls: 1_000 },
  tabs: { science: { ...works, request: (query, { apiKey }) => requestFor(query, apiKey) } },
})

export const openalexfree = defineEngine({
  slug: 'openalexfree',
  name: 'OpenAlex (keyless)',
  homepage: 'https://openalex.org',
  tierOf: 'openalex',
  settings: { baseUrl: setting('OPENALEXFREE_URL', 'https://api.openalex.org') },
  terms: { ...TERMS, dailyCalls: 100 },
  tabs: { science: { ...works, request: (query) => requestFor(query, undefined) } },
})
