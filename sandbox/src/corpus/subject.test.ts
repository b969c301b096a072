import { expect, it } from 'vitest'
import { subjectOf } from './subject.ts'

it.each([
  ['climate', 'climate'],
  ['how to bake bread', 'baking bread'],
  ['how to run faster', 'running faster'],
  ['how do i fix a bike?', 'fixing a bike'],
  ['what is a heat pump', 'heat pump'],
  ['"exact phrase"', 'exact phrase'],
  ['?', 'everything'],
  ['one two three four five six seven eight nine', 'one two three four five six seven eight'],
])('%s is about %s', (query, subject) => {
  expect(subjectOf(query)).toBe(subject)
})
