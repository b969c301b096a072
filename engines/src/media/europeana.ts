// Europeana: pictures from Europe's museums, libraries and archives. JSON over HTTP, with a free key, which the reply
// echoes. Works of art are not always safe and there is no filter, so it is only queried with `safe=off`. Pictures have
// no language. Only freely usable pictures are requested.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { asArray } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { licenceAt } from '../parsing/licence.ts'
import { imageHit, offsetOf, parseResults } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

export const europeana = defineEngine({
  slug: 'europeana',
  name: 'Europeana',
  homepage: 'https://www.europeana.eu',
  settings: { apiKey: secret('EUROPEANA_API_KEY'), baseUrl: setting('EUROPEANA_URL', 'https://api.europeana.eu') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Images from Europeana, each under the licence named on its page',
    asOf: '2026-11-15',
    unverified: 'the key in a header',
  },
  tabs: {
    images: {
      lastPage: 50,
      honours: ['lang'],
      byNature: ['lang'],
      knowsLicences: true,
      request: (query, { apiKey }) =>
        getJson(
          '/record/v2/search.json',
          {
            query: query.text,
            qf: 'TYPE:IMAGE',
            rows: PAGE_SIZE,
            start: offsetOf(query) + 1,
            thumbnail: 'true',
            media: 'true',
            reusability: 'open',
            profile: 'minimal',
          },
          { 'x-api-key': apiKey },
        ),
      parse: parseResults(
        {
          results: ({ success, items }) => {
            if (success === false) throw new UpstreamError('rejected', 'The provider refused the request.')
            return items
          },
        },
        ({ guid, title, edmPreview, rights }) =>
          imageHit({
            url: guid,
            title: asArray(title)[0],
            thumbnails: asArray(edmPreview),
            licence: licenceAt(asArray(rights)[0]),
          }),
      ),
    },
  },
})
