import type { ImageHit, NewsHit, Paper, VideoHit, WebHit } from '@bowerbird/engines/engine.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isResponseOf } from './response-shape.ts'

const web: WebHit = {
  kind: 'web',
  title: 't',
  url: 'https://example.org/',
  description: '',
  faviconUrl: '',
  publishedAt: undefined,
  sitelinks: [{ title: 's', url: 'https://example.org/s' }],
}
const picture = { title: 't', url: 'https://example.org/', thumbnailUrl: 'https://example.org/t.png' }
const images: ImageHit = { ...picture, kind: 'image' }
const news: NewsHit = { ...picture, kind: 'news', description: '', publishedAt: 1, publisher: '' }
const videos: VideoHit = { ...picture, kind: 'video', publishedAt: 1, publisher: '', durationSeconds: undefined }
const hits = { web, images, news, videos }
const tabs = ['web', 'images', 'news', 'videos'] as const
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('accepted as a response', () => {
  it.each(tabs)('a response of %s after a round trip through JSON, empty or not', (tab) => {
    expect(isResponseOf[tab](throughJson({ hits: [hits[tab], hits[tab]], correction: 'x' }))).toBe(true)
    expect(isResponseOf[tab](throughJson({ hits: [], correction: '' }))).toBe(true)
  })

  it.each(tabs)('not a response of %s in which any field is missing or of another type', (tab) => {
    for (const name of Object.keys(hits[tab])) {
      const isNumber = ['publishedAt', 'durationSeconds'].includes(name)
      for (const value of [null, {}, true, ...(isNumber ? ['1'] : [undefined, 1])]) {
        const response = throughJson({ hits: [hits[tab], { ...hits[tab], [name]: value }], correction: '' })
        expect(isResponseOf[tab](response), `${name}: ${JSON.stringify(value)}`).toBe(false)
      }
    }
  })

  it.each(tabs)('not a response of %s with an address that is not of a web page', (tab) => {
    for (const name of Object.keys(hits[tab]).filter((name) => name.toLowerCase().endsWith('url'))) {
      for (const address of ['javascript:alert(1)', 'data:text/html,x', 'https://a@b.example/', 'java\nscript:x']) {
        const response = { hits: [{ ...hits[tab], [name]: address }], correction: '' }
        expect(isResponseOf[tab](response), `${name}: ${address}`).toBe(false)
      }
    }
    const sitelinks = [{ title: 's', url: 'javascript:alert(1)' }]
    if (tab === 'web') expect(isResponseOf.web({ hits: [{ ...web, sitelinks }], correction: '' })).toBe(false)
    const isPicture = (imageUrl: string) => isResponseOf.images({ hits: [{ ...images, imageUrl }], correction: '' })
    expect([isPicture('https://example.org/p.png'), isPicture('javascript:alert(1)')]).toEqual([true, false])
    const isUnder = (licence: unknown) => isResponseOf.images({ hits: [{ ...images, licence }], correction: '' })
    expect([isUnder({ name: 'CC0', url: '' }), isUnder({ name: 'CC0', url: 'javascript:x' }), isUnder('CC0')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('what is known of a project or a video only as it was written', () => {
    const isCode = (software: unknown) => isResponseOf.code({ hits: [{ ...web, software }], correction: '' })
    expect([{}, { stars: 3, version: '1.0', isAnswered: true }].map(isCode)).toEqual([true, true])
    expect([null, 'x', { stars: '3' }, { version: 1 }, { isAnswered: 'yes' }].map(isCode)).toEqual(Array(5).fill(false))
    const isVideo = (more: object) => isResponseOf.videos({ hits: [{ ...videos, ...more }], correction: '' })
    expect(isVideo({ views: 3, previewUrl: 'https://example.org/p.png' })).toBe(true)
    expect([{ views: '3' }, { previewUrl: '' }, { previewUrl: 'javascript:x' }].map(isVideo)).toEqual(
      Array(3).fill(false),
    )
  })

  it('not a paper in which anything has another type; one without anything, or as it was found', () => {
    const isPaper = (paper: unknown) => isResponseOf.science(throughJson({ hits: [{ ...web, paper }], correction: '' }))
    const paper: Required<Paper> = {
      authors: ['Ada Lovelace'],
      authorCount: 1,
      venue: 'v',
      year: 2026,
      doi: '10.5555/a',
      abstract: 'a',
      citedBy: 0,
      isOpenAccess: true,
    }
    expect([isPaper(paper), isPaper({}), isPaper(undefined)]).toEqual([true, true, true])
    expect([isPaper(null), isPaper('x'), isPaper({ authors: [1] })]).toEqual([false, false, false])
    for (const name of Object.keys(paper))
      for (const value of [null, {}, false]) expect(isPaper({ ...paper, [name]: value }), name).toBe(false)
  })

  it('nothing else', () => {
    const kinds = Object.keys(isResponseOf) as (keyof typeof isResponseOf)[] // the keys of the object itself
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...kinds), (value, kind) => {
        if (kind === 'suggest' && Array.isArray(value) && value.every((item) => typeof item === 'string')) return
        expect(isResponseOf[kind](value)).toBe(false)
      }),
    )
    expect(isResponseOf.web({ hits: [{ ...web, sitelinks: [{ title: 's' }] }], correction: '' })).toBe(false)
    expect(isResponseOf.suggest(['a', 'b'])).toBe(true)
    expect(isResponseOf.suggest(['a', 1])).toBe(false)
  })
})
