// Wikipedia: titles of articles that begin with what was typed. JSON over HTTP, no key.
// Every language is a Wikipedia with an address of its own, and an engine has one address, so this is the English one
// and is not asked for another language. An operator whose users read another sets WIKIPEDIA_URL to that; it is then
// asked when the language is left open. Wikimedia wants to know who asks: the host's User-Agent says so.
import { setting } from '../config/setting.ts'
import { UpstreamError } from '../errors.ts'
import { defineEngine, PAGE_SIZE } from '../providers/engine.ts'
import { jsonIn, record, word } from '../providers/reading/json-reply.ts'
import { openSearchCompletions } from '../providers/reading/open-search-completions.ts'
import { queryString } from '../providers/reading/query-string.ts'

/** MediaWiki reports its errors with status 200. */
const refusalOf = (code: string): UpstreamError =>
  code === 'ratelimited' || code === 'maxlag'
    ? new UpstreamError('throttled', 'The provider asks us to slow down.')
    : new UpstreamError('rejected', 'The provider refused the request.')

export const wikipedia = defineEngine({
  slug: 'wikipedia',
  name: 'Wikipedia',
  homepage: 'https://www.wikipedia.org',
  settings: { baseUrl: setting('WIKIPEDIA_URL', 'https://en.wikipedia.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Titles from Wikipedia, CC BY-SA 4.0',
    pace: { calls: 200, perSeconds: 60 },
  },
  tabs: {},
  suggest: {
    languages: ['en'],
    request: ({ text }) => ({
      path: `/w/api.php${queryString({
        action: 'opensearch',
        format: 'json',
        formatversion: 2,
        search: text,
        namespace: 0,
        limit: PAGE_SIZE,
      })}`,
      headers: { accept: 'application/json' },
    }),
    parse: (reply) => {
      const code = reply.status === 200 ? word(record(jsonIn(reply.body)?.['error'])['code']) : ''
      if (code !== '') throw refusalOf(code)
      return openSearchCompletions(reply)
    },
  },
})
