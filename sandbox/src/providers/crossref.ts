// Crossref: `GET /works`, keyless. Abstracts are JATS, and every sixth record has none. A third of the dates are years.
import { escapeHtml } from './escape-html.ts'
import { defineJsonProvider, matching, ok, optional, text, timeOf, whole, wordOf } from './json-provider.ts'
import { authorsOf, doiOf, journalOf } from './papers.ts'

const FROM = 'from-pub-date:'

/** Year, month and day; a third of the records know only the year. */
const dateParts = (time: number, mark: number): number[] => {
  const day = new Date(time)
  const parts = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()]
  return mark % 3 === 0 ? parts.slice(0, 1) : parts
}

export const crossref = defineJsonProvider({
  slug: 'crossref',
  key: '',
  admits: () => true,
  optionalMembers: 'title abstract published container-title author',
  refusal: (_status, message) => ({ status: 'failed', 'message-type': 'validation-failure', message: [{ message }] }),
  endpoints: [
    {
      at: 'GET /works',
      rules: {
        query: text(),
        rows: optional(whole(0, 1_000)),
        offset: optional(whole(0, 10_000)),
        filter: optional(matching(/^from-pub-date:\d{4}-\d{2}-\d{2}$/)),
        select: optional(matching(/^[A-Za-z,-]+$/)),
      },
      answer(given, { now, corpus }) {
        const [count, start] = [Number(given['rows'] ?? 20), Number(given['offset'] ?? 0)]
        const after = timeOf(wordOf(given['filter']).replace(FROM, ''))
        const { total, hits } = corpus.search({
          engine: 'crossref',
          text: String(given['query']),
          start,
          count,
          now,
          hidesAdult: true,
          after,
        })
        const items = hits.map((hit) => ({
          DOI: doiOf(hit),
          title: [escapeHtml(hit.title)],
          ...(hit.mark % 6 !== 0 && { abstract: `<jats:p>${escapeHtml(hit.sentences.join(' '))}</jats:p>` }),
          ...(hit.publishedAt !== undefined && {
            published: { 'date-parts': [dateParts(hit.publishedAt, after === undefined ? hit.mark : 1)] },
          }),
          'container-title': [journalOf(hit)],
          author: authorsOf(hit),
          type: 'journal-article',
        }))
        const message = { 'total-results': total, items, 'items-per-page': count }
        return ok({ status: 'ok', 'message-type': 'work-list', 'message-version': '1.0.0', message })
      },
    },
  ],
})
