import { describe, expect, it } from 'vitest'
import { openverse } from './openverse.ts'
import { askProvider } from './provider-testing.ts'

interface Reply {
  page_count: number
  results: { title: string | null }[]
}

const ask = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  askProvider<Reply>(openverse, { path: '/v1/images/', query, headers })
const titles = (query: Record<string, string>) => ask({ q: 'tea', ...query }).json.results.map(({ title }) => title)

describe('Openverse in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { status, json } = ask({ q: 'oak bark', page_size: '20', page: '2' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      page: 2,
      page_size: 20,
      page_count: expect.any(Number),
      result_count: expect.any(Number),
    })
    expect(json.results).toHaveLength(20)
    for (const result of json.results) {
      expect(result).toMatchObject({
        foreign_landing_url: expect.stringMatching(/^https?:/),
        url: expect.stringMatching(/^https:/),
        thumbnail: expect.stringMatching(/\/thumb\/$/),
        license: expect.any(String),
        attribution: expect.stringContaining(' by '),
        mature: false,
      })
    }
  })

  it('pages differ, and one past the last is empty', () => {
    expect(titles({ page: '2' })).not.toEqual(titles({}))
    expect(titles({ page: '12' })).toEqual([])
  })

  it('some pictures have no title', () => {
    const all = [1, 2, 3, 4, 5].flatMap((page) => titles({ page: String(page) }))
    expect(all).toContain(null)
  })

  it('shows adult pictures only with mature=true', () => {
    const hasAdult = (query: Record<string, string>) => titles(query).some((title) => title?.includes('adults only'))
    expect([hasAdult({}), hasAdult({ mature: 'false' }), hasAdult({ mature: 'true' })]).toEqual([false, false, true])
  })

  it('401: more than 20 a page, deeper than 240, or an unknown token', () => {
    expect(ask({ q: 'tea', page_size: '21' })).toMatchObject({ status: 401, json: { detail: expect.any(String) } })
    expect(ask({ q: 'tea', page_size: '20', page: '13' }).status).toBe(401)
    expect(ask({ q: 'tea', page_size: '20', page: '12' }).status).toBe(200)
    expect(ask({ q: 'tea' }, { authorization: 'Bearer x' }).status).toBe(401)
  })

  it.each([
    ['q', {}],
    ['q', { q: 'x'.repeat(201) }],
    ['page', { q: 'tea', page: '0' }],
    ['mature', { q: 'tea', mature: 'on' }],
    ['size', { q: 'tea', size: 'huge' }],
  ] as [string, Record<string, string>][])('400: a bad %s is named', (name, query) => {
    expect(ask(query)).toMatchObject({ status: 400, json: { error: 'InputError', fields: [name] } })
  })
})
