// Semantic Scholar: papers in all fields, from the Allen Institute for AI. JSON over HTTP; the key is optional, but
// callers without one share a single global limit and usually get a 429. It can't filter by language, so the host
// checks titles and abstracts. A library of papers counts as safe.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { asArray, asObject, asString, type JsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { offsetOf, parseResults } from '../parsing/read-hits.ts'
import { paperHit } from '../parsing/read-paper.ts'
import { secret, setting } from '../setting.ts'

const FIELDS = 'title,url,abstract,venue,publicationDate,authors,externalIds,openAccessPdf'

/** arXiv papers have a DOI too, but the reply doesn't always include it. */
const doiOf = (ids: JsonObject): string =>
  asString(ids['DOI']) || (asString(ids['ArXiv']) && `10.48550/arXiv.${asString(ids['ArXiv'])}`)

export const semanticscholar = defineEngine({
  slug: 'semanticscholar',
  name: 'Semantic Scholar',
  homepage: 'https://www.semanticscholar.org',
  settings: {
    baseUrl: setting('SEMANTICSCHOLAR_URL', 'https://api.semanticscholar.org'),
    apiKey: secret('SEMANTICSCHOLAR_API_KEY', ''),
  },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Papers from Semantic Scholar',
    asOf: '2026-11-15',
    unverified: 'never tried; the date filter and the terms as remembered',
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  tabs: {
    science: {
      lastPage: 50,
      honours: ['safe', 'date'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      request: (query, { apiKey }) =>
        getJson(
          '/graph/v1/paper/search',
          {
            query: query.text,
            offset: offsetOf(query),
            limit: PAGE_SIZE,
            fields: FIELDS,
            publicationDateOrYear: query.date && `${rangeStartDay(query)}:`,
          },
          apiKey === '' ? {} : { 'x-api-key': apiKey },
        ),
      parse: parseResults(
        {
          // If nothing was found, the list is left out.
          results: ({ total, data }) => (total === 0 ? asArray(data) : data),
        },
        ({ externalIds, url, title, authors, venue, abstract, publicationDate, openAccessPdf }) =>
          paperHit({
            doi: doiOf(asObject(externalIds)),
            url,
            title,
            authors: asArray(authors).map((author) => asObject(author)['name']),
            journal: venue,
            abstract,
            published: publicationDate,
            publishedAt: parseTimestamp(publicationDate),
            isOpenAccess: httpAddress(asObject(openAccessPdf)['url']) !== '',
            links: { PDF: asObject(openAccessPdf)['url'] },
          }),
      ),
    },
  },
})
