// YaCy: a peer-to-peer index, through the operator's own peer. JSON over HTTP, no key. No safe filter and no dates, so
// it is only queried with `safe=off` and without a time range. By default only the peer's own index is searched:
// waiting for other peers takes seconds. The list of results may end with an empty object, and strings may contain raw
// control characters, which is invalid JSON.

import { defineEngine, type EngineQuery, PAGE_SIZE } from '../engine.ts'
import { asArray, asObject, type JsonObject, jsonReply, resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { imageHit, offsetOf, parseResults, type ReadReply, webHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const requestFor = (contentdom: 'text' | 'image', query: EngineQuery, resource: string) => {
  const language = baseLanguage(query.lang)
  return getJson('/yacysearch.json', {
    query: query.text,
    startRecord: offsetOf(query),
    maximumRecords: PAGE_SIZE,
    contentdom,
    resource: resource === 'global' ? 'global' : 'local',
    lr: language && `lang_${language}`,
    nav: 'none',
    verify: 'false',
  })
}

/** Replaces control characters with spaces. */
const withoutControls = (body: string): string => {
  let clean = ''
  for (const character of body) clean += character < ' ' ? ' ' : character
  return clean
}

const yacyReply: ReadReply = (reply, query) => jsonReply({ ...reply, body: withoutControls(reply.body) }, query)

const itemsIn = ({ channels }: JsonObject): readonly unknown[] =>
  resultList(asObject(asArray(channels)[0])['items']).filter(
    (item) => typeof item !== 'object' || item === null || Object.keys(item).length > 0,
  )

export const yacy = defineEngine({
  slug: 'yacy',
  name: 'YaCy',
  homepage: 'https://yacy.net',
  settings: { baseUrl: setting('YACY_URL'), resource: setting('YACY_RESOURCE', 'local') },
  terms: { cacheSeconds: 3600, cacheIn: 'shared', pricePerCallMicros: 0, attribution: '', asOf: '2026-11-15' },
  tabs: {
    web: {
      lastPage: 50,
      honours: ['lang'],
      request: (query, { resource }) => requestFor('text', query, resource),
      parse: parseResults({ results: itemsIn, readReply: yacyReply }, ({ link, title, description }) =>
        webHit({ url: link, title, description }),
      ),
    },
    images: {
      lastPage: 50,
      honours: ['lang'],
      request: (query, { resource }) => requestFor('image', query, resource),
      parse: parseResults({ results: itemsIn, readReply: yacyReply }, ({ link, title, image }) =>
        imageHit({ url: link, title, picture: image }),
      ),
    },
  },
})
