import { describe, expect, it } from 'vitest'
import { seedOf } from './similar-seed.ts'

const seed = (caption: string, query = '', excludeUrl = '') => seedOf({ caption, query, excludeUrl })

describe('the seed of similar images', () => {
  it.each([
    ['Oak bark', 'Oak bark'],
    ['  Oak \n bark ', 'Oak bark'],
    ['Spider-Man - Far From Home', 'Spider-Man - Far From Home'],
    ['x', 'x'],
    ['猫', '猫'],
    ['7', '7'],
  ])('is the caption as it was sent: %j', (caption, expected) => {
    expect(seed(caption, 'tree')).toBe(expected)
  })

  it.each([
    ['Oak bark - Flickr', 'https://www.flickr.com/photos/1', 'Oak bark'],
    ['Oak bark | flickr.com', 'https://flickr.com/photos/1', 'Oak bark'],
    ['Oak bark · Wikimedia Commons', 'https://commons.wikimedia.org/wiki/File:Oak.jpg', 'Oak bark'],
    ['Oak bark – Getty Images', 'https://www.gettyimages.com/detail/1', 'Oak bark'],
    ['Oak - bark - Flickr', 'https://www.flickr.com/photos/1', 'Oak - bark'],
  ])('%j of %s loses the name of its site', (caption, excludeUrl, expected) => {
    expect(seed(caption, '', excludeUrl)).toBe(expected)
  })

  it.each([
    ['Oak bark - Flickr', ''],
    ['Oak bark - Flickr', 'https://example.org/flickr'],
    ['Oak bark - Flickr', 'no address'],
    ['Oak bark - com', 'https://www.flickr.com/'],
    ['--- - Flickr', 'https://www.flickr.com/'],
    ['Spider-Man - Far From Home', 'https://home.example/'],
  ])('%j of %j keeps its end', (caption, excludeUrl) => {
    expect(seed(caption, '', excludeUrl)).toBe(caption)
  })

  it.each(['', '   ', '---', '!?', '🦜', 'a'.repeat(501)])('is the query when the caption is %j', (caption) => {
    expect(seed(caption, ' oak   tree ')).toBe('oak tree')
  })

  it('is empty when neither is usable', () => {
    expect(seed('---', '…')).toBeUndefined()
    expect(seed('', '')).toBeUndefined()
    expect(seed('', 'a'.repeat(501))).toBeUndefined()
  })
})
