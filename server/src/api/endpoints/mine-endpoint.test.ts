import { describe, expect, it } from 'vitest'
import type { Scope } from '../../keys/scopes.ts'
import { found, setUpApi, webHit } from '../api.test-harness.ts'

const PATH = '/api/v1/mine/?q=boiler'
const HIT = webHit({ title: 'The boiler, its manual', url: 'https://papers.home.example/boiler' })

describe('mine/ of an instance with private engines', () => {
  const stage = setUpApi({ hasMine: true })
  const keyWith = (...scopes: Scope[]) => stage.addKey({ scopes: new Set(scopes) })
  const finds = () => {
    stage.says.mine = async (tab, request) => found(tab, request, { hits: [HIT], isCurrent: () => true })
  }

  it('200: has the shape and the headers of web/', async () => {
    finds()
    const { status, json, headers } = await stage.get(PATH, { key: keyWith('mine') })
    expect([status, json.tab, json.query, json.page]).toEqual([200, 'mine', 'boiler', 1])
    expect(json.results).toMatchObject([{ title: HIT.title, url: HIT.url, display_url: 'papers.home.example' }])
    expect(headers).toMatchObject({ 'search-status': 'complete', 'engine-status': 'engine_a;ok;n=1;ms=12' })
    const web = await stage.get('/api/v1/web/?q=boiler')
    expect(Object.keys(json)).toEqual(Object.keys(web.json))
    expect(stage.counted).toEqual(['mine_search', 'web_search'])
  })

  it('403: is for keys with the scope, which no key has by default, and asks no one for others', async () => {
    const all: Scope[] = ['search', 'maps', 'translate', 'answers', 'read', 'read_any']
    for (const key of [stage.addKey(), keyWith(...all)]) {
      const { status, json } = await stage.get(PATH, { key })
      expect([status, json]).toEqual([403, { detail: 'This API key does not have the mine scope.' }])
    }
    expect(stage.asked).toEqual([])
  })

  it('searches the private engines alone, by their own names', async () => {
    const key = keyWith('mine')
    await stage.get(`${PATH}&engine=shelf&date=m`, { key })
    expect(stage.asked).toMatchObject([['mine', 'web', { text: 'boiler', engines: ['shelf'], date: 'm' }]])
    const { status, json } = await stage.get(`${PATH}&engine=engine_a`, { key })
    expect([status, json]).toEqual([400, { engine: ['Unknown engine. Use karakeep, shelf or all.'] }])
  })

  it('keeps no answer, and lets the key read nothing of it', async () => {
    finds()
    const key = keyWith('mine', 'read', 'search')
    await stage.get(PATH, { key })
    await stage.get(PATH, { key })
    expect(stage.asked.filter(([name]) => name === 'mine')).toHaveLength(2)
    const { status } = await stage.get(`/api/v1/read/?url=${encodeURIComponent(HIT.url)}`, { key })
    expect(status).toBe(403)
    expect((await stage.get(`${PATH}&include=content`, { key })).status).toBe(400)
  })

  it('is in the root and the OpenAPI document, which don’t name the services', async () => {
    expect((await stage.get('/api/v1/')).json).toHaveProperty(
      'mine_search',
      expect.stringMatching(/\/api\/v1\/mine\/$/),
    )
    const document = JSON.stringify(stage.document)
    expect(document).toContain('/api/v1/mine/')
    expect(document).not.toMatch(/karakeep|shelf/)
  })
})

describe('without private engines', () => {
  const stage = setUpApi()

  it('404: there is nothing to search', async () => {
    const { status, json } = await stage.get(PATH, { key: stage.addKey({ scopes: new Set(['mine']) }) })
    expect([status, json]).toEqual([404, { detail: 'This instance has no private engines.' }])
    expect(stage.counted).toEqual([])
  })
})
