// Wikipedia: `GET /w/api.php`, keyless. `action=opensearch`: titles of articles with this prefix, as four parallel
// lists. `action=query`: articles, or with `list=search` a search. A client that does not identify itself gets a 403.
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
    'snippet',
    'searchinfo',
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
  if (action === 'query' && request.query.get('list') === 'search') return searchArticles(request, corpus)
  if (action === 'query') return queryArticles(request, corpus)
  return action === 'opensearch'
    ? openSearch(request, corpus)
    : mediaWikiError('badvalue', `Unrecognized value for parameter "action": ${action}.`)
}

/** `list=search` with `meta=siteinfo`. Every twelfth result is a redirect. */
function searchArticles({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('srsearch')?.trim() ?? ''
  if (text === '') return mediaWikiError('missingparam', 'The "srsearch" parameter must be set.')
  if (text.length > 300) return mediaWikiError('cirrussearch-query-too-long', 'Search request is longer than allowed.')
  if (query.get('formatversion') !== '2') return mediaWikiError('badvalue', 'Unrecognized "formatversion".')
  const count = readInteger(query, 'srlimit', { from: 1, to: 500, fallback: 10 })
  if (count === undefined) return mediaWikiError('badinteger', 'Invalid value for integer parameter "srlimit".')
  const start = readInteger(query, 'sroffset', { from: 0, to: 9_999, fallback: 0 })
  if (start === undefined) return mediaWikiError('badinteger', 'Invalid value for integer parameter "sroffset".')
  const { total, hits } = corpus.search({ engine: 'wikipedia', text, start, count, now, hidesAdult: true })
  const search = hits.map((hit) => ({
    ns: 0,
    title: `${hit.title} (${hit.siteName})`.replace(/[[\]{}|#<>]/g, ' '),
    pageid: 1_000 + hit.mark,
    snippet:
      hit.mark % 12 === 7
        ? '#REDIRECT [[Elsewhere]]'
        : `<span class="searchmatch">${hit.siteName}</span> ${hit.sentences[0]}`,
  }))
  const general = { server: 'https://en.wikipedia.example', articlepath: '/wiki/$1', sitename: 'Wikipedia' }
  const next = start + hits.length
  return {
    status: 200,
    json: {
      batchcomplete: true,
      ...(next < total && { continue: { sroffset: next, continue: '-||' } }),
      query: { ...(query.get('meta') === 'siteinfo' && { general }), searchinfo: {}, search },
    },
  }
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
