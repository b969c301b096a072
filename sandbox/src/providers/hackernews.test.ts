import { describe, expect, it } from 'vitest'
import { hackernews } from './hackernews.ts'
import { askProvider, TEST_NOW } from './provider-testing.ts'

interface Reply {
  nbPages: number
  hits: { title: string; url: string | null; story_text: string | null; created_at_i: number }[]
}

const ask = (query: Record<string, string>, path = '/api/v1/search') =>
  askProvider<Reply>(hackernews, { path, query: { query: 'tea', tags: 'story', ...query } })

describe('Hacker News in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { json } = ask({ hitsPerPage: '10' })
    expect(json).toMatchObject({ page: 0, hitsPerPage: 10, nbHits: expect.any(Number), nbPages: expect.any(Number) })
    expect(json.hits).toHaveLength(10)
    for (const hit of json.hits) {
      expect(hit).toMatchObject({
        objectID: expect.stringMatching(/^\d+$/),
        title: expect.any(String),
        author: expect.any(String),
        points: expect.any(Number),
        created_at: expect.stringMatching(/Z$/),
      })
      expect(new Date(hit.created_at_i * 1000).getTime()).toBeLessThan(TEST_NOW)
    }
  })

  it('questions have a text and no URL', () => {
    const questions = ask({ hitsPerPage: '100' }).json.hits.filter(({ url }) => url === null)
    expect(questions.length).toBeGreaterThan(2)
    for (const { title, story_text } of questions)
      expect([title, story_text]).toEqual([expect.stringMatching(/^Ask HN: /), expect.any(String)])
  })

  it('pages count from 0 and run out', () => {
    expect(ask({ page: '1' }).json.hits).not.toEqual(ask({}).json.hits)
    expect(ask({ page: String(ask({}).json.nbPages) }).json.hits).toEqual([])
  })

  it('honours the time range', () => {
    const since = Math.floor(TEST_NOW / 1000) - 7 * 86_400
    const { hits } = ask({ numericFilters: `created_at_i>${since}`, hitsPerPage: '100' }).json
    expect(hits.length).toBeGreaterThan(5)
    for (const { created_at_i } of hits) expect(created_at_i).toBeGreaterThan(since)
  })

  it('has the newest first at search_by_date', () => {
    const times = ask({}, '/api/v1/search_by_date').json.hits.map(({ created_at_i }) => created_at_i)
    expect(times).toEqual(times.toSorted((left, right) => right - left))
  })

  it('has nothing adult', () => {
    expect(ask({ hitsPerPage: '100' }).json.hits.some(({ title }) => title.includes('adults only'))).toBe(false)
  })

  it.each([{ page: '-1' }, { hitsPerPage: '1001' }, { numericFilters: 'created_at>1' }] as Record<string, string>[])(
    '400: %o',
    (query) => {
      expect(ask(query)).toMatchObject({ status: 400, json: { status: 400, message: expect.any(String) } })
    },
  )
})
