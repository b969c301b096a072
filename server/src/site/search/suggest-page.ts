// GET /suggest: how a query that has been begun may go on, for the script of the search field. As browsers know it from
// OpenSearch: `["begun", ["begun one", "begun two"]]`. It counts nothing, and has nothing to say rather than an error.
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { isTooLong } from '../../search/read-filters.ts'
import { definePage } from '../http/page.ts'

const TYPE = 'application/x-suggestions+json; charset=utf-8'

export const suggestPage = definePage({
  method: 'GET',
  path: '/suggest',
  access: 'searcher',
  spends: 'suggestion',
  isData: true,
  query: z.object({ q: z.string().catch('') }),
  async handle({ query, preferences, services }) {
    const text = query.q.trim()
    const answer = (suggestions: readonly string[]) => ({
      contentType: TYPE,
      content: JSON.stringify([text, suggestions]),
      headers: { 'Cache-Control': 'private, max-age=300' },
    })
    if (text === '' || isTooLong(text)) return answer([])
    try {
      const { suggestions } = await services.suggest.suggest({ text, lang: preferences.lang })
      return answer(suggestions)
    } catch (error) {
      // Nobody is set up, or nobody answered: typing goes on all the same.
      if (error instanceof Refusal) return { ...answer([]), headers: { 'Cache-Control': 'no-store' } }
      throw error
    }
  },
})
