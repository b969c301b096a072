import { describe, expect, it } from 'vitest'
import { entityTag, isKnownTag } from './entity-tag.ts'

describe('entity tags', () => {
  it('are the same for the same content, as text and as bytes, and no other', () => {
    expect(entityTag('straw')).toMatch(/^W\/"[\w-]{22}"$/)
    expect(entityTag(Buffer.from('straw'))).toBe(entityTag('straw'))
    expect(entityTag('Straw')).not.toBe(entityTag('straw'))
  })

  it.each([
    ['W/"a"', true],
    ['"a"', true],
    ['"x", W/"a"', true],
    ['*', true],
    [' "a" ', true],
    ['"A"', false],
    ['a', false],
    ['', false],
    ['"x"', false],
    [undefined, false],
  ])('If-None-Match: %s has W/"a": %s', (header, isKnown) => {
    expect(isKnownTag(header, 'W/"a"')).toBe(isKnown)
  })
})
