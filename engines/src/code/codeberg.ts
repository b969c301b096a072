// Codeberg: repositories of a forge run by a non-profit. JSON over HTTP, no key; set its URL to use any other Forgejo
// or Gitea. It can't filter by date or language: the host does both, by the last change and the description. There is
// no safe filter: repositories that their author tagged as adult are filtered out here.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { dropAdultResults, parseResults, sitelinksOf, webHit } from '../parsing/read-hits.ts'
import { softwareOf } from '../parsing/software.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

export const codeberg = defineEngine({
  slug: 'codeberg',
  name: 'Codeberg',
  homepage: 'https://codeberg.org',
  settings: { baseUrl: setting('CODEBERG_URL', 'https://codeberg.org') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'read in another project’s source, never tried; the rate limit is our guess',
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  tabs: {
    code: {
      lastPage: 50,
      honours: ['safe'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      knowsDates: true,
      request: (query) =>
        getJson('/api/v1/repos/search', {
          q: query.text,
          page: query.page,
          limit: PAGE_SIZE,
          includeDesc: 'true',
          sort: query.date && 'updated',
          order: query.date && 'desc',
        }),
      parse: parseResults(
        {
          results: ({ ok, data }, query) => {
            if (ok === false) throw new UpstreamError('rejected', 'The provider refused the request.')
            return dropAdultResults(query, resultList(data), 'topics')
          },
        },
        ({ html_url: url, full_name: title, description, updated_at: updatedAt, website, stars_count: stars }) =>
          webHit({
            url,
            title,
            description,
            publishedAt: parseTimestamp(updatedAt),
            sitelinks: sitelinksOf({ Homepage: website }),
            software: softwareOf({ stars }),
          }),
      ),
    },
  },
})
