// Decision 0020: what happens to engines that cannot do what was asked, where the specification does not say. They are
// skipped, the others are asked, and Engine-Status says why.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())

it('page: those that go on after the last page of others are asked', async () => {
  const { status, json, headers } = await server.api.get(`/api/v1/images/?q=${freshQuery()}&page=21`)
  expect([status, json.page, headers.get('search-status')]).toEqual([200, 21, 'complete'])
  expect(headers.get('engine-status')).toMatch(/engine_c;ok.*engine_a;skipped;for=page/)
})

it('lang: a language that nobody has heard of is left to the engines that take any', async () => {
  const { status, json, headers } = await server.api.get(`/api/v1/web/?q=${freshQuery()}&lang=xx`)
  expect([status, json.engine, headers.get('search-status')]).toEqual([200, ['engine_b'], 'complete'])
  expect(headers.get('engine-status')).toMatch(/engine_a;skipped;for=lang.*engine_c;skipped;for=lang/)
})

it('length: an engine that takes fewer characters than a query may have', async () => {
  const { status, headers } = await server.api.get(`/api/v1/web/?q=${'x'.repeat(401)}`)
  expect(status).toBe(200)
  expect(headers.get('engine-status')).toContain('engine_a;skipped;for=length')
})
