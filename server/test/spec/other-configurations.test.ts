// What needs another configuration than other tests of the API have: custom slots, and engines without a provider.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

describe('an instance without a key for engine_a and with two custom slots', () => {
  const server = useTestInstance({
    BRAVE_API_KEY: '',
    ENGINE_D: 'searxng',
    ENGINE_F: 'kagi',
  })

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
  const server = useTestInstance({ BRAVE_API_KEY: '', MOJEEK_API_KEY: '', KAGI_API_KEY: '', ENGINE_C: 'kagi' })

  it('503: a search, with a detail that explains why, and it does not count as usage', async () => {
    for (const engine of ['', '&engine=all', '&engine=engine_b', '&engine=engine_a,engine_b,engine_c']) {
      const { status, json } = await server.api.get(`/api/v1/web/?q=climate${engine}`)
      expect([engine, status]).toEqual([engine, 503])
      expect(json).toEqual({ detail: expect.stringMatching(/configured/) })
    }
    expect((await server.api.get('/api/v1/usage/')).json.searches).toBe(0)
  })
})
