import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { huggingface } from './huggingface.ts'

const { code } = huggingface.tabs

describe('huggingface', () => {
  it('asks for as many as the page needs, the newest first when there is a date', () => {
    expect(code?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/api/models?search=oak%20tree&limit=20&sort=lastModified&direction=-1&full=true',
    )
    expect(code?.request(ANY, { baseUrl: '' }).path).toContain('&limit=10&sort=downloads&')
  })

  it('reads name, task, library and last change, and shows the part that is the page', () => {
    const reply = readFixture('huggingface-code-page')
    expect(code?.parse(reply, ANY).hits[0]).toEqual({
      title: 'trees/oak-7b-1',
      url: 'https://huggingface.co/trees/oak-7b-1',
      description: 'text-generation · transformers',
      faviconUrl: '',
      publishedAt: Date.UTC(2026, 10, 1, 8),
      sitelinks: [],
    })
    expect(code?.parse(reply, { ...ANY, page: 2 }).hits.map(({ title }) => title)).toEqual([
      'trees/oak-7b-11',
      'someone/adults',
    ])
  })

  it('drops results tagged as adult if safe is on', () => {
    const { hits } = code?.parse(readFixture('huggingface-code-page'), { ...ANY, page: 2, safe: true }) ?? { hits: [] }
    expect(hits.map(({ title }) => title)).toEqual(['trees/oak-7b-11'])
  })
})
