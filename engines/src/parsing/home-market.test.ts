import { expect, it } from 'vitest'
import { marketOf } from './home-market.ts'

it.each([
  ['de', 'DE'],
  ['de-AT', 'AT'],
  ['pt-BR', 'BR'],
  ['zh-Hant-TW', 'TW'],
  ['ja', 'JP'],
  ['eo', undefined],
  ['eo-DE', undefined],
  ['', undefined],
])('%s is asked for in %s', (lang, country) => {
  expect(marketOf(lang)).toBe(country)
})
