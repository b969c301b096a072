// Europe PMC: papers and preprints in medicine and the life sciences, including PubMed. JSON over HTTP, no key. It has
// cursors instead of pages, so later pages are cut from one longer list. It can't filter by language, so the host
// checks titles and abstracts. A library of papers counts as safe.

import { defineEngine, type EngineQuery } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { asObject, asString } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { parseResults, upToPage } from '../parsing/read-hits.ts'
import { paperHit } from '../parsing/read-paper.ts'
import { setting } from '../setting.ts'

/** Brackets in the query would close the ones we put around it. */
function expressionOf(query: EngineQuery): string {
  const [start, today] = [rangeStartDay(query), new Date(query.now).toISOString().slice(0, 10)]
  return start ? `(${query.text.replace(/[()[\]]/g, ' ')}) AND FIRST_PDATE:[${start} TO ${today}]` : query.text
}

/** `King ML Jr` → `ML King Jr`, as everyone else writes names; what has no initials, or is no person, is left as it is. */
const givenFirst = (name: string): string => name.replace(/^([^\s\d]\D{0,200}) (\p{Lu}{1,4})( Jr| Sr|)$/u, '$2 $1$3')

const pageOf = (source: unknown, id: unknown): string => {
  const parts = [asString(source), asString(id)]
  return parts.every((part) => /^[A-Za-z0-9.-]{1,40}$/.test(part))
    ? `https://europepmc.org/article/${parts.join('/')}`
    : ''
}

export const europepmc = defineEngine({
  slug: 'europepmc',
  name: 'Europe PMC',
  homepage: 'https://europepmc.org',
  settings: { baseUrl: setting('EUROPEPMC_URL', 'https://www.ebi.ac.uk') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Records from Europe PMC',
    asOf: '2026-11-15',
    unverified: 'never tried; the rate limit is our guess',
    rateLimit: { calls: 5, perSeconds: 1 },
  },
  tabs: {
    science: {
      lastPage: 10,
      honours: ['safe', 'date'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      request: (query) =>
        getJson('/europepmc/webservices/rest/search', {
          query: expressionOf(query),
          format: 'json',
          resultType: 'core',
          pageSize: upToPage(query.page),
          cursorMark: '*',
        }),
      parse: parseResults(
        { results: ({ resultList: list }) => asObject(list)['result'], hasAllPages: true },
        (paper) => {
          const { source, id, title, journalInfo, abstractText, firstPublicationDate, isOpenAccess } = paper
          const page = pageOf(source, id)
          const doi = asString(paper['doi'])
          const authors = asString(paper['authorString']).replace(/\.$/, '')
          return paperHit({
            doi,
            url: page,
            title,
            authors: authors.split(', ').map(givenFirst),
            journal: asObject(asObject(journalInfo)['journal'])['title'],
            abstract: abstractText,
            published: firstPublicationDate,
            publishedAt: parseTimestamp(firstPublicationDate),
            isOpenAccess: isOpenAccess === 'Y',
            links: doi === '' ? {} : { 'Europe PMC': page },
          })
        },
      ),
    },
  },
})
