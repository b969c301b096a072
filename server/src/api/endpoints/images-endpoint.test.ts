import type { ImageHit } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { found, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const similar = (params: Record<string, string>) =>
  stage.get(`/api/v1/images/similar/?${new URLSearchParams(params).toString()}`)

describe('image search', () => {
  const facts = { url: 'https://example.org/oak.jpg', width: 1600, height: 900, creator: 'Ann', licence: 'CC BY 4.0' }
  const oak: ImageHit = {
    kind: 'image',
    title: 'Oak',
    url: 'https://example.org/oak',
    thumbnailUrl: 'https://example.org/oak.png',
    imageUrl: facts.url,
    width: facts.width,
    height: facts.height,
    creator: facts.creator,
    licence: { name: facts.licence, url: 'https://creativecommons.org/licenses/by/4.0/' },
  }
  const elm: ImageHit = {
    kind: 'image',
    title: 'Elm',
    url: 'https://example.org/elm',
    thumbnailUrl: 'https://example.org/elm.png',
  }

  it('200: has the size, the creator and the licence with include=image, and by default the fields of old', async () => {
    stage.says.search = async (_tab, request) => found('images', request, { hits: [oak, elm] })
    const plain = (await stage.get('/api/v1/images/?q=oak')).json.results
    expect(plain[0]).toEqual({ title: 'Oak', url: oak.url, source: 'example.org', thumbnail: oak.thumbnailUrl })
    const { results } = (await stage.get('/api/v1/images/?q=oak&include=image')).json
    expect(results).toEqual([
      { ...plain[0], image: { ...facts, licence_url: oak.licence?.url } },
      { ...plain[1], image: { url: '', width: null, height: null, creator: '', licence: '', licence_url: '' } },
    ])
  })

  it('200: passes its filters on', async () => {
    const sent = 'image_size=Large&image_shape=tall&image_licence=commercial&image_color=teal&image_kind=photo'
    expect((await stage.get(`/api/v1/images/?q=oak&${sent}`)).status).toBe(200)
    expect(stage.asked.at(-1)?.[2]).toMatchObject({
      image: { size: 'large', shape: 'tall', licence: 'commercial', color: 'teal', kind: 'photo' },
    })
    await stage.get('/api/v1/images/?q=oak&image_size=')
    expect(stage.asked.at(-1)?.[2]).not.toHaveProperty('image')
  })

  it('400: says what a filter takes', async () => {
    const { status, json } = await stage.get('/api/v1/images/?q=oak&image_size=canary&image_licence=canary')
    expect({ status, json }).toEqual({
      status: 400,
      json: { image_size: ['Send small, medium, large.'], image_licence: ['Send public, share, commercial, modify.'] },
    })
  })
})

describe('similar images', () => {
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
