import { describe, expect, it } from 'vitest'
import { kagi } from './kagi.ts'
import { askProvider, TEST_NOW } from './provider-testing.ts'

interface Result {
  title: string
  time: string
}

interface Reply {
  data: Record<string, Result[]>
}

const KEY = { authorization: `Bearer ${kagi.key}` }
const ask = (body: Record<string, unknown>, headers: Record<string, string> = KEY) =>
  askProvider<Reply>(kagi, { path: '/api/v1/search', body: JSON.stringify({ query: 'tea', ...body }), headers })

const NAMES = [
  ['search', 'search'],
  ['images', 'image'],
  ['news', 'news'],
  ['videos', 'video'],
] as const

describe('Kagi in the sandbox', () => {
  it.each(NAMES)('200: %s are under "%s", filtered as requested', (workflow, name) => {
    const results = (given: Record<string, unknown> = {}) => ask({ workflow, ...given }).json.data[name] ?? []
    expect(results().length).toBeGreaterThanOrEqual(20)
    for (const result of results()) {
      expect(result).toMatchObject({ url: expect.stringMatching(/^https?:/), title: expect.any(String), props: {} })
    }
    expect(results({ limit: 3 })).toEqual(results().slice(0, 3))
    const hasAdult = (safe_search: boolean) =>
      results({ safe_search }).some(({ title }) => title.includes('adults only'))
    expect([hasAdult(true), hasAdult(false)]).toEqual([false, true])
    const fresh = results({ filters: { after: '2026-11-07' } })
    expect(fresh.length).toBeGreaterThan(3)
    expect(fresh.length).toBeLessThan(results({ limit: 1024 }).length + 1)
    if (workflow !== 'images') {
      expect(results({ page: 2 })).not.toEqual(results())
      for (const { time } of fresh) expect(Date.parse(time)).toBeGreaterThanOrEqual(TEST_NOW - 7.5 * 86_400_000)
    } else expect(results({ page: 2 })).toEqual(results())
  })

  it('sends text with markup, pictures with two sizes, videos with a clock', () => {
    const text = JSON.stringify(ask({ query: 'climate' }).json)
    expect(text).toMatch(/<b>climate<\/b>/i)
    expect(text).toContain('&amp;')
    const [picture] = ask({ workflow: 'images' }).json.data['image'] ?? []
    expect(picture).toMatchObject({
      image: { url: expect.any(String) },
      props: { thumbnail: { url: expect.any(String) } },
    })
    const [video] = ask({ workflow: 'videos' }).json.data['video'] ?? []
    expect(video).toMatchObject({ props: { duration: expect.stringMatching(/:/), creator_name: expect.any(String) } })
  })

  it('has no member for an empty list', () => {
    expect(ask({ query: 'nothingtofind' }).json.data).toEqual({})
  })

  it('401: a wrong key, checked before the body', () => {
    const { status, json } = ask({ query: '' }, { authorization: 'Bot x' })
    expect(status).toBe(401)
    expect(json).toMatchObject({ data: null, error: [{ code: expect.any(String), message: expect.any(String) }] })
  })

  it.each([
    ['query', { query: ' ' }],
    ['query', { query: 7 }],
    ['workflow', { workflow: 'web' }],
    ['page', { page: 11 }],
    ['page', { page: '1' }],
    ['limit', { limit: 0 }],
    ['safe_search', { safe_search: 'on' }],
    ['filters', { filters: { after: 'week' } }],
    ['filters', { filters: { region: 'germany' } }],
  ] as [string, Record<string, unknown>][])('400: a bad %s is named (%o)', (location, body) => {
    expect(ask(body)).toMatchObject({ status: 400, json: { data: null, error: [{ location }] } })
  })

  it('400: no JSON; 404: no POST', () => {
    expect(askProvider(kagi, { path: '/api/v1/search', body: 'q=tea', headers: KEY }).status).toBe(400)
    expect(askProvider(kagi, { path: '/api/v1/search', query: { q: 'tea' }, headers: KEY }).status).toBe(404)
  })
})
