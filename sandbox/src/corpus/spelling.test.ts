import { expect, it } from 'vitest'
import { correctSpelling } from './spelling.ts'

it.each([
  ['clmate', 'climate'],
  ['learn Pyton today', 'learn python today'],
])('%s is corrected to %s', (query, corrected) => {
  expect(correctSpelling(query)).toBe(corrected)
})

it.each(['climate', 'constructor', 'toString', '日本', ''])('%s is not changed', (query) => {
  expect(correctSpelling(query)).toBeUndefined()
})
