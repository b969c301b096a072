// Similar images: the seed, what is excluded from the results, and that nothing is searched or counted without a seed.
// How a caption becomes a seed: `src/search/similar-seed.test.ts`.
import { afterEach, describe, expect, it } from 'vitest'
import { useSharedInstance } from '../support/shared-instance.ts'
import { freshQuery } from './fresh-query.ts'

const server = useSharedInstance()
afterEach(() => server.sandbox.reset())

const PATH = '/api/v1/images/similar/'
const similar = (parameters: Record<string, string>, key = server.key) =>
  server.api.get(`${PATH}?${new URLSearchParams(parameters).toString()}`, { key })
const caption = (words: string) => decodeURIComponent(freshQuery(words))
const urlsIn = ({ results }: { results: { url: string }[] }) => results.map(({ url }) => url)

describe('the response', () => {
  it('is an image search for the seed, with exactly query, engine and results', async () => {
    const q = caption('oak bark')
    const { json, headers } = await similar({ q })
    const { json: searched } = await server.api.get(`/api/v1/images/?q=${encodeURIComponent(q)}`)
    expect(json).toEqual({ query: q, engine: ['engine_a', 'engine_c'], results: searched.results })
    expect(json.results.length).toBeGreaterThan(0)
    expect(headers.get('search-status')).toBe('complete')
  })

  it('is of the engines that answered, and partial if one failed', async () => {
    server.sandbox.setFault('brave', { kind: 'status', status: 500 })
    const { json, headers } = await similar({ q: caption('oak bark') })
    expect(json.engine).toEqual(['engine_c'])
    expect(headers.get('search-status')).toBe('partial')
  })

  it('takes engine, safe and lang like an image search, and ignores page and date', async () => {
    const q = caption('oak bark')
    await similar({ q })
    expect(server.sandbox.calls('brave').at(-1)?.query).toMatchObject({ q, safesearch: 'strict' })
    const { json } = await similar({ q, engine: 'engine_c', lang: 'de', safe: 'off', page: 'zero', date: 'x' })
    expect(json.engine).toEqual(['engine_c'])
    expect(server.sandbox.calls('openverse').at(-1)?.query).toMatchObject({ mature: 'true' })
    const refused = await similar({ q: 'oak', engine: 'nosuch', safe: 'maybe', lang: '?' })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.json)).toEqual(['engine', 'safe', 'lang'])
  })
})

describe('exclude_url', () => {
  it('leaves out the page, however its address is written, and nothing else', async () => {
    const q = caption('oak bark')
    const all = urlsIn((await similar({ q })).json)
    const [first = ''] = all
    for (const exclude_url of [first, `${first}${first.includes('?') ? '&' : '?'}utm_source=mail#top`])
      expect(urlsIn((await similar({ q, exclude_url })).json)).toEqual(all.slice(1))
    for (const exclude_url of ['', 'https://other.example/', 'not an address'])
      expect(urlsIn((await similar({ q, exclude_url })).json)).toEqual(all)
  })
})
