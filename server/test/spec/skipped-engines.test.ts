// What happens to engines that don't support a parameter. They are
// skipped, the others are called, and Engine-Status says why.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())

it('page: engines past their last page are skipped, and the others are called', async () => {
  const { status, json, headers } = await server.api.get(`/api/v1/images/?q=${freshQuery()}&page=21`)
  expect([status, json.page, headers.get('search-status')]).toEqual([200, 21, 'complete'])
  expect(headers.get('engine-status')).toMatch(/engine_c;ok.*engine_a;skipped;for=page/)
})

it('lang: only engines that accept any language get an unknown one', async () => {
  const { status, json, headers } = await server.api.get(`/api/v1/web/?q=${freshQuery()}&lang=xx`)
  expect([status, json.engine, headers.get('search-status')]).toEqual([200, ['engine_b'], 'complete'])
  expect(headers.get('engine-status')).toMatch(/engine_a;skipped;for=lang.*engine_c;skipped;for=lang/)
})

it('length: an engine with a lower limit than ours is skipped', async () => {
  const { status, headers } = await server.api.get(`/api/v1/web/?q=${'x'.repeat(401)}`)
  expect(status).toBe(200)
  expect(headers.get('engine-status')).toContain('engine_a;skipped;for=length')
})
