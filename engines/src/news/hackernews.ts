// Hacker News: what programmers and founders read and discuss, through Algolia's index. JSON over HTTP, no key.
// Technology stories only, in English, chosen by readers and moderated: there is no filter for `safe` or `lang` because
// the index is inherently clean and English. A story without a URL is a discussion and links to itself. The date is the
// day on which a page was posted; a page that was old by then has its year in the title, and so doesn't count as new.

import { defineEngine, type EngineQuery, type EngineTab, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStart, rangeStartSeconds } from '../parsing/dates.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { asObject, asString, type JsonObject, resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { newsHit, parseResults, sitelinksOf, webHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const discussionAddress = (id: string): string =>
  /^\d{1,12}$/.test(id) ? `https://news.ycombinator.com/item?id=${id}` : ''

/** The year in `How tide clocks work (2014) [pdf]`, with which readers mark an older page. */
const markedYear = (story: JsonObject): number =>
  Number(/\((\d{4})\)(?: \[\w{1,10}\])?$/.exec(asString(story['title']))?.[1] ?? Number.POSITIVE_INFINITY)

const storiesInRange = (stories: unknown, query: EngineQuery): readonly unknown[] => {
  const firstYear = rangeStart(query)?.getUTCFullYear() ?? 0
  return resultList(stories).filter((story) => markedYear(asObject(story)) >= firstYear)
}

const publishedAt = (story: JsonObject): number | undefined => {
  const postedAt = parseTimestamp(story['created_at_i']) ?? parseTimestamp(story['created_at'])
  const isOlder = postedAt !== undefined && markedYear(story) < new Date(postedAt).getUTCFullYear()
  return isOlder ? undefined : postedAt
}

/** `discussion` is empty if the story is itself one. */
const readStory = (story: JsonObject) => {
  const discussion = discussionAddress(asString(story['objectID']))
  const page = httpAddress(story['url'])
  return {
    url: page || discussion,
    title: story['title'],
    description: story['story_text'],
    // There is no publisher: `author` is who posted the link.
    publishedAt: publishedAt(story),
    discussion: page && discussion,
  }
}

const LIST = { results: ({ hits }: JsonObject, query: EngineQuery) => storiesInRange(hits, query) }

const STORIES: Omit<EngineTab<never, unknown>, 'parse'> = {
  // The index goes 1,000 results deep, further than callers can page.
  lastPage: 50,
  byNature: ['safe', 'lang'],
  honours: ['safe', 'date', 'lang'],
  languages: ['en'],
  request: (query) =>
    getJson('/api/v1/search', {
      query: query.text,
      tags: 'story',
      numericFilters: query.date && `created_at_i>${rangeStartSeconds(query)}`,
      page: query.page - 1,
      hitsPerPage: PAGE_SIZE,
    }),
}

export const hackernews = defineEngine({
  slug: 'hackernews',
  name: 'Hacker News',
  homepage: 'https://hn.algolia.com',
  settings: { baseUrl: setting('HACKERNEWS_URL', 'https://hn.algolia.com') },
  terms: {
    cacheSeconds: 600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    rateLimit: { calls: 10_000, perSeconds: 3600 },
  },
  tabs: {
    web: {
      ...STORIES,
      parse: parseResults(LIST, (result) => {
        const { discussion, ...story } = readStory(result)
        return webHit({ ...story, sitelinks: sitelinksOf({ Discussion: discussion }) })
      }),
    },
    news: { ...STORIES, parse: parseResults(LIST, (result) => newsHit(readStory(result))) },
  },
})
