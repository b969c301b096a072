// What the owner of a key sees of its last request: enough to debug a program, and never the query.
import { beforeAll, describe, expect, it } from 'vitest'
import { listKeys } from '../../src/keys/key-records.ts'
import type { LastRequest } from '../../src/keys/last-requests.ts'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

const CANARY = 'quollcanary'
let instance: SharedInstance
beforeAll(async () => {
  instance = await shareInstance()
})

/** Sends a request with a new key, and returns what is recorded of it. */
async function lastOf(
  name: string,
  send: (key: string, url: string) => Promise<Response>,
  scopes: ('search' | 'address')[] = ['search'],
): Promise<LastRequest | undefined> {
  const { services } = instance.instance
  const key = await instance.createKey({ name, scopes })
  await (await send(key, instance.url)).text()
  const keys = await listKeys(services.access, { username: instance.username, after: '0', limit: 100 })
  const id = keys.find((one) => one.name === name)?.id ?? ''
  const last = await services.site.lastRequests.read(id)
  expect(JSON.stringify(last)).not.toContain(CANARY)
  return last
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const mcp = (key: string, url: string, params: object) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...bearer(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })

describe('the last request with a key', () => {
  it('a search through a compatible API', async () => {
    const last = await lastOf('compat', (key, url) =>
      fetch(`${url}/searxng/search?q=${CANARY}`, { headers: bearer(key) }),
    )
    expect(last).toMatchObject({
      method: 'GET',
      route: '/searxng/search',
      carrier: 'Bearer',
      status: 200,
      search: 'complete',
      engines: expect.stringContaining('engine_a;ok'),
      refusal: '',
    })
  })

  it('describes a search through our API', async () => {
    const headers = (key: string) => ({ authorization: `Api-Key ${key}` })
    const last = await lastOf('api', (key, url) => fetch(`${url}/api/v1/web/?q=${CANARY}`, { headers: headers(key) }))
    expect(last).toMatchObject({ route: '/api/v1/web/', carrier: 'Api-Key', status: 200, search: 'complete' })
  })

  it('omits a key sent in the URL', async () => {
    const send = (key: string, url: string) => fetch(`${url}/k/${key}/searxng?q=${CANARY}`)
    const last = await lastOf('url', send, ['search', 'address'])
    expect(last).toMatchObject({ route: '/searxng', carrier: 'URL', status: 200 })
  })

  it('has the reason for a refusal', async () => {
    const last = await lastOf('refused', (key, url) =>
      fetch(`${url}/api/v1/translate/?q=${CANARY}&target=de`, { headers: { authorization: `Api-Key ${key}` } }),
    )
    expect(last).toMatchObject({ status: 403, refusal: 'This API key does not have the translate scope.' })
  })

  it('has the reason for a refusal inside a tool call, whose status is 200', async () => {
    const last = await lastOf('tool', (key, url) =>
      mcp(key, url, { name: 'search', arguments: { query: CANARY, tab: CANARY } }),
    )
    expect(last).toMatchObject({ route: '/mcp', status: 200, refusal: expect.stringContaining('tab: ') })
  })
})
