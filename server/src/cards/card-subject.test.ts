import { expect, it } from 'vitest'
import { cardSubject } from './card-subject.ts'

const about = cardSubject([
  { before: ['what does'], after: ['mean'] },
  { before: ['definition of', 'que signifie', "dov'e"], after: [] },
  { before: [], after: ['meaning', 'on a map'] },
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
