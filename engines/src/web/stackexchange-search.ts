// Stack Exchange: questions and answers on Stack Overflow and its Spanish, Portuguese, Russian and Japanese siblings.
// API 2.3, JSON over HTTP. Curated, so inherently safe. An IP address may make 300 calls a day without a key; settings
// and rate limit are shared with the data source of the same name. The key is only accepted in the URL. Throttling is
// status 400 with an error number in the body.

import { defineEngine, type EngineTab, PAGE_SIZE, type WebHit } from '../engine.ts'
import { parseTimestamp, rangeStartSeconds } from '../parsing/dates.ts'
import type { JsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { parseResults, webHit } from '../parsing/read-hits.ts'
import { softwareOf } from '../parsing/software.ts'
import { secret, setting } from '../setting.ts'
import { stackReply } from '../sources/stackexchange.ts'

/** Stack Overflow in another language is a separate site. */
const siteFor = (lang: string): string => {
  const { base } = languageTag(lang)
  return ['es', 'pt', 'ru', 'ja'].includes(base) ? `${base}.stackoverflow` : 'stackoverflow'
}

const addressOf = (item: JsonObject, site: string): string => {
  const { question_id: question, answer_id: answer, item_type: type } = item
  const [kind, id] = type === 'answer' ? ['a', answer] : ['q', question]
  return Number.isSafeInteger(id) && Number(id) > 0 ? `https://${site}.com/${kind}/${Number(id)}` : ''
}

const questions: EngineTab<WebHit, { apiKey: string }> = {
  lastPage: 25,
  honours: ['safe', 'date', 'lang'],
  byNature: ['safe'],
  languages: ['es', 'pt', 'ru', 'ja', 'en'],
  request: (query, { apiKey }) =>
    getJson('/2.3/search/excerpts', {
      q: query.text,
      site: siteFor(query.lang),
      page: query.page,
      pagesize: PAGE_SIZE,
      sort: 'relevance',
      order: 'desc',
      fromdate: rangeStartSeconds(query),
      key: apiKey || undefined,
    }),
  parse: parseResults({ results: 'items', readReply: stackReply }, (item, { lang }) =>
    webHit({
      url: addressOf(item, siteFor(lang)),
      title: item['title'],
      description: item['excerpt'],
      publishedAt: parseTimestamp(item['creation_date']),
      software: softwareOf({ votes: item['score'], isAnswered: item['is_answered'] }),
    }),
  ),
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
