import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImageHit, NewsHit, VideoHit, WebHit } from '../providers/engine.ts'
import { isPageOf, type PageOf } from './page-shape.ts'

const web: WebHit = {
  title: 't',
  url: 'https://example.org/',
  description: '',
  faviconUrl: '',
  publishedAt: undefined,
  sitelinks: [{ title: 's', url: 'https://example.org/s' }],
}
const images: ImageHit = { title: 't', url: 'https://example.org/', thumbnailUrl: 'https://example.org/t.png' }
const news: NewsHit = { ...images, description: '', publishedAt: 1, publisher: '' }
const videos: VideoHit = { ...images, publishedAt: 1, publisher: '', durationSeconds: undefined }
const hits = { web, images, news, videos }
const tabs = ['web', 'images', 'news', 'videos'] as const
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('what is believed to be a page', () => {
  it.each(tabs)('a page of %s that was written as JSON and read again, empty or not', (tab) => {
    expect(isPageOf[tab](throughJson({ hits: [hits[tab], hits[tab]], correction: 'x' }))).toBe(true)
    expect(isPageOf[tab](throughJson({ hits: [], correction: '' }))).toBe(true)
  })

  it.each(tabs)('not a page of %s in which any field is missing or of another type', (tab) => {
    for (const name of Object.keys(hits[tab])) {
      const isNumber = ['publishedAt', 'durationSeconds'].includes(name)
      for (const value of [null, {}, true, ...(isNumber ? ['1'] : [undefined, 1])]) {
        const page = throughJson({ hits: [hits[tab], { ...hits[tab], [name]: value }], correction: '' })
        expect(isPageOf[tab](page), `${name}: ${JSON.stringify(value)}`).toBe(false)
      }
    }
  })

  it('nothing else', () => {
    const kinds = Object.keys(isPageOf) as (keyof PageOf)[] // the keys of the object itself
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (value, kind) => {
        if (kind === 'suggest' && Array.isArray(value) && value.every((item) => typeof item === 'string')) return
        expect(isPageOf[kind](value)).toBe(false)
      }),
    )
    expect(isPageOf.web({ hits: [{ ...web, sitelinks: [{ title: 's' }] }], correction: '' })).toBe(false)
    expect(isPageOf.suggest(['a', 'b'])).toBe(true)
    expect(isPageOf.suggest(['a', 1])).toBe(false)
  })
})
