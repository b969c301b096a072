import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameName, sharedPart, wordsOf } from './names.ts'

describe('names', () => {
  it.each([
    ['Eiffel Tower', 'eiffel tower'],
    ['The Eiffel Tower', 'Eiffel Tower'],
    ['Spider-Man', 'spiderman'],
    ['Spider-Man', 'spider man'],
    ['Beyoncé', 'beyonce'],
    ["Rubik's Cube", 'Rubik’s cube'],
    ['U.S.', 'us'],
    ['C++', 'c++'],
    ['Ｔｏｋｙｏ', 'tokyo'],
  ])('%s and %s are one', (one, other) => {
    expect(isSameName(one, other)).toBe(true)
  })

  it.each([
    ['C', 'C++'],
    ['C++', 'C#'],
    ['Paris', 'Paris Hilton'],
    ['', ''],
    ['!!!', '???'],
    ['The', ''],
  ])('%j and %j are not', (one, other) => {
    expect(isSameName(one, other)).toBe(false)
  })

  it('every name is the same as itself, however it is spaced and encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        if (wordsOf(name).length > 0) expect(isSameName(name, `  ${name.normalize('NFD')} `)).toBe(true)
      }),
    )
  })

  it('tells the share of words', () => {
    expect(sharedPart(['a', 'b', 'c', 'd'], ['b', 'd', 'x'])).toBe(0.5)
    expect(sharedPart([], ['b'])).toBe(0)
  })
})
