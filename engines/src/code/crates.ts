// crates.io: Rust packages by name, description and keywords, from the Rust Foundation. JSON over HTTP, no key, one
// call a second; the host's User-Agent identifies us, as crates.io asks. It can't filter by date or language: the host
// does both, by the last release and the description. Packages count as safe, as with npm.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { asString } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { parseResults, sitelinksOf, webHit } from '../parsing/read-hits.ts'
import { softwareOf } from '../parsing/software.ts'
import { setting } from '../setting.ts'

const addressOf = (name: string): string => (/^[\w-]{1,64}$/.test(name) ? `https://crates.io/crates/${name}` : '')

export const crates = defineEngine({
  slug: 'crates',
  name: 'crates.io',
  homepage: 'https://crates.io',
  settings: { baseUrl: setting('CRATES_URL', 'https://crates.io') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'read in another project’s source, never tried',
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  tabs: {
    code: {
      lastPage: 20,
      honours: ['safe'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      knowsDates: true,
      request: (query) =>
        getJson('/api/v1/crates', {
          q: query.text,
          page: query.page,
          per_page: PAGE_SIZE,
          sort: query.date && 'recent-updates',
        }),
      parse: parseResults(
        'crates',
        ({ name, description, updated_at: updatedAt, documentation, repository, homepage, ...about }) =>
          webHit({
            url: addressOf(asString(name)),
            title: name,
            description,
            publishedAt: parseTimestamp(updatedAt),
            sitelinks: sitelinksOf({ Documentation: documentation, Repository: repository, Homepage: homepage }),
            software: softwareOf({ version: about['max_stable_version'], downloads: about['downloads'] }),
          }),
      ),
    },
  },
})
