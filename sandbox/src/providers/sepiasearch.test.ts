import { describe, expect, it } from 'vitest'
import { askProvider, TEST_NOW } from './provider-testing.ts'
import { sepiasearch } from './sepiasearch.ts'

interface Reply {
  total: number
  data: { name: string; description: string | null; publishedAt: string; nsfw: boolean }[]
}

const ask = (query: Record<string, string>) =>
  askProvider<Reply>(sepiasearch, { path: '/api/v1/search/videos', query: { search: 'tea', ...query } })
const videos = (query: Record<string, string> = {}) => ask(query).json.data

describe('SepiaSearch in the sandbox', () => {
  it('200: a reply has the documented shape, and some videos no description', () => {
    const { json } = ask({ count: '100', nsfw: 'false', sort: '-match', 'languageOneOf[]': 'de' })
    expect(json.total).toBe(json.data.length)
    for (const video of json.data) {
      expect(video).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        duration: expect.any(Number),
        publishedAt: expect.stringMatching(/Z$/),
        thumbnailPath: expect.stringMatching(/^\//),
        channel: { displayName: expect.any(String), host: expect.any(String) },
        account: { host: expect.any(String) },
        nsfw: false,
      })
    }
    expect(json.data.some(({ description }) => description === null)).toBe(true)
    // Older servers give paths alone.
    for (const member of ['thumbnailUrl', 'fileUrl']) {
      const having = json.data.filter((video) => JSON.stringify(video).includes(member)).length
      expect([having > 0, having < json.total], member).toEqual([true, true])
    }
  })

  it('starts at the given result and runs out', () => {
    expect(videos({ start: '15' })).not.toEqual(videos())
    expect(videos({ start: '500' })).toEqual([])
  })

  it('hides adult videos only with nsfw=false', () => {
    const hasAdult = (query: Record<string, string>) => videos(query).some(({ nsfw }) => nsfw)
    expect([hasAdult({}), hasAdult({ nsfw: 'both' }), hasAdult({ nsfw: 'false' })]).toEqual([true, true, false])
  })

  it('honours the start date', () => {
    const found = videos({ startDate: '2026-11-07', count: '100' })
    expect(found.length).toBeGreaterThan(3)
    for (const { publishedAt } of found)
      expect(Date.parse(publishedAt)).toBeGreaterThanOrEqual(TEST_NOW - 7.5 * 86_400_000)
  })

  it.each([
    { search: ' ' },
    { count: '101' },
    { count: '0' },
    { nsfw: 'on' },
    { sort: 'best' },
    { startDate: 'week' },
    { 'languageOneOf[]': 'de-DE' },
  ] as Record<string, string>[])('400: %o, as a problem', (query) => {
    const { status, headers, json } = ask(query)
    expect(status).toBe(400)
    expect(headers['content-type']).toMatch(/problem\+json/)
    expect(json).toMatchObject({ status: 400, detail: expect.any(String) })
  })
})
