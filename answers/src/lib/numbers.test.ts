import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberLocale, readNumber, writeNumber } from './numbers.ts'

const LOCALES = 'en en-GB en-IN en-ZA fr fr-CH fr-CA de de-CH de-AT es es-MX it it-CH pt pt-PT nl'.split(' ')

describe('a number as people write it', () => {
  it.each([
    ['1234', 'en', '1234'],
    ['1,234', 'en', '1234'],
    ['1,234', 'de', '1.234'],
    ['1,234', 'fr', '1.234'],
    ['1.234', 'de', '1234'],
    ['1.234', 'en', '1.234'],
    ['1.234', 'fr', '1.234'],
    ['1.234', 'es-MX', '1.234'],
    ['1.234,5', 'en', '1234.5'],
    ['1,234.5', 'de', '1234.5'],
    ['1 234,5', 'fr', '1234.5'],
    ['1\u202f234,5', 'fr', '1234.5'],
    ['1 234,567', 'en', '1234.567'],
    ["1'234.5", 'de-CH', '1234.5'],
    ['12,34,567', 'en-IN', '1234567'],
    ['12,34,567.5', 'en', '1234567.5'],
    ['1.234.567', 'en', '1234567'],
    ['0,123', 'en', '0.123'],
    ['1234,567', 'en', '1234.567'],
    ['3,5', 'en', '3.5'],
    ['.5', 'en', '0.5'],
    [',5', 'de', '0.5'],
    ['-40', 'en', '-40'],
    ['−40', 'en', '-40'],
    ['+7', 'en', '7'],
    ['2e6', 'en', '2e6'],
    ['1.5E-3', 'en', '1.5e-3'],
    ['1_000_000', 'en', '1000000'],
    ['007', 'en', '007'],
  ])('%j in %s is %s', (text, locale, number) => {
    expect(readNumber(text, locale)).toBe(number)
  })

  it.each([
    '',
    '.',
    '-',
    '5.',
    '1.2.3',
    '192.168.100.200',
    '1,23,4',
    '1,2,3',
    '12 34',
    '1 234.567,8',
    '1,234.567.8',
    '12,345.6.7',
    '1..2',
    '1,,2',
    '1e',
    'e5',
    '0x10',
    '1 ',
    ' 1',
    '5km',
    'ten',
    '½',
    "1'23",
    '1.234,567.8',
    '9'.repeat(70),
  ])('%j is not a number', (text) => {
    expect(readNumber(text, 'en')).toBeUndefined()
    expect(readNumber(text, 'de')).toBeUndefined()
  })
})

describe('a number as it is written for people', () => {
  it.each([
    ['1234567.5', 'en', '1,234,567.5'],
    ['1234567.5', 'en-IN', '12,34,567.5'],
    ['1234567.5', 'fr', '1\u202f234\u202f567,5'],
    ['1234567.5', 'de', '1.234.567,5'],
    ['-0', 'en', '0'],
    ['-0.00', 'en', '0'],
    ['0.333333333333333333333333333333', 'en', '0.333333333333333'],
    ['12345678901234567890123.5', 'en', '12,345,678,901,234,567,890,124'],
    ['2.7182818284590452353602874713527', 'de', '2,71828182845905'],
    ['0.0009765625', 'en', '0.0009765625'],
    ['1e-12', 'en', '1 × 10^-12'],
    ['1.5e21', 'de', '1,5 × 10^21'],
    ['2e6', 'en', '2,000,000'],
    [String(2n ** 200n), 'en', (2n ** 200n).toLocaleString('en')],
  ])('%s in %s is %s', (exact, locale, text) => {
    expect(writeNumber(exact, locale)).toBe(text)
  })

  it('is read back as the same number', () => {
    const decimals = fc.tuple(
      fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n),
      fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), maxLength: 4 }),
    )
    fc.assert(
      fc.property(decimals, fc.constantFrom(...LOCALES), ([whole, tail], locale) => {
        const exact = tail === '' ? String(whole) : `${whole}.${tail}9`
        expect(readNumber(writeNumber(exact, locale), locale)).toBe(exact === '-0' ? '0' : exact)
      }),
    )
  })
})

describe('the locale of numbers', () => {
  it.each([
    ['', '', '', 'en'],
    ['', '', 'de', 'de'],
    ['de', 'de', 'en', 'de'],
    ['de', 'de-CH', '', 'de-CH'],
    ['es', 'es-419', '', 'es-419'],
    ['en', 'en-gb-oxendict', '', 'en-GB'],
    ['de', 'de-Latn-at-u-nu-arab', '', 'de-AT'],
    ['', 'ja-JP', 'fr', 'fr'],
  ] as const)('of %j, %j, with words in %j is %s', (...row) => {
    const [lang, tag, spoken, locale] = row
    expect(numberLocale({ lang, tag }, spoken)).toBe(locale)
  })
})
