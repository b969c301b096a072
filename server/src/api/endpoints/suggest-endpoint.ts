// GET /api/v1/suggest/: search-bar autocomplete. Counts as a search.
import { z } from 'zod'
import { GUARD_HEADER } from '../../search/query-guard.ts'
import type { Suggest } from '../../search/suggest.ts'
import { defineEndpoint } from '../endpoint.ts'
import { langParam, queryParam } from './search-params.ts'

export const suggestEndpoint = (suggest: Suggest) =>
  defineEndpoint({
    name: 'suggest',
    method: 'GET',
    path: '/api/v1/suggest/',
    summary: 'Suggestions',
    description: 'Query suggestions for a search bar.',
    params: z.object({ q: queryParam, lang: langParam }),
    reply: z.object({ query: z.string(), suggestions: z.array(z.string()) }).meta({ id: 'SuggestReply' }),
    counts: true,
    scope: 'search',
    headers: {
      ...GUARD_HEADER,
      'Search-Status':
        '`complete`: every provider answered. `partial`: some did not. `stale`: all suggestions are from an expired cache. `unsupported`: no provider supports this language.',
    },
    async handle({ params: { q, lang }, caller, setHeader }) {
      const { suggestions, status } = await suggest.suggest(caller, { text: q, lang })
      setHeader('Search-Status', status)
      return { query: q, suggestions }
    },
  })
