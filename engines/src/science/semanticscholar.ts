// Semantic Scholar: papers in all fields, from the Allen Institute for AI. JSON over HTTP; the key is optional, but
// callers without one share a single global limit and usually get a 429. It can't filter by language, so the host
// checks titles and abstracts. A library of papers counts as safe.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { hitsOf, jsonReply, list, moment, record, resultList, word } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { paperHit } from '../parsing/paper-hit.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { secret, setting } from '../setting.ts'

const FIELDS = 'title,url,abstract,venue,publicationDate,authors,externalIds,openAccessPdf'

/** arXiv papers have a DOI too, but the reply doesn't always include it. */
const doiOf = (ids: Readonly<Record<string, unknown>>): string =>
  word(ids['DOI']) || (word(ids['ArXiv']) && `10.48550/arXiv.${word(ids['ArXiv'])}`)

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
            offset: (query.page - 1) * PAGE_SIZE,
            limit: PAGE_SIZE,
            fields: FIELDS,
            publicationDateOrYear: query.date && `${rangeStart(query)?.toISOString().slice(0, 10)}:`,
          },
          apiKey === '' ? {} : { 'x-api-key': apiKey },
        ),
      parse: (reply, query) => {
        const page = jsonReply(reply, query)
        // Without results, the list is left out.
        const found = page['total'] === 0 ? list(page['data']) : resultList(page['data'])
        return {
          correction: '',
          hits: hitsOf(found, (paper) =>
            paperHit({
              doi: doiOf(record(paper['externalIds'])),
              url: paper['url'],
              title: paper['title'],
              authors: list(paper['authors']).map((author) => record(author)['name']),
              journal: paper['venue'],
              abstract: paper['abstract'],
              publishedAt: moment(paper['publicationDate']),
              links: { PDF: record(paper['openAccessPdf'])['url'] },
            }),
          ),
        }
      },
    },
  },
})
