// Europe PMC: papers and preprints in medicine and the life sciences, including PubMed. JSON over HTTP, no key. It has
// cursors instead of pages, so later pages are cut from one longer list. It can't filter by language, so the host
// checks titles and abstracts. A library of papers counts as safe.

import { defineEngine, type EngineQuery } from '../engine.ts'
import { hitsOf, jsonReply, moment, record, resultList, word } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { paperHit } from '../parsing/paper-hit.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { cutPage, upToPage } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** Brackets in the query would close the ones we put around it. */
function expressionOf(query: EngineQuery): string {
  const start = rangeStart(query)
  if (!start) return query.text
  return `(${query.text.replace(/[()[\]]/g, ' ')}) AND FIRST_PDATE:[${dayOf(start)} TO ${dayOf(new Date(query.now))}]`
}

const pageOf = (source: unknown, id: unknown): string => {
  const parts = [word(source), word(id)]
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
      parse: (reply, query) => {
        const found = resultList(record(jsonReply(reply, query)['resultList'])['result'])
        const hits = hitsOf(found, (paper) => {
          const page = pageOf(paper['source'], paper['id'])
          const doi = word(paper['doi'])
          return paperHit({
            doi,
            url: page,
            title: paper['title'],
            authors: [word(paper['authorString']).replace(/\.$/, '')],
            journal: record(record(paper['journalInfo'])['journal'])['title'],
            abstract: paper['abstractText'],
            publishedAt: moment(paper['firstPublicationDate']),
            links: doi === '' ? {} : { 'Europe PMC': page },
          })
        })
        return { correction: '', hits: cutPage(hits, query.page) }
      },
    },
  },
})
