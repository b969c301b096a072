// Crossref: publishers' records of some 170 million papers, books and preprints, in any language. JSON over HTTP, no
// key. It can't filter by language, so the host checks titles and abstracts; only some records have an abstract. Its
// members are publishers, so it is inherently safe. The host's User-Agent identifies us, as Crossref asks.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { rangeStartDay } from '../parsing/dates.ts'
import { asArray, asObject, asString, resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { offsetOf, parseResults } from '../parsing/read-hits.ts'
import { paperHit } from '../parsing/read-paper.ts'
import { setting } from '../setting.ts'

/** Figures and supplements of a paper have their own DOIs. */
const isPart = (item: unknown): boolean => asObject(item)['type'] === 'component'

/** `{"date-parts":[[2026,11,1]]}`, where the month and the day may be missing. */
const datePartsIn = (value: unknown): readonly unknown[] => asArray(asArray(asObject(value)['date-parts'])[0])

function parseDateParts(value: unknown): number | undefined {
  const [year, month = 1, day = 1] = datePartsIn(value).map(Number)
  const time = Date.UTC(year ?? Number.NaN, month - 1, day)
  return time > 0 ? time : undefined
}

const nameOf = (author: unknown): string => {
  const { given, family, name } = asObject(author)
  return [asString(given), asString(family)].filter(Boolean).join(' ') || asString(name)
}

export const crossref = defineEngine({
  slug: 'crossref',
  name: 'Crossref',
  homepage: 'https://www.crossref.org',
  settings: { baseUrl: setting('CROSSREF_URL', 'https://api.crossref.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'never tried; compared with replies that others recorded in June 2026',
    // Its headers say 10 a second and 3 at a time. A call counts until a second after its answer, so this keeps both.
    rateLimit: { calls: 3, perSeconds: 1 },
  },
  tabs: {
    science: {
      lastPage: 50,
      honours: ['safe', 'date'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      request: (query) =>
        getJson('/works', {
          query: query.text,
          rows: PAGE_SIZE,
          offset: offsetOf(query),
          filter: query.date && `from-pub-date:${rangeStartDay(query)}`,
          select: 'DOI,title,abstract,published,container-title,author,type',
        }),
      parse: parseResults(
        { results: ({ message }) => resultList(asObject(message)['items']).filter((item) => !isPart(item)) },
        ({ DOI: doi, title, author, 'container-title': journal, abstract, published }) =>
          paperHit({
            doi,
            title: asArray(title)[0],
            authors: asArray(author).map(nameOf),
            journal: asArray(journal)[0],
            abstract,
            published: datePartsIn(published)[0],
            publishedAt: parseDateParts(published),
          }),
      ),
    },
  },
})
