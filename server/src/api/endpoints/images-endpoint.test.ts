import type { ImageHit } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { found, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const similar = (params: Record<string, string>) =>
  stage.get(`/api/v1/images/similar/?${new URLSearchParams(params).toString()}`)

describe('similar images', () => {
  it.each([
    [{ q: 'Oak bark' }, 'Oak bark'],
    [{ q: 'Oak bark - Far From Home', query: 'trees' }, 'Oak bark - Far From Home'],
    [{ q: '  Oak \n bark ' }, 'Oak bark'],
    [{ q: '---', query: 'oak  trees' }, 'oak trees'],
    [{ query: 'oak trees' }, 'oak trees'],
  ])('200: %j searches images for %j, safely and on page 1', async (params, seed) => {
    const { status, json } = await similar(params)
    expect({ status, query: json.query }).toEqual({ status: 200, query: seed })
    expect(stage.asked).toEqual([
      ['search', 'images', { text: seed, engines: [], safe: true, lang: '', page: 1, date: undefined }],
    ])
  })

  it('200: leaves out the original picture, however its URL is written', async () => {
    const hitAt = (url: string): ImageHit => ({ title: 'Oak', url, thumbnailUrl: 'https://example.org/oak.png' })
    const hits = [hitAt('https://www.example.org/oak/'), hitAt('https://example.org/elm')]
    stage.says.search = async (_tab, request) => found('images', request, { hits })
    const urls = async (params: Record<string, string>) =>
      (await similar(params)).json.results.map(({ url }: { url: string }) => url)
    expect(await urls({ q: 'Oak bark' })).toEqual(hits.map(({ url }) => url))
    const exclude_url = 'http://example.org/oak?utm_source=mail'
    expect(await urls({ q: 'Oak bark', exclude_url })).toEqual(['https://example.org/elm'])
    expect(await urls({ q: 'Oak bark', exclude_url: 'no address' })).toHaveLength(2)
  })

  it('200: has the headers of a search', async () => {
    const { headers, json } = await similar({ q: 'Oak bark' })
    expect(headers).toMatchObject({
      'search-status': 'complete',
      'engine-status': 'engine_a;ok;n=0;ms=12',
      'cache-status': 'bowerbird; fwd=miss',
      'server-timing': 'upstream;dur=12',
    })
    expect(json.engine).toEqual(['engine_a'])
  })

  it.each([
    {},
    { q: '' },
    { q: ' ', query: ' ' },
    { q: '---' },
    { q: '…', query: '!' },
    { q: 'x'.repeat(501), query: 'y'.repeat(501) },
  ])('400: no usable seed, reported under both names: %#', async (params) => {
    const { status, json } = await similar(params)
    const message = ['Send a caption in q, or a query in query, with a letter or a digit and at most 500 characters.']
    expect({ status, json }).toEqual({ status: 400, json: { q: message, query: message } })
    expect([stage.asked, stage.counted]).toEqual([[], []])
  })
})
