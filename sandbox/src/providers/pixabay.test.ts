import { describe, expect, it } from 'vitest'
import { pixabay } from './pixabay.ts'
import { askProvider } from './provider-testing.ts'

interface Reply {
  total: number
  totalHits: number
  hits: { tags: string }[]
}

const ask = (query: Record<string, string>) =>
  askProvider<Reply>(pixabay, { path: '/api/', query: { key: pixabay.key, q: 'tea', ...query } })

describe('Pixabay in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { status, json } = ask({ lang: 'de', image_type: 'photo', safesearch: 'true', per_page: '10' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ total: expect.any(Number), totalHits: expect.any(Number) })
    expect(json.hits).toHaveLength(10)
    for (const hit of json.hits) {
      expect(hit).toMatchObject({
        pageURL: expect.stringMatching(/^https?:/),
        previewURL: expect.stringMatching(/^https:/),
        webformatURL: expect.stringMatching(/^https:/),
        largeImageURL: expect.stringMatching(/^https:/),
        tags: expect.stringContaining(', '),
        user: expect.any(String),
      })
      expect(hit).not.toHaveProperty('title')
    }
  })

  it('hides adult pictures only with safesearch=true', () => {
    const hasAdult = (query: Record<string, string>) =>
      ask(query).json.hits.some(({ tags }) => tags.includes('adults only'))
    expect([hasAdult({}), hasAdult({ safesearch: 'false' }), hasAdult({ safesearch: 'true' })]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('200 without results: nothing matches', () => {
    expect(ask({ q: 'nothingtofind' })).toMatchObject({ status: 200, json: { total: 0, totalHits: 0, hits: [] } })
  })

  it('400: a page past the last', () => {
    const last = Math.ceil(ask({}).json.totalHits / 20)
    expect(ask({ page: String(last) }).status).toBe(200)
    expect(ask({ page: String(last + 1) })).toMatchObject({
      status: 400,
      text: '[ERROR 400] "page" is out of valid range.',
    })
  })

  it.each([
    { key: 'wrong' },
    { q: 'x'.repeat(101) },
    { per_page: '2' },
    { per_page: '201' },
    { lang: 'en-US' },
    { safesearch: 'on' },
    { order: 'best' },
  ] as Record<string, string>[])('400: %o, in plain text', (query) => {
    expect(ask(query)).toMatchObject({ status: 400, text: expect.stringMatching(/^\[ERROR 400\]/), json: undefined })
  })
})
