// Real services of one's own, asked through the documents that ship with Bowerbird: what they find, and that a wrong key, a
// refusal and a server that is down are told apart in words. The other presets only know fixtures: their services are
// neither in Debian nor on npm.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, createApiClient } from '../support/api-client.ts'
import { type RealService, startKiwix, startMediaWikis } from '../support/real-services.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PAGES = {
  'Heat pump': 'How the pump is drained and filled in autumn, and why it hums.',
  'Old wells': 'A hand pump lifts water about seven metres.',
  Curtains: 'Wool in winter, linen in summer.',
}

const run = promisify(execFile)
const { PATH = '' } = process.env

/** What an operator learns from `bowerbird engines try`. */
async function attempt(slug: string, settings: Record<string, string>, ...options: readonly string[]) {
  const command = ['server/bowerbird.js', 'engines', 'try', slug, 'pump', '--json', ...options]
  // It ends with 1 if the engine fails, and says why.
  const { stdout } = await run(process.execPath, command, { env: { PATH, ...settings } }).catch((failed) => failed)
  const { hits, error } = JSON.parse(stdout)
  return { hits, error }
}

const wordsFor = async (...asked: Parameters<typeof attempt>): Promise<unknown> =>
  (await attempt(...asked)).error.message

const DOWN = 'the connection to the provider failed'

describe('Kiwix', () => {
  let kiwix: RealService
  let server: TestInstance
  let api: ApiClient
  beforeAll(async () => {
    kiwix = await startKiwix(PAGES)
    server = await startTestInstance({
      MINE: 'kiwix',
      KIWIX_URL: kiwix.url,
      KIWIX_LINK_URL: 'https://library.example',
    })
    api = await createApiClient(server.url, await server.createKey({ scopes: ['mine'] }))
  })
  afterAll(async () => {
    await server?.close()
    await kiwix?.stop()
  })

  it('a search finds its pages, under the address for readers', async () => {
    const { status, json } = await api.get('/api/v1/mine/?q=pump')
    expect(status).toBe(200)
    expect(json.results).toHaveLength(2)
    expect(json.results[0]).toMatchObject({ title: 'Heat pump', source_label: 'Kiwix' })
    expect(json.results[0].url).toMatch(/^https:\/\/library\.example\/.*house_en\/heat-pump\.html$/)
    expect(json.results[0].description).toMatch(/^How the pump is drained/)
  })

  it('nothing found is an empty page, and so is a page past the last', async () => {
    for (const query of ['q=zebra', 'q=pump&page=2']) {
      const { status, json, headers } = await api.get(`/api/v1/mine/?${query}`)
      expect([query, status, json.results, headers.get('search-status')]).toEqual([query, 200, [], 'complete'])
    }
  })

  it('a language that the library has is searched; one that it lacks is refused, which is not its fault', async () => {
    const settings = { KIWIX_URL: kiwix.url }
    expect((await attempt('kiwix', settings, '--lang', 'en')).hits).toHaveLength(2)
    expect(await wordsFor('kiwix', settings, '--lang', 'de')).toBe('The provider refuses this query.')
  })

  it('a server that is down is told apart', async () => {
    const stopped = await startKiwix(PAGES)
    await stopped.stop()
    expect(await wordsFor('kiwix', { KIWIX_URL: stopped.url })).toBe(DOWN)
  })
})

describe('MediaWiki', () => {
  let open: RealService
  let closed: RealService
  beforeAll(async () => {
    ;({ open, closed } = await startMediaWikis(PAGES))
  })
  afterAll(async () => {
    await open?.stop()
    await closed?.stop()
  })

  it('finds its pages, and links to pages that open', async () => {
    const { hits } = await attempt('mediawiki', { MEDIAWIKI_URL: open.url })
    expect(hits.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Heat pump', 'Old wells'])
    const [{ url }] = hits.filter(({ title }: { title: string }) => title === 'Heat pump')
    expect(url).toBe(`${open.url}/index.php?title=Heat_pump`)
    expect(await (await fetch(url)).text()).toContain('drained and filled')
  })

  it('a wiki that is closed to us and one that is down are told apart', async () => {
    const settings = { MEDIAWIKI_URL: closed.url, MEDIAWIKI_API_KEY: 'wrong' }
    expect(await wordsFor('mediawiki', settings)).toBe('The provider refuses this server (status 403).')
    await closed.stop()
    expect(await wordsFor('mediawiki', settings)).toBe(DOWN)
  })
})

describe('another Bowerbird', () => {
  let far: TestInstance
  let near: TestInstance
  beforeAll(async () => {
    far = await startTestInstance()
    near = await startTestInstance({ ENGINE_D: 'bowerbird', BOWERBIRD_URL: far.url, BOWERBIRD_API_KEY: far.key })
  })
  afterAll(async () => {
    await near?.close()
    await far?.close()
  })

  it.each(['web', 'images', 'news', 'videos', 'science', 'code'])('%s: finds what the other one finds', async (tab) => {
    const there = await far.api.get(`/api/v1/${tab}/?q=climate`)
    const here = await near.api.get(`/api/v1/${tab}/?q=climate&engine=engine_d`)
    const urls = ({ json }: typeof here) => json.results.map(({ url }: { url: string }) => url)
    expect(urls(there).length).toBeGreaterThan(3)
    expect(urls(here)).toEqual(urls(there))
  })

  it('a search that comes from an instance is not passed on to a third', async () => {
    const settings = { ENGINE_D: 'bowerbird', BOWERBIRD_URL: near.url, BOWERBIRD_API_KEY: near.key }
    const nearest = await startTestInstance(settings)
    const before = far.sandbox.callCount('brave')
    const { json } = await nearest.api.get('/api/v1/web/?q=ice+age&engine=engine_d')
    await nearest.close()
    expect(json.results.length).toBeGreaterThan(3)
    expect(near.sandbox.callCount('brave')).toBeGreaterThan(0)
    expect(far.sandbox.callCount('brave')).toBe(before)
    const { headers } = await near.api.get('/api/v1/web/?q=ice+age', { headers: { via: '1.1 bowerbird' } })
    expect(headers.get('engine-status')).toContain('engine_d;skipped;for=loop')
    const direct = await near.api.get('/api/v1/web/?q=ice+age')
    expect(direct.headers.get('engine-status')).toContain('engine_d;ok')
  })

  it('a wrong key and an instance that is down are told apart', async () => {
    const settings = { BOWERBIRD_URL: far.url, BOWERBIRD_API_KEY: 'wrong' }
    expect(await wordsFor('bowerbird', settings)).toBe('The provider does not accept the API key.')
    const down = { ...settings, BOWERBIRD_URL: 'http://127.0.0.1:1' }
    expect(await wordsFor('bowerbird', down)).toBe(DOWN)
  })
})
