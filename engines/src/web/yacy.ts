// YaCy: a peer-to-peer index, through the operator's own peer. JSON over HTTP, no key. No safe filter and no dates, so
// it is only queried with `safe=off` and without a time range. By default only the peer's own index is searched:
// waiting for other peers takes seconds. The list of results may end with an empty object, and strings may contain raw
// control characters, which is invalid JSON.

import { defineEngine, type EngineQuery, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { hitsOf, jsonReply, list, record, resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { imageHit, webHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const requestFor = (contentdom: 'text' | 'image', query: EngineQuery, resource: string) => {
  const { base } = languageTag(query.lang)
  return getJson('/yacysearch.json', {
    query: query.text,
    startRecord: (query.page - 1) * PAGE_SIZE,
    maximumRecords: PAGE_SIZE,
    contentdom,
    resource: resource === 'global' ? 'global' : 'local',
    lr: base === '' ? undefined : `lang_${base}`,
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

const itemsOf = (reply: ProviderReply, now: number): readonly unknown[] => {
  const [channel] = list(jsonReply({ ...reply, body: withoutControls(reply.body) }, { now })['channels'])
  if (channel === undefined) throw new UpstreamError('malformed', 'The provider answered with no search page.')
  return resultList(record(channel)['items']).filter(
    (item) => typeof item !== 'object' || item === null || Object.keys(item).length > 0,
  )
}

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
      parse: (reply, query) => ({
        correction: '',
        hits: hitsOf(itemsOf(reply, query.now), (item) =>
          webHit({ url: item['link'], title: item['title'], description: item['description'] }),
        ),
      }),
    },
    images: {
      lastPage: 50,
      honours: ['lang'],
      request: (query, { resource }) => requestFor('image', query, resource),
      parse: (reply, query) => ({
        correction: '',
        hits: hitsOf(itemsOf(reply, query.now), (item) =>
          imageHit({ url: item['link'], title: item['title'], thumbnails: [item['image']] }),
        ),
      }),
    },
  },
})
