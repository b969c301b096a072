// npm: JavaScript packages by name, description and keywords. JSON over HTTP, no key. It can't filter by date or
// language: the host does both, by the last release and the description. Packages count as safe: they are programs, and
// all we show of them is text that npm moderates.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { asObject, asString } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { offsetOf, parseResults, sitelinksOf, webHit } from '../parsing/read-hits.ts'
import { softwareOf } from '../parsing/software.ts'
import { setting } from '../setting.ts'

const NAME = /^(?:@[\w~-][\w.~-]{0,99}\/)?[\w~-][\w.~-]{0,213}$/

const addressOf = (name: string): string => (NAME.test(name) ? `https://www.npmjs.com/package/${name}` : '')

export const npm = defineEngine({
  slug: 'npm',
  name: 'npm',
  homepage: 'https://www.npmjs.com',
  hasNoContract: true,
  settings: { baseUrl: setting('NPM_URL', 'https://registry.npmjs.org') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the rate limit, which is not published',
    rateLimit: { calls: 5, perSeconds: 1 },
  },
  tabs: {
    code: {
      lastPage: 50,
      honours: ['safe'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      knowsDates: true,
      request: (query) => getJson('/-/v1/search', { text: query.text, size: PAGE_SIZE, from: offsetOf(query) }),
      parse: parseResults('objects', (found) => {
        const { name, description, date, links, version } = asObject(found['package'])
        const { repository, homepage } = asObject(links)
        return webHit({
          url: addressOf(asString(name)),
          title: name,
          description,
          publishedAt: parseTimestamp(date),
          sitelinks: sitelinksOf({ Repository: repository, Homepage: homepage }),
          software: softwareOf({ version }),
        })
      }),
    },
  },
})
