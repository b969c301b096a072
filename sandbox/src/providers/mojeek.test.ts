import { describe, expect, it } from 'vitest'
import { mojeek } from './mojeek.ts'
import { askProvider, TEST_NOW } from './provider-testing.ts'

interface MojeekReply {
  response: {
    status: string
    head: { results: number; return: number; words: object[] }
    results: { title: string; date?: string; timestamp?: number }[]
  }
}

const ask = (query: Record<string, string>) =>
  askProvider<MojeekReply>(mojeek, { path: '/search', query: { api_key: mojeek.key, fmt: 'json', ...query } })

const results = (query: Record<string, string>) => ask(query).json.response.results

describe('Mojeek in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { status, json } = ask({ q: 'heat pumps' })
    expect(status).toBe(200)
    expect(json.response.status).toBe('OK')
    expect(json.response.head).toMatchObject({ query: 'heat pumps', nword: 2, start: 1, return: 10, exact: false })
    expect(json.response.head.words).toHaveLength(2)
    expect(json.response.head.results).toBeGreaterThan(40)
    expect(json.response.results).toHaveLength(10)
    for (const result of json.response.results) {
      expect(result).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        title: expect.any(String),
        desc: expect.any(String),
      })
    }
    const dated = json.response.results.find((result) => result.timestamp !== undefined)
    expect(dated?.date).toBe(new Date((dated?.timestamp ?? 0) * 1000).toISOString().slice(0, 10))
  })

  it('answers an empty search properly', () => {
    expect(ask({ q: 'nothingtofind' }).json.response).toMatchObject({
      status: 'OK',
      head: { return: 0, results: 0 },
      results: [],
    })
  })

  it('starts at the given result, and its counts show when it has run out', () => {
    expect(results({ q: 'tea', s: '11' })).not.toEqual(results({ q: 'tea' }))
    expect(results({ q: 'tea', t: '20' }).slice(10)).toEqual(results({ q: 'tea', s: '11' }))
    const { head } = ask({ q: 'tea' }).json.response
    const last = ask({ q: 'tea', s: String(head.results) }).json.response
    expect(last.head.return).toBe(1)
    expect(results({ q: 'tea', s: String(head.results + 1) })).toEqual([])
  })

  it('hides adult pages unless safe=0', () => {
    const hasAdult = (query: Record<string, string>) =>
      results({ q: 'tea', t: '40', ...query }).some((result) => result.title.includes('adults only'))
    expect([hasAdult({ safe: '0' }), hasAdult({ safe: '1' }), hasAdult({})]).toEqual([true, false, false])
  })

  it.each([
    ['day', 1],
    ['20261107', 7.5],
    ['month', 31],
  ])('since=%s leaves out everything older', (since, days) => {
    const found = results({ q: 'tea', since, t: '40' })
    expect(found.length).toBeGreaterThan(0)
    for (const { timestamp = 0 } of found) expect(timestamp * 1000).toBeGreaterThanOrEqual(TEST_NOW - days * 86_400_000)
  })

  it.each([
    ['a wrong key', { q: 'tea', api_key: 'wrong' }],
    ['no query', {}],
    ['a week', { q: 'tea', since: 'week' }],
    ['too many results', { q: 'tea', t: '41' }],
    ['a start of 0', { q: 'tea', s: '0' }],
    ['an unknown safe value', { q: 'tea', safe: 'on' }],
  ] as [string, Record<string, string>][])('200 with an error status: %s', (_, query) => {
    const { status, json } = ask(query)
    expect(status).toBe(200)
    expect(json.response.status).toMatch(/^ERROR: /)
  })

  it('answers in XML unless JSON is requested', () => {
    expect(ask({ q: 'tea', fmt: 'xml' }).text).toMatch(/^<\?xml/)
  })
})
