import { describe, expect, it } from 'vitest'
import { duckduckgo } from './duckduckgo.ts'
import { askProvider } from './provider-testing.ts'
import { wikipedia } from './wikipedia.ts'

describe('DuckDuckGo in the sandbox', () => {
  const ask = (query: Record<string, string>) => askProvider<[string, string[]]>(duckduckgo, { path: '/ac/', query })

  it('200: a pair with type=list, objects without', () => {
    const { json } = ask({ q: 'clim', type: 'list', kl: 'us-en' })
    expect(json).toEqual(['clim', expect.arrayContaining([expect.stringMatching(/^clim/)])])
    expect(json[1]).toHaveLength(8)
    expect(ask({ q: 'clim' }).json).toEqual(json[1].map((phrase) => ({ phrase })))
  })

  it('400: an unknown region', () => {
    expect(ask({ q: 'clim', kl: 'english' }).status).toBe(400)
    expect(ask({ q: 'clim', kl: 'tw-tzh' }).status).toBe(200)
  })
})

describe('Wikipedia in the sandbox', () => {
  const AGENT = { 'user-agent': 'Tester/1.0 (tester@example.org)' }
  const ask = (query: Record<string, string>, headers: Record<string, string> = AGENT) =>
    askProvider<[string, string[], string[], string[]]>(wikipedia, {
      path: '/w/api.php',
      query: { action: 'opensearch', format: 'json', ...query },
      headers,
    })

  it('200: four lists side by side, titles with a capital', () => {
    const [search, titles, texts, addresses] = ask({ search: 'clim', limit: '10' }).json
    expect(search).toBe('clim')
    expect([titles.length, texts.length, addresses.length]).toEqual([10, 10, 10])
    for (const title of titles) expect(title).toMatch(/^Clim/)
    for (const address of addresses) expect(address).toMatch(/^https:\/\/en\.wikipedia\.example\/wiki\/Clim\S+$/)
  })

  it('403: a client that does not identify itself', () => {
    expect(ask({ search: 'clim' }, { 'user-agent': 'node' }).status).toBe(403)
    expect(ask({ search: 'clim' }, {}).status).toBe(403)
  })

  it.each([{}, { search: 'x', limit: '501' }, { search: 'x', action: 'nonsense' }] as Record<string, string>[])(
    '200 with an error: %o',
    (query) => {
      expect(ask(query)).toMatchObject({ status: 200, json: { error: { code: expect.any(String) } } })
    },
  )
})
