// Openverse: openly licensed pictures from many collections. JSON over HTTP, no key. No date filter. Pictures have no
// language, so every language is inherently honoured. It goes 240 results deep and replies 401 beyond that. Anonymous
// callers get few calls: throttling is normal here, so replies are cached for a day.

import { defineEngine, type EngineQuery, PAGE_SIZE } from '../engine.ts'
import { IMAGE_FILTERS } from '../image-filters.ts'
import { jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { codedLicence } from '../parsing/licence.ts'
import { imageHit, parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { errorWithWait, secondsToWait } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'

const MAX_RESULTS = 240

const LICENCES = {
  public: { license: 'cc0,pdm' },
  commercial: { license_type: 'commercial' },
  modify: { license_type: 'modification' },
} as const

const KINDS = { photo: 'photograph', drawing: 'illustration' } as const

const filtersOf = ({ size, shape, kind, licence }: NonNullable<EngineQuery['image']> = {}) => ({
  size,
  aspect_ratio: shape,
  category: kind && KINDS[kind],
  // Everything here may be shared.
  ...(licence && licence !== 'share' && LICENCES[licence]),
})

/** The wording of Django REST framework, which Openverse is built with. */
const WAIT = /available in (\d+) second/

const openverseReply: ReadReply = (reply, query) => {
  const wait = reply.status === 429 ? WAIT.exec(reply.body)?.[1] : undefined
  if (wait === undefined) return jsonReply(reply, query)
  const seconds = secondsToWait(reply, query.now, Number(wait))
  throw errorWithWait('throttled', 'The limit for callers without an account is reached.', seconds)
}

export const openverse = defineEngine({
  slug: 'openverse',
  name: 'Openverse',
  homepage: 'https://openverse.org',
  settings: { baseUrl: setting('OPENVERSE_URL', 'https://api.openverse.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Openly licensed images from Openverse; credit the creator named on each page',
    asOf: '2026-11-15',
    // Its source code allows 5 an hour and 100 a day; its servers reportedly allow 1 a second. If that is too much, it
    // replies 429.
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  maxQueryLength: { characters: 200, words: 100 },
  tabs: {
    images: {
      lastPage: MAX_RESULTS / PAGE_SIZE,
      byNature: ['lang'],
      honours: ['safe', 'lang'],
      knowsSizes: true,
      knowsLicences: true,
      imageFilters: {
        size: IMAGE_FILTERS.size,
        shape: IMAGE_FILTERS.shape,
        kind: IMAGE_FILTERS.kind,
        licence: ['public', 'commercial', 'modify'],
      },
      request: (query) =>
        getJson('/v1/images/', {
          q: query.text,
          page: query.page,
          page_size: PAGE_SIZE,
          mature: query.safe ? 'false' : 'true',
          ...filtersOf(query.image),
        }),
      parse: parseResults(
        { results: 'results', readReply: openverseReply },
        ({ foreign_landing_url: page, title, thumbnail, url, creator, ...rest }) =>
          imageHit({
            url: page,
            title,
            thumbnails: [thumbnail],
            picture: url,
            size: [rest['width'], rest['height']],
            creator,
            licence: codedLicence(rest['license'], rest['license_version'], rest['license_url']),
          }),
      ),
    },
  },
})
