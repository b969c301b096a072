// GET /api/v1/videos/.

import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import type { Search } from '../../search/search.ts'
import { clockDuration, relativeAge } from '../../text/durations.ts'
import { datedSearchParams, searchEndpoint } from './search-endpoint.ts'

const VideoResult = z.object({
  title: z.string(),
  url: z.string(),
  age: z.string(),
  source: z.string().describe('The channel or platform that published it.'),
  duration: z.string().describe('Such as 4:13 or 1:02:03; empty if unknown.'),
  hostname: z.string(),
  thumbnail: z.string(),
})

export const videosEndpoint = (search: Search) =>
  searchEndpoint({
    search,
    tab: 'videos',
    kind: 'video',
    name: 'video_search',
    summary: 'Video search',
    params: datedSearchParams(search.slotNames),
    result: VideoResult,
    present: ({ hit }, { now, lang }) => ({
      title: hit.title,
      url: hit.url,
      age: relativeAge(hit.publishedAt, now, lang),
      source: hit.publisher,
      duration: clockDuration(hit.durationSeconds),
      hostname: hostOf(hit.url),
      thumbnail: hit.thumbnailUrl,
    }),
  })
