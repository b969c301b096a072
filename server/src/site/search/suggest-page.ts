// GET /suggest: completes a query while it is typed, for the search field's script and for browsers. The format is
// OpenSearch's: `["begun", ["begun one", "begun two"]]`, plus relevance scores, without which Chromium shows only
// three. A request doesn't count as a search, and a failing provider gives an empty list, not an error. Address bars
// send no cookies, but a token (`t`).
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { isTooLong } from '../../search/read-filters.ts'
import { definePage } from '../http/page.ts'
import { isSuggestionToken } from '../suggestion-token.ts'
import { areSuggestionsOn, FEWEST_CHARACTERS } from '../suggestions.ts'

/** Ranks ours above Chromium's own guesses, best first. */
const relevance = (_text: string, index: number): number => 1_300 - index

const TYPE = 'application/x-suggestions+json; charset=utf-8'

export const suggestPage = definePage({
  method: 'GET',
  path: '/suggest',
  access: 'anyone',
  quota: 'suggestion',
  isData: true,
  query: z.object({ q: z.string().catch(''), t: z.string().catch('') }),
  async handle(context) {
    const { query, preferences, services, viewer } = context
    const hasToken = query.t !== '' && (await isSuggestionToken(services, query.t))
    if (viewer?.mustEnrol) throw new Refusal(403, 'Set up a second factor first.')
    if (!viewer && !services.isPublic && !hasToken) throw new Refusal(401, 'Sign in first.')
    const text = query.q.trim()
    const answer = (suggestions: readonly string[]) => ({
      contentType: TYPE,
      content: JSON.stringify([text, suggestions, [], [], { 'google:suggestrelevance': suggestions.map(relevance) }]),
      headers: { 'Cache-Control': 'private, max-age=300' },
    })
    // If they are off, requests that come anyway, such as from a browser that added this site, get an empty list, and
    // no provider is called.
    const isOn = hasToken ? services.suggestionsFor !== 'off' : areSuggestionsOn(context)
    if (!isOn) return { ...answer([]), headers: { 'Cache-Control': 'no-store' } }
    if (text.length < FEWEST_CHARACTERS || isTooLong(text)) return answer([])
    try {
      const { suggestions } = await services.suggest.suggest({ text, lang: preferences.lang })
      return answer(suggestions)
    } catch (error) {
      // No provider is set up, or none answered; the reader can go on typing.
      if (error instanceof Refusal) return { ...answer([]), headers: { 'Cache-Control': 'no-store' } }
      throw error
    }
  },
})
