// Wikipedia: `GET /w/api.php`, keyless. `action=opensearch`: titles of articles that begin as typed, four lists side by
// side. `action=query`: articles. A client that does not say who it is gets a 403.
import type { Corpus } from '../corpus/corpus.ts'
import { capitalised } from '../corpus/phrasing.ts'
import { mediaWikiError, mediaWikiFailures, mediaWikiGate } from './mediawiki.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'
import { queryArticles } from './wikipedia-query.ts'

export const wikipedia = defineProvider({
  slug: 'wikipedia',
  key: '',
  readsHeaders: ['user-agent'],
  optionalMembers: [
    'extract',
    'thumbnail',
    'pageimage',
    'pageprops',
    'description',
    'descriptionsource',
    'coordinates',
  ],
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/w/api.php') return undefined
    return mediaWikiGate(request) ?? call(request, corpus)
  },
  ...mediaWikiFailures,
})

function call(request: ProviderRequest, corpus: Corpus): ProviderReply {
  const action = request.query.get('action') ?? ''
  if (action === 'query') return queryArticles(request, corpus)
  return action === 'opensearch'
    ? openSearch(request, corpus)
    : mediaWikiError('badvalue', `Unrecognized value for parameter "action": ${action}.`)
}

function openSearch({ query }: ProviderRequest, corpus: Corpus): ProviderReply {
  const search = query.get('search')?.trim() ?? ''
  if (search === '') return mediaWikiError('missingparam', 'The "search" parameter must be set.')
  const count = readInteger(query, 'limit', { from: 1, to: 500, fallback: 10 })
  if (count === undefined) return mediaWikiError('badinteger', 'Invalid value for integer parameter "limit".')
  const titles = corpus.suggest({ engine: 'wikipedia', text: search, count }).map(capitalised)
  return {
    status: 200,
    json: [search, titles, titles.map(() => ''), titles.map(articleAddress)],
  }
}

const articleAddress = (title: string): string =>
  `https://en.wikipedia.example/wiki/${encodeURIComponent(title.replaceAll(' ', '_').toWellFormed())}`
