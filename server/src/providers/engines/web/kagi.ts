// Kagi: a paid index made of its own and others', without advertising. JSON over HTTP, by POST.
// No language, so it is not asked when the caller wants one, and no spelling. Results are under a name that differs by
// tab, and the name is left out when there are none. Pictures have no second page. `filters.after` knows days only,
// so `d` may reach back to the beginning of yesterday.
import { secret, setting } from '../../../config/setting.ts'
import { UpstreamError } from '../../../errors.ts'
import { hostOf, httpAddress } from '../../../text/http-address.ts'
import { durationSeconds } from '../../reading/duration-seconds.ts'
import { defineEngine, type EngineReply, type EngineTab } from '../../engine.ts'
import { description, hitsOf, jsonIn, jsonReply, list, moment, record, title, word } from '../../reading/json-reply.ts'
import { pictureAddress } from '../../reading/picture-address.ts'
import { rangeStart } from '../../reading/range-start.ts'

type Fields = Readonly<Record<string, unknown>>

interface Workflow<Hit> {
  workflow: 'search' | 'images' | 'news' | 'videos'
  /** The name its results are under. */
  name: 'search' | 'image' | 'news' | 'video'
  lastPage: number
  read: (result: Fields, url: string) => Hit | undefined
}

/** Whether an error names the query as its place. That `location` holds such a name is [U]. */
const blamesQuery = ({ status, body }: EngineReply): boolean =>
  status === 400 && list(jsonIn(body)?.['error']).some((error) => word(record(error)['location']).endsWith('query'))

const tabFor = <Hit>({ workflow, name, lastPage, read }: Workflow<Hit>): EngineTab<Hit, { apiKey: string }> => ({
  lastPage,
  honours: ['safe', 'date'],
  request: (query, { apiKey }) => {
    const after = rangeStart(query)?.toISOString().slice(0, 10)
    return {
      method: 'POST',
      path: '/api/v1/search',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
      },
      // No `limit`: it would only cut off what is paid for.
      body: JSON.stringify({
        query: query.text.toWellFormed(),
        workflow,
        format: 'json',
        page: query.page,
        safe_search: query.safe,
        ...(after !== undefined && { filters: { after } }),
      }),
    }
  },
  parse: (reply, query) => {
    if (blamesQuery(reply)) {
      throw new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })
    }
    const { data } = jsonReply(reply, query)
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      throw new UpstreamError('malformed', 'The provider answered with no search page.')
    }
    return {
      correction: '',
      hits: hitsOf(record(data)[name], (result) => {
        const url = httpAddress(result['url'])
        return url === '' ? undefined : read(result, url)
      }),
    }
  },
})

/** Only pictures are known to have `thumbnail`; for videos it is [U]. */
const thumbnailOf = (result: Fields): string =>
  pictureAddress(record(record(result['props'])['thumbnail'])['url']) || pictureAddress(record(result['image'])['url'])

export const kagi = defineEngine({
  slug: 'kagi',
  name: 'Kagi',
  homepage: 'https://kagi.com',
  settings: { apiKey: secret('KAGI_API_KEY'), baseUrl: setting('KAGI_URL', 'https://kagi.com') },
  // What the terms say on keeping replies is not known [U]. The price is 12 US dollars for 1,000 calls.
  terms: { cacheSeconds: 300, cacheIn: 'memory', pricePerCallMicros: 12_000, attribution: '' },
  tabs: {
    web: tabFor({
      workflow: 'search',
      name: 'search',
      lastPage: 10,
      read: (result, url) => ({
        title: title(result['title']),
        url,
        description: description(result['snippet']),
        faviconUrl: '',
        publishedAt: moment(result['time']),
        sitelinks: [],
      }),
    }),
    images: tabFor({
      workflow: 'images',
      name: 'image',
      lastPage: 1,
      read: (result, url) => {
        const thumbnailUrl = thumbnailOf(result)
        return thumbnailUrl === '' ? undefined : { title: title(result['title']), url, thumbnailUrl }
      },
    }),
    news: tabFor({
      workflow: 'news',
      name: 'news',
      lastPage: 10,
      read: (result, url) => ({
        title: title(result['title']),
        url,
        description: description(result['snippet']),
        publishedAt: moment(result['time']),
        publisher: hostOf(url),
        thumbnailUrl: thumbnailOf(result),
      }),
    }),
    videos: tabFor({
      workflow: 'videos',
      name: 'video',
      lastPage: 10,
      read: (result, url) => ({
        title: title(result['title']),
        url,
        publishedAt: moment(result['time']),
        publisher: title(record(result['props'])['creator_name']),
        // Seconds or a clock: which of the two is [U].
        durationSeconds: durationSeconds(record(result['props'])['duration']),
        thumbnailUrl: thumbnailOf(result),
      }),
    }),
  },
})
