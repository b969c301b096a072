// What needs another configuration than other tests of the API have: custom slots, engines without a provider, the public
// address, results per page.
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

/** Sends a custom Host header, which fetch does not allow. */
const askAs = (host: string, server: TestInstance, path: string): Promise<Record<string, string>> =>
  new Promise((resolve, reject) => {
    const headers = { host, authorization: `Api-Key ${server.key}` }
    request(server.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    })
      .on('error', reject)
      .end()
  })

describe('an instance without a key for engine_a and with two custom slots', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance({
      BRAVE_API_KEY: '',
      ENGINE_D: 'searxng',
      ENGINE_F: 'kagi',
      PUBLIC_URL: 'https://search.example.org/bower/',
    })
  })
  afterAll(() => server.close())

  const web = (parameters: string) => server.api.get(`/api/v1/web/?q=${freshQuery()}${parameters}`)

  it('all queries every slot that has a provider, in slot order', async () => {
    const { json } = await web('')
    expect(json.engine).toEqual(['engine_b', 'engine_c', 'engine_d', 'engine_f'])
    expect(server.sandbox.callCount('brave')).toBe(0)
  })

  it('a custom slot can be selected, and its results carry its name', async () => {
    const { json } = await web('&engine=ENGINE_D')
    expect(json.engine).toEqual(['engine_d'])
    expect(json.results.length).toBeGreaterThan(0)
    for (const { source, source_label } of json.results) expect([source, source_label]).toEqual(['engine_d', 'SearXNG'])
  })

  it('400: an unknown engine; the message lists the slots of this instance', async () => {
    const { status, json } = await web('&engine=engine_e')
    expect(status).toBe(400)
    for (const slot of ['engine_a', 'engine_d', 'engine_f']) expect(json.engine[0]).toContain(slot)
    expect(json.engine[0]).not.toContain('engine_e')
  })

  it('a known engine without a provider is ignored if others are selected', async () => {
    const { status, json, headers } = await web('&engine=engine_a,engine_b')
    expect([status, json.engine]).toEqual([200, ['engine_b']])
    expect(headers.get('search-status')).toBe('complete')
  })

  it('503: only a known engine without a provider is selected', async () => {
    const { status, json } = await web('&engine=engine_a')
    expect(status).toBe(503)
    expect(json).toEqual({ detail: expect.stringContaining('engine_a') })
  })

  it('the hidden provider is not in status/', async () => {
    const { json } = await server.api.get('/api/v1/status/')
    const slugs = json.providers.map(({ slug }: { slug: string }) => slug)
    expect(slugs).not.toContain('engine_a')
    expect(slugs).toEqual(expect.arrayContaining(['engine_b', 'engine_c', 'engine_d', 'engine_f']))
  })

  it('PUBLIC_URL is the address in the root and the document, whatever the Host header', async () => {
    const root = await askAs('evil.example', server, '/api/v1/')
    expect(root['web_search']).toBe('https://search.example.org/bower/api/v1/web/')
    for (const url of Object.values(root)) expect(url).toMatch(/^https:\/\/search\.example\.org\/bower\/api\/v1\//)
    const { json: document } = await server.api.get('/api/v1/openapi.json')
    expect(document.servers).toEqual([{ url: 'https://search.example.org/bower' }])
  })

  it('ten results are requested from each engine, and none is dropped after merging', async () => {
    const { json, headers } = await web('&engine=engine_b,engine_c')
    expect(headers.get('engine-status')).toMatch(/^engine_b;ok;n=10;ms=\d+, engine_c;ok;n=10;ms=\d+$/)
    const agreed = json.results.filter(({ source }: { source: string }) => source === 'both').length
    expect(json.results).toHaveLength(20 - agreed)
    expect(server.sandbox.calls('mojeek').at(-1)?.query['t']).toBe('10')
    expect(server.sandbox.calls('marginalia').at(-1)?.query['count']).toBe('10')
  })
})

describe('an instance without any provider', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance({ BRAVE_API_KEY: '', MOJEEK_API_KEY: '', KAGI_API_KEY: '', ENGINE_C: 'kagi' })
  })
  afterAll(() => server.close())

  it('503: a search, with a detail that explains why, and it does not count as usage', async () => {
    for (const engine of ['', '&engine=all', '&engine=engine_b', '&engine=engine_a,engine_b,engine_c']) {
      const { status, json } = await server.api.get(`/api/v1/web/?q=climate${engine}`)
      expect([engine, status]).toEqual([engine, 503])
      expect(json).toEqual({ detail: expect.stringMatching(/configured/) })
    }
    expect((await server.api.get('/api/v1/usage/')).json.searches).toBe(0)
  })

  it('400: bad parameters are reported first', async () => {
    expect((await server.api.get('/api/v1/web/')).status).toBe(400)
    expect((await server.api.get('/api/v1/web/?q=climate&engine=engine_d')).status).toBe(400)
  })

  it('everything else works, and no slot is in status/', async () => {
    for (const path of ['/api/v1/', '/api/v1/key/', '/api/v1/usage/']) {
      expect([path, (await server.api.get(path)).status]).toEqual([path, 200])
    }
    const { json } = await server.api.get('/api/v1/status/')
    expect(json.providers.filter(({ group }: { group: string }) => group === 'web')).toEqual([])
  })

  it('without PUBLIC_URL, the addresses in the root use the Host header', async () => {
    const root = await askAs('search.internal:8443', server, '/api/v1/')
    expect(root['web_search']).toBe('http://search.internal:8443/api/v1/web/')
  })

  it('an invalid Host header is not echoed', async () => {
    const root = await askAs('evil"><script>', server, '/api/v1/').catch(() => ({}))
    expect(JSON.stringify(root)).not.toContain('script')
  })
})
