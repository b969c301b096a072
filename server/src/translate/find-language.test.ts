import { expect, it } from 'vitest'
import { findLanguage } from './find-language.ts'

const OFFERED = ['en', 'de', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant', 'sr-Latn', 'nb', 'ast'].map((code) => ({ code }))

it.each([
  ['en', 'en'],
  ['EN', 'en'],
  ['en-GB', 'en'],
  ['en_US', 'en'],
  ['eng', 'en'],
  ['deu', 'de'],
  ['pt', 'pt'],
  ['pt-PT', 'pt'],
  ['pt-br', 'pt-BR'],
  ['por_BR', 'pt-BR'],
  ['pb', 'pt-BR'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zt', 'zh-Hant'],
  ['sh', 'sr-Latn'],
  ['hbs', 'sr-Latn'],
  ['nob', 'nb'],
  ['ast', 'ast'],
])('%s means %s', (asked, code) => {
  expect(findLanguage(OFFERED, asked)?.code).toBe(code)
})

it.each([
  '',
  'auto',
  'fr',
  'xx',
  'sr',
  'english',
  'e',
  'en--',
  '<b>',
  'en\0',
  'x'.repeat(5_000),
  '__proto__',
  'pt-BR-',
])('%j is none of them', (asked) => {
  expect(findLanguage(OFFERED, asked)).toBeUndefined()
})

it('another script is another language', () => {
  expect(findLanguage([{ code: 'zh' }], 'zh-TW')).toBeUndefined()
  expect(findLanguage([{ code: 'zh' }], 'zh-Hans')?.code).toBe('zh')
})

it('a code that is written exactly so wins, whatever it means to others', () => {
  expect(findLanguage([{ code: 'zh-Hant' }, { code: 'zt' }], 'zt')?.code).toBe('zt')
})
