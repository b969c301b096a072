// Jina: web, news and images for programs. JSON over HTTP, with a key. No safe filter and no date filter, so it is only
// queried with `safe=off` and without a time range. No results is an error with status 422. News and images cost five
// times as much as web. Without `no-content` it would fetch every page first.

import { defineEngine, type EngineTab, type HitOf, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { marketOf } from '../parsing/home-market.ts'
import { hitsOf, jsonIn, jsonReply, record, resultList, word } from '../parsing/json-reply.ts'
import { bearer, getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { imageHit, newsHit, webHit } from '../parsing/read-hits.ts'
import { when } from '../parsing/when.ts'
import { secret, setting } from '../setting.ts'

type Fields = Readonly<Record<string, unknown>>
type Name = 'web' | 'images' | 'news'

const foundNothing = ({ status, body }: ProviderReply): boolean =>
  status === 422 && word(record(jsonIn(body))['message']).startsWith('No search results')

const tabFor = <Source extends Name>(
  type: Source,
  read: (result: Fields, now: number) => HitOf[Source] | undefined,
): EngineTab<HitOf[Source], { apiKey: string }> => ({
  lastPage: 10,
  honours: ['lang'],
  request: (query, { apiKey }) => {
    const { base } = languageTag(query.lang)
    return getJson(
      '/',
      {
        q: query.text,
        count: PAGE_SIZE,
        page: query.page,
        gl: marketOf(query.lang),
        hl: base || undefined,
        type,
        respondWith: 'no-content',
      },
      bearer(apiKey),
    )
  },
  parse: (reply, query) => {
    if (foundNothing(reply)) return { correction: '', hits: [] }
    const results = resultList(jsonReply(reply, query)['data'])
    return { correction: '', hits: hitsOf(results, (result) => read(result, query.now)) }
  },
})

export const jina = defineEngine({
  slug: 'jina',
  name: 'Jina',
  homepage: 'https://jina.ai',
  settings: { apiKey: secret('JINA_API_KEY'), baseUrl: setting('JINA_URL', 'https://s.jina.ai') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 500,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the price, terms on caching, and the form of dates in news',
  },
  tabs: {
    web: tabFor('web', (result, now) =>
      webHit({
        url: result['url'],
        title: result['title'],
        description: result['description'],
        publishedAt: when(result['date'], now),
      }),
    ),
    images: {
      ...tabFor('images', (result) =>
        imageHit({ url: result['url'], title: result['title'], thumbnails: [result['imageUrl']] }),
      ),
      priceFactor: 5,
    },
    news: {
      ...tabFor('news', (result, now) =>
        newsHit({
          url: result['url'],
          title: result['title'],
          description: result['description'],
          publishedAt: when(result['date'], now),
          publisher: result['source'],
        }),
      ),
      priceFactor: 5,
    },
  },
})
