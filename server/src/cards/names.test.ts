import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSubjectFinder, isSameName, sharedPart, wordsOf } from './names.ts'

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
  ])('%s and %s are the same name', (one, other) => {
    expect(isSameName(one, other)).toBe(true)
  })

  it.each([
    ['C', 'C++'],
    ['C++', 'C#'],
    ['Paris', 'Paris Hilton'],
    ['', ''],
    ['!!!', '???'],
    ['The', ''],
  ])('%j and %j are different names', (one, other) => {
    expect(isSameName(one, other)).toBe(false)
  })

  it('every name is the same as itself, however it is spaced and encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        if (wordsOf(name).length > 0) expect(isSameName(name, `  ${name.normalize('NFD')} `)).toBe(true)
      }),
    )
  })

  it('sharedPart is the share of common words', () => {
    expect(sharedPart(['a', 'b', 'c', 'd'], ['b', 'd', 'x'])).toBe(0.5)
    expect(sharedPart([], ['b'])).toBe(0)
  })
})

const about = createSubjectFinder([
  { before: 'what does', after: 'mean' },
  { before: "definition of|que signifie|dov'e" },
  { after: 'meaning|on a map' },
])

it.each([
  ['what does petrichor mean?', 'petrichor'],
  ['What Does Petrichor MEAN', 'Petrichor'],
  ['definition of “ice cream”', 'ice cream'],
  ['Que signifie dépaysement ?', 'dépaysement'],
  ["dov'è Firenze", 'Firenze'],
  ['dov’è Firenze', 'Firenze'],
  ['petrichor meaning', 'petrichor'],
  ['lyon on a map', 'lyon'],
])('%j asks about %j', (text, subject) => {
  expect(about(text)).toBe(subject)
})

it.each(['what does petrichor', 'petrichor mean', 'definition of', 'meaning', 'meaning of life', 'what does mean', ''])(
  '%j asks about nothing',
  (text) => {
    expect(about(text)).toBeUndefined()
  },
)
