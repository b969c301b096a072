import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { ollama } from './ollama.ts'

const { web } = ollama.tabs

describe('ollama', () => {
  it('asks for ten results and nothing else', () => {
    const request = web?.request(ANY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/api/web_search', headers: { authorization: 'Bearer key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({ query: 'oak tree', max_results: 10 })
  })

  it('reads Markdown', () => {
    expect(web?.parse(readFixture('ollama-web-page'), QUERY).hits[0]?.description).toBe('An oak is a tree.')
  })
})
