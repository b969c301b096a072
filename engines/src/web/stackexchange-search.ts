// Stack Exchange: questions and answers on Stack Overflow and its Spanish, Portuguese, Russian and Japanese siblings.
// API 2.3, JSON over HTTP. Curated, so inherently safe. An IP address may make 300 calls a day without a key; settings
// and rate limit are shared with the data source of the same name. The key is only accepted in the URL. Throttling is
// status 400 with an error number in the body.

import { defineEngine, type EngineTab, PAGE_SIZE, type ProviderReply, type WebHit } from '../engine.ts'
import { hitsOf, jsonIn, jsonReply, moment, record, resultList, word } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { webHit } from '../parsing/read-hits.ts'
import { errorWithWait, waitOf } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const THROTTLE_VIOLATION = 502

/** Stack Overflow in another language is a separate site. */
const siteFor = (lang: string): string => {
  const { base } = languageTag(lang)
  return ['es', 'pt', 'ru', 'ja'].includes(base) ? `${base}.stackoverflow` : 'stackoverflow'
}

const stackReply = (reply: ProviderReply, now: number) => {
  const { error_id: id, error_message: message } = record(jsonIn(reply.body))
  if (reply.status === 400 && id === THROTTLE_VIOLATION) {
    const [, seconds = ''] = /\b(\d{1,7}) seconds/.exec(word(message)) ?? []
    const wait = waitOf(reply, now, Number.parseInt(seconds, 10))
    throw errorWithWait('throttled', 'The provider asks us to slow down.', wait)
  }
  if (reply.status === 400 && id !== undefined) {
    throw new UpstreamError('rejected', 'The provider refused the request (status 400).')
  }
  return jsonReply(reply, { now })
}

const addressOf = (item: Readonly<Record<string, unknown>>, site: string): string => {
  const { question_id: question, answer_id: answer, item_type: type } = item
  const [kind, id] = type === 'answer' ? ['a', answer] : ['q', question]
  return Number.isSafeInteger(id) && Number(id) > 0 ? `https://${site}.com/${kind}/${Number(id)}` : ''
}

const questions: EngineTab<WebHit, { apiKey: string }> = {
  lastPage: 25,
  honours: ['safe', 'date', 'lang'],
  byNature: ['safe'],
  languages: ['es', 'pt', 'ru', 'ja', 'en'],
  request: (query, { apiKey }) => {
    const start = rangeStart(query)
    return getJson('/2.3/search/excerpts', {
      q: query.text,
      site: siteFor(query.lang),
      page: query.page,
      pagesize: PAGE_SIZE,
      sort: 'relevance',
      order: 'desc',
      fromdate: start && Math.floor(start.getTime() / 1000),
      key: apiKey || undefined,
    })
  },
  parse: (reply, query) => ({
    correction: '',
    hits: hitsOf(resultList(stackReply(reply, query.now)['items']), (item) =>
      webHit({
        url: addressOf(item, siteFor(query.lang)),
        title: item['title'],
        description: item['excerpt'],
        publishedAt: moment(item['creation_date']),
      }),
    ),
  }),
}

export const stackexchange = defineEngine({
  slug: 'stackexchange',
  name: 'Stack Exchange',
  homepage: 'https://stackexchange.com',
  hasNoContract: true,
  settings: {
    baseUrl: setting('STACKEXCHANGE_URL', 'https://api.stackexchange.com'),
    apiKey: secret('STACKEXCHANGE_API_KEY', ''),
  },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Questions from Stack Exchange, CC BY-SA, each by the author named on its page',
    asOf: '2026-11-15',
    rateLimit: { calls: 300, perSeconds: 86_400 },
    restSeconds: 3600,
  },
  tabs: { web: questions, code: questions },
})
