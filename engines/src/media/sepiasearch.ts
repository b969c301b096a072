// Sepia Search: videos of the PeerTube federation, on hundreds of independent servers. JSON over HTTP, no key.
// `peertube.ts` searches one server.

import { defineEngine } from '../engine.ts'
import { peertubeVideos } from '../parsing/peertube-videos.ts'
import { setting } from '../setting.ts'

export const sepiasearch = defineEngine({
  slug: 'sepiasearch',
  name: 'Sepia Search',
  homepage: 'https://sepiasearch.org',
  settings: { baseUrl: setting('SEPIASEARCH_URL', 'https://sepiasearch.org') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    rateLimit: { calls: 50, perSeconds: 10 },
  },
  tabs: { videos: peertubeVideos() },
})
