import { describe, expect, it } from 'vitest'
import { setUpApi } from '../api/api.test-harness.ts'
import { basic, callCompat, GOOD_KEY } from './compat.test-harness.ts'

const SEARCH = '/searxng/search?q=climate&format=json'

describe('the key in a header of a compatible API', () => {
  const stage = setUpApi()

  it.each([
    ['Authorization: Api-Key', { authorization: `Api-Key ${GOOD_KEY}` }],
    ['Authorization: Bearer', { authorization: `Bearer ${GOOD_KEY}` }],
    ['Authorization: bearer, in lower case', { authorization: `bearer ${GOOD_KEY}` }],
    ['the password of Basic', { authorization: basic('key', GOOD_KEY) }],
    ['the password of Basic without a user', { authorization: basic('', GOOD_KEY) }],
    ['X-API-Key', { 'x-api-key': GOOD_KEY }],
    ['X-Goog-Api-Key', { 'x-goog-api-key': GOOD_KEY }],
  ])('200: accepted as %s', async (_how, headers) => {
    expect((await callCompat(stage, SEARCH, { headers })).status).toBe(200)
  })

  it.each([
    ['no header at all', {}],
    ['a query parameter', { url: `${SEARCH}&key=${GOOD_KEY}&api_key=${GOOD_KEY}` }],
    ['the user name of Basic', { headers: { authorization: basic(GOOD_KEY, '') } }],
    ['Basic that is not base64', { headers: { authorization: 'Basic ::::' } }],
    ['Basic without a colon', { headers: { authorization: `Basic ${Buffer.from(GOOD_KEY).toString('base64')}` } }],
    ['another scheme', { headers: { authorization: `Digest ${GOOD_KEY}` } }],
    ['an unknown key', { headers: { authorization: 'Bearer bowerbird_other.key' } }],
    ['an empty header', { headers: { 'x-api-key': '' } }],
  ])('401: not accepted as %s', async (_how, { url = SEARCH, headers = {} }: { url?: string; headers?: object }) => {
    const reply = await callCompat(stage, url, { headers: { ...headers } })
    expect(reply).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(reply.text).not.toContain(GOOD_KEY)
  })

  it('401: the API itself accepts only Api-Key', async () => {
    const given = [{ authorization: `Bearer ${GOOD_KEY}` }, { 'x-api-key': GOOD_KEY }, { 'x-goog-api-key': GOOD_KEY }]
    for (const headers of given) {
      expect((await callCompat(stage, '/api/v1/web/?q=climate', { headers })).status).toBe(401)
    }
  })

  it('404: not accepted in the path unless the operator turns that on', async () => {
    stage.addKey({ scopes: new Set(['search', 'address']) })
    const reply = await callCompat(stage, `/k/bowerbird_1.key${SEARCH}`, { headers: { accept: 'text/html' } })
    expect(reply).toMatchObject({ status: 404, json: { detail: 'Not found. Check the URL.' } })
    expect(stage.asked).toEqual([])
  })
})

describe('a key in the path', () => {
  const stage = setUpApi({ areUrlKeysOn: true })
  const addMarked = () => stage.addKey({ scopes: new Set(['search', 'address']) })

  it('200: accepted at every address that clients derive from it', async () => {
    const key = addMarked()
    for (const path of [
      '/searxng/search?q=climate',
      '/searxng?q=climate',
      '/searxng/?q=climate',
      '/searxng/config',
      '/autocompleter?q=climate',
      '/google/customsearch/v1?q=climate',
    ]) {
      const reply = await callCompat(stage, `/k/${key}${path}`, { headers: {} })
      expect(reply).toMatchObject({ status: 200, headers: { 'referrer-policy': 'no-referrer' } })
      expect(`${reply.text}${JSON.stringify(reply.headers)}`).not.toContain(key)
      expect(reply.headers['cache-control']).toBe('private, no-store')
    }
  })

  it('refusals also forbid sending it in the Referer header', async () => {
    const key = addMarked()
    for (const [method, path] of [
      ['GET', '/mcp'],
      ['DELETE', '/searxng/search'],
      ['GET', '/tavily/search'],
      ['GET', '/searxng/nothing'],
    ] as const) {
      const reply = await callCompat(stage, `/k/${key}${path}`, { method, headers: {} })
      expect([path, reply.headers['referrer-policy']]).toEqual([path, 'no-referrer'])
    }
  })

  it('403: a key without the scope for URLs is refused', async () => {
    const reply = await callCompat(stage, `/k/${GOOD_KEY}${SEARCH}`, { headers: {} })
    expect(reply).toMatchObject({ status: 403, json: { error: expect.stringContaining("can't be used in a URL") } })
  })

  it('401: a wrong key is refused, even with a good one in a header', async () => {
    expect((await callCompat(stage, `/k/bowerbird_x.key${SEARCH}`)).status).toBe(401)
  })

  it('404: it gives access to no other path', async () => {
    const key = addMarked()
    for (const path of [
      '',
      '/',
      '/api/v1/web/?q=climate',
      '/search?q=climate',
      '/settings',
      '/searxngx',
      '/../searxng',
    ]) {
      const reply = await callCompat(stage, `/k/${key}${path}`, { headers: { accept: 'text/html' } })
      expect([path, reply.status]).toEqual([path, 404])
      expect(reply.text).not.toContain(key)
    }
  })

  it('is in no log line, error or header, even when something breaks', async () => {
    const key = addMarked()
    stage.says.search = async () => {
      throw new Error('broken')
    }
    const reply = await callCompat(stage, `/k/${key}${SEARCH}`, { headers: {} })
    expect(reply.status).toBe(500)
    expect(stage.logged()).toContain('broken')
    expect(`${stage.logged()}${reply.text}${reply.reason}${JSON.stringify(reply.headers)}`).not.toContain(key)
  })
})
