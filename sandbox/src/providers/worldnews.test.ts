import { describe, expect, it } from 'vitest'
import { askProvider, TEST_NOW } from './provider-testing.ts'
import { worldnews } from './worldnews.ts'

interface Reply {
  available: number
  news: { title: string; publish_date: string }[]
}

const ask = (query: Record<string, string>, headers: Record<string, string> = { 'x-api-key': worldnews.key }) =>
  askProvider<Reply>(worldnews, { path: '/search-news', query: { text: 'tea', ...query }, headers })

describe('World News in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { json } = ask({ number: '100', language: 'de' })
    expect(json).toMatchObject({ offset: 0, number: json.news.length, available: json.news.length })
    for (const story of json.news) {
      expect(story).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        text: expect.any(String),
        publish_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        authors: [expect.any(String)],
        language: 'de',
      })
    }
    expect(JSON.stringify(json)).not.toContain('adults only')
  })

  it('starts at the given result and runs out', () => {
    expect(ask({ offset: '10' }).json.news).not.toEqual(ask({}).json.news)
    expect(ask({ offset: '10000' }).json.news).toEqual([])
  })

  it('honours the dates, and sorts by them', () => {
    const { news } = ask({ 'earliest-publish-date': '2026-11-07 12:00:00', sort: 'publish-time', number: '50' }).json
    expect(news.length).toBeGreaterThan(5)
    const times = news.map((story) => Date.parse(`${story.publish_date.replace(' ', 'T')}Z`))
    expect(Math.min(...times)).toBeGreaterThanOrEqual(TEST_NOW - 7 * 86_400_000)
    expect(times).toEqual(times.toSorted((left, right) => right - left))
  })

  it('takes the key from the query string too; 401 without one, before anything else is checked', () => {
    expect(ask({ 'api-key': worldnews.key }, {}).status).toBe(200)
    expect(ask({ text: '' }, {})).toMatchObject({ status: 401, json: { status: 'failure', code: 401 } })
    expect(ask({}, { 'x-api-key': 'wrong' }).status).toBe(401)
  })

  it.each([
    { text: 'ab' },
    { text: 'x'.repeat(101) },
    { number: '101' },
    { offset: '10001' },
    { language: 'en-US' },
    { 'earliest-publish-date': 'yesterday' },
    { sort: 'newest' },
  ] as Record<string, string>[])('400: %o', (query) => {
    expect(ask(query).status).toBe(400)
  })
})
