// What an upstream provider omits is an empty value under a key that is always present.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())

const ENGINES = [
  ['engine_a', 'brave'],
  ['engine_b', 'mojeek'],
  ['engine_c', 'marginalia'],
] as const
const FAULTS = ['omit-optional', 'nulls'] as const
const TEXT_FIELDS = [
  'title',
  'url',
  'description',
  'display_url',
  'favicon_url',
  'age',
  'source',
  'source_label',
] as const

/** The results of one engine whose provider omits, or sends null for, everything optional. */
async function bareResults(engine: string, slug: string, kind: (typeof FAULTS)[number]) {
  server.sandbox.setFault(slug, { kind })
  const { status, json } = await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=${engine}`)
  server.sandbox.setFault(slug, undefined)
  expect(status).toBe(200)
  expect(json.results.length).toBeGreaterThan(0)
  return json
}

const CASES = ENGINES.flatMap(([engine, slug]) => FAULTS.map((kind) => [engine, slug, kind] as const))

describe('empty defaults', () => {
  it.each(CASES)('%s (%s) with %s: every key is there, with an empty value of its type', async (engine, slug, kind) => {
    const { results, correction } = await bareResults(engine, slug, kind)
    expect(correction).toBe('')
    for (const result of results) {
      expect(Object.keys(result)).toHaveLength(TEXT_FIELDS.length + 1)
      for (const field of TEXT_FIELDS) expect(typeof result[field]).toBe('string')
      expect(result.sitelinks).toEqual([])
      expect(result.age).toBe('')
    }
  })

  it.each(FAULTS)('with %s a description that the provider omits is the empty string', async (kind) => {
    const { results } = await bareResults('engine_a', 'brave', kind)
    for (const { description } of results) expect(description).toBe('')
  })

  it.each(FAULTS)(
    'with %s the URL, host, icon and source are still filled: they need nothing optional',
    async (kind) => {
      const { results } = await bareResults('engine_a', 'brave', kind)
      for (const { url, display_url, favicon_url, source, source_label } of results) {
        expect(url).toContain(display_url)
        expect(favicon_url).toBe(`https://${display_url}/favicon.ico`)
        expect([source, source_label]).toEqual(['engine_a', 'Brave'])
      }
    },
  )

  it('what one engine omits is taken from another that returned the same page', async () => {
    server.sandbox.setFault('brave', { kind: 'omit-optional' })
    const { json } = await server.api.get('/api/v1/web/?q=climate&engine=engine_a,engine_b')
    server.sandbox.setFault('brave', undefined)
    const shared = json.results.filter(({ source }: { source: string }) => source === 'both')
    expect(shared.length).toBeGreaterThan(0)
    for (const { description } of shared) expect(description).not.toBe('')
  })
})
