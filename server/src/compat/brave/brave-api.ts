// The Brave-compatible API: the searches of Brave's Search API under `/brave/res/v1`, as its clients send them.
import { z } from 'zod'
import type { SearchRequest } from '../../search/plan.ts'
import { language, MAX_BODY_BYTES, queryText, readQueryAs, resultCount } from '../compat-params.ts'
import { type CompatAnswer, searchFor, withNote } from '../compat-search.ts'
import { type CompatFrame, ENDPOINT_OF_TAB, mountCompatRoute, mountNotFound } from '../mount-compat-route.ts'
import { mountLlmContext } from './brave-llm-context.ts'
import { BRAVE_FORMAT, type BraveTab, schemaFor, toRequest } from './brave-params.ts'
import { imagesReply, newsReply, videosReply, webReply } from './brave-replies.ts'

export function mountBrave(frame: CompatFrame): void {
  mountSearch(frame, 'web', webReply)
  mountSearch(frame, 'news', newsReply)
  mountSearch(frame, 'images', imagesReply)
  mountSearch(frame, 'videos', videosReply)
  mountSuggest(frame)
  mountLlmContext(frame)
  mountNotFound(frame, { path: '/brave/*', describeError: BRAVE_FORMAT.describeError })
}

function mountSearch<Name extends BraveTab>(
  frame: CompatFrame,
  tab: Name,
  write: (found: CompatAnswer<Name>) => unknown,
): void {
  const schema = schemaFor(tab)
  mountCompatRoute<{ request: SearchRequest; note: string }>(frame, {
    path: `/brave/res/v1/${tab}/search`,
    methods: ['GET'],
    scope: 'search',
    countedAs: () => ENDPOINT_OF_TAB[tab],
    fields: { names: Object.keys(schema.shape), maxBytes: MAX_BODY_BYTES },
    read: (request) => {
      const read = readQueryAs(request, schema)
      return read.ok ? { ...read, params: { request: toRequest(read.params), note: read.params.country.note } } : read
    },
    handle: async (call) => write(withNote(await searchFor(call, tab, call.params.request), call.params.note)),
    ...BRAVE_FORMAT,
  })
}

const SuggestSchema = z.object({ q: queryText, count: resultCount(20, 5), lang: language() })

function mountSuggest(frame: CompatFrame): void {
  mountCompatRoute<z.output<typeof SuggestSchema>>(frame, {
    path: '/brave/res/v1/suggest/search',
    methods: ['GET'],
    scope: 'search',
    countedAs: () => 'suggest',
    fields: { names: Object.keys(SuggestSchema.shape), maxBytes: MAX_BODY_BYTES },
    read: (request) => readQueryAs(request, SuggestSchema),
    async handle({ params: { q: text, count, lang }, services, setHeader }) {
      const { suggestions, status } = await services.suggest.suggest({ text, lang })
      setHeader('Search-Status', status)
      const results = suggestions.slice(0, count).map((query) => ({ query, is_entity: false }))
      return { type: 'suggest', query: { original: text }, results }
    },
    ...BRAVE_FORMAT,
  })
}
