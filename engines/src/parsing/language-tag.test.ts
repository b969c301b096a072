import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { languageTag, marketOf } from './language-tag.ts'

it.each([
  ['', { base: '', script: '', region: '' }],
  ['en', { base: 'en', script: '', region: '' }],
  ['PT-br', { base: 'pt', script: '', region: 'BR' }],
  ['zh-hant-tw', { base: 'zh', script: 'Hant', region: 'TW' }],
  ['sr_Latn_RS', { base: 'sr', script: 'Latn', region: 'RS' }],
  ['es-419', { base: 'es', script: '', region: '' }],
  ['de-CH-1996', { base: 'de', script: '', region: 'CH' }],
  ['x-klingon', { base: '', script: '', region: '' }],
])('%j has the parts %j', (lang, parts) => {
  expect(languageTag(lang)).toEqual(parts)
})

it('languageTag: the parts contain only letters', () => {
  fc.assert(
    fc.property(fc.string(), (lang) => {
      const { base, script, region } = languageTag(lang)
      expect(`${base} ${script} ${region}`).toMatch(/^([a-z]{2,3})? ([A-Z][a-z]{3})? ([A-Z]{2})?$/)
    }),
  )
})

it.each([
  ['de', 'DE'],
  ['de-AT', 'AT'],
  ['pt-BR', 'BR'],
  ['zh-Hant-TW', 'TW'],
  ['ja', 'JP'],
  ['eo', undefined],
  ['eo-DE', undefined],
  ['', undefined],
])('marketOf: %s is %s', (lang, country) => {
  expect(marketOf(lang)).toBe(country)
})
