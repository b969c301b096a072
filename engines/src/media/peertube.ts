// PeerTube: the videos of one server of the operator's choice, such as a university's. JSON over HTTP, no key.
// `sepiasearch.ts` searches all servers.

import { defineEngine } from '../engine.ts'
import { peertubeVideos } from '../parsing/peertube-videos.ts'
import { setting } from '../setting.ts'

export const peertube = defineEngine({
  slug: 'peertube',
  name: 'PeerTube',
  homepage: 'https://joinpeertube.org',
  settings: { baseUrl: setting('PEERTUBE_URL') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    rateLimit: { calls: 50, perSeconds: 10 },
  },
  tabs: { videos: peertubeVideos('local') },
})
