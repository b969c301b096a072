import type { ImageHit } from '@bowerbird/engines/engine.ts'
import { expect, it } from 'vitest'
import { toHitKey } from './previous-pages.ts'
import { webHit } from './search.test-harness.ts'

it('a page is the same under every form of its URL', () => {
  expect(toHitKey(webHit('http://www.example.org/a/?utm_source=b'))).toBe(toHitKey(webHit('https://example.org/a')))
})

it('two pictures of one page are not the same, so a later page may show the second', () => {
  const picture: ImageHit = {
    kind: 'image',
    title: '',
    url: 'https://example.org/',
    thumbnailUrl: 'https://a.example/1',
  }
  expect(toHitKey({ ...picture, thumbnailUrl: 'https://a.example/2' })).not.toBe(toHitKey(picture))
})
