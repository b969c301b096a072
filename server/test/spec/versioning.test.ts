// Everything is under /api/v1/, and additions to v1 stay out of default bodies.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

let server: SharedInstance
beforeAll(async () => {
  server = await shareInstance()
})

describe('the prefix', () => {
  it('every URL in the root and every path in the document is under /api/v1/', async () => {
    const { json: root } = await server.api.get('/api/v1/')
    const { json: document } = await server.api.get('/api/v1/openapi.json')
    const paths = [...Object.values<string>(root).map((url) => new URL(url).pathname), ...Object.keys(document.paths)]
    for (const path of paths) expect(path).toMatch(/^\/api\/v1\//)
  })

  it.each([
    '/web/?q=climate',
    '/v1/web/?q=climate',
    '/api/web/?q=climate',
    '/api/v0/web/?q=climate',
    '/api/v2/web/?q=climate',
    '/API/V1/web/?q=climate',
  ])('404: %s, without the prefix', async (path) => {
    expect((await server.api.get(path)).status).toBe(404)
  })

  it('nothing in v1 is announced as deprecated', async () => {
    for (const path of ['/api/v1/', '/api/v1/web/?q=climate', '/api/v1/status/', '/api/v1/key/']) {
      const { headers } = await server.api.get(path)
      expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null])
    }
  })
})
