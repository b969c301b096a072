// GET /api/v1/news/.

import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import type { Search } from '../../search/search.ts'
import { relativeAge } from '../../text/durations.ts'
import type { PageContents } from './page-contents.ts'
import { paramsWithContent, searchEndpoint } from './search-endpoint.ts'

const NewsResult = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string(),
  age: z.string(),
  source: z.string().describe('Name of the publisher.'),
  hostname: z.string(),
  thumbnail: z.string(),
})

export const newsEndpoint = (search: Search, contents: PageContents | undefined) =>
  searchEndpoint({
    search,
    tab: 'news',
    kind: 'news',
    name: 'news_search',
    summary: 'News search',
    params: paramsWithContent(search.slotNames, contents),
    contents,
    result: NewsResult,
    present: ({ hit }, { now, lang }) => ({
      title: hit.title,
      url: hit.url,
      description: hit.description,
      age: relativeAge(hit.publishedAt, now, lang),
      source: hit.publisher,
      hostname: hostOf(hit.url),
      thumbnail: hit.thumbnailUrl,
    }),
  })
