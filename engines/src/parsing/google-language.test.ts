import { expect, it } from 'vitest'
import { GOOGLE_LANGUAGES, googleInterfaceLanguage, googleResultLanguage } from './google-language.ts'

it.each([
  ['de-AT', 'de', 'lang_de'],
  ['zh', 'zh-cn', 'lang_zh-CN'],
  ['zh-Hans-HK', 'zh-cn', 'lang_zh-CN'],
  ['zh-TW', 'zh-tw', 'lang_zh-TW'],
  ['zh-HK', 'zh-tw', 'lang_zh-TW'],
  ['zh-Hant', 'zh-tw', 'lang_zh-TW'],
  ['nb-NO', 'no', 'lang_no'],
  ['no', 'no', 'lang_no'],
  ['nn', 'nn', 'lang_no'],
  ['he', 'iw', 'lang_iw'],
  ['fil', 'tl', 'lang_tl'],
  ['tl', 'tl', 'lang_tl'],
  ['jv', 'jw', undefined],
  ['bn', 'bn', undefined],
  ['tlh', undefined, undefined],
  ['', undefined, undefined],
])('Google calls %j %s, and results in it %s', (lang, hl, lr) => {
  expect(googleInterfaceLanguage(lang)).toBe(hl)
  expect(googleResultLanguage(lang)).toBe(lr)
})

it('every language that is declared has a code', () => {
  expect(GOOGLE_LANGUAGES.filter((language) => googleInterfaceLanguage(language) === undefined)).toEqual([])
})
