// Europe PMC: `GET /europepmc/webservices/rest/search`, keyless. It has cursors and no pages; every fifth record has no DOI.
import { defineJsonProvider, ok, oneOf, optional, text, timeOf, whole } from './json-provider.ts'
import { authorsOf, doiOf, journalOf } from './papers.ts'

const DATED = /^\((.*)\) AND FIRST_PDATE:\[(\d{4}-\d{2}-\d{2}) TO \d{4}-\d{2}-\d{2}\]$/s

export const europepmc = defineJsonProvider({
  slug: 'europepmc',
  key: '',
  admits: () => true,
  optionalMembers: 'doi title authorString journalInfo abstractText firstPublicationDate nextCursorMark isOpenAccess',
  refusal: (status, message) => ({ errCode: status, errMsg: message }),
  endpoints: [
    {
      at: 'GET /europepmc/webservices/rest/search',
      rules: {
        query: text(),
        format: oneOf('json'),
        resultType: optional(oneOf('idlist', 'lite', 'core')),
        pageSize: optional(whole(1, 1_000)),
        cursorMark: optional(oneOf('*')),
      },
      answer(given, { now, corpus }) {
        const [, words, day] = DATED.exec(String(given['query'])) ?? []
        const { total, hits } = corpus.search({
          engine: 'europepmc',
          text: words ?? String(given['query']),
          start: 0,
          count: Number(given['pageSize'] ?? 25),
          now,
          hidesAdult: true,
          after: timeOf(day),
        })
        const result = hits.map((hit) => ({
          id: String(10_000_000 + (hit.mark % 30_000_000)),
          source: 'MED',
          ...(hit.mark % 5 !== 0 && { doi: doiOf(hit) }),
          title: hit.title,
          authorString: `${authorsOf(hit)
            .map(({ given: [initial = ''], family }) => `${family} ${initial}`)
            .join(', ')}.`,
          journalInfo: { journal: { title: journalOf(hit) } },
          abstractText: `<h4>Background</h4>${hit.sentences.join(' ')}`,
          ...(hit.publishedAt !== undefined && {
            firstPublicationDate: new Date(hit.publishedAt).toISOString().slice(0, 10),
          }),
          isOpenAccess: hit.mark % 2 === 0 ? 'Y' : 'N',
        }))
        return ok({ version: '6.9', hitCount: total, nextCursorMark: 'AoIIP4AAACg', resultList: { result } })
      },
    },
  ],
})
