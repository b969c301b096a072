import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { responseKey } from './response-key.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const SMALL = { size: 'small' } as const
const TALL = { shape: 'tall' } as const
const parts = fc.record({
  tab: fc.constantFrom('web', 'images', 'news', 'videos'),
  text,
  page: fc.integer({ min: 1, max: 50 }),
  safe: fc.boolean(),
  date: fc.constantFrom(undefined, 'd', 'w', 'm', 'y'),
  lang: fc.constantFrom('', 'en', 'en-GB', 'de', 'zh-Hans'),
  region: fc.constantFrom(undefined, 'DE', 'GB'),
  image: fc.constantFrom(undefined, SMALL, TALL),
})
const query = { tab: 'web', text: 'Climate', page: 1, safe: true, date: undefined, lang: 'en' } as const
const keyOf = (text: string) => responseKey({ ...query, text })

describe('the key of a response', () => {
  it('differs when any parameter differs', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const text = one.text
        const isSame = (['tab', 'page', 'safe', 'date', 'lang', 'region', 'image'] as const).every(
          (name) => one[name] === other[name],
        )
        expect(responseKey({ ...one, text }) === responseKey({ ...other, text })).toBe(isSame)
      }),
    )
  })

  it('is that of an older version for a search that it knew', () => {
    expect(responseKey(query)).toBe('L9Byvp_4uVES86MaxP-k8x')
  })

  it('differs when the words differ', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(words, words, (one, other) => {
        expect(keyOf(one.join(' ')) === keyOf(other.join(' '))).toBe(one.join(' ') === other.join(' '))
      }),
    )
  })

  it('is the same however the query is spaced and its accents are encoded', () => {
    const space = fc.constantFrom(' ', '  ', '\t', '\n ', '\u00a0', '\u3000')
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), space, space, (words, one, other) => {
        const plain = keyOf(words.join(' '))
        expect(keyOf(`${one}${words.join(other)}${one}`.normalize('NFC'))).toBe(plain)
        expect(keyOf(words.join(one).normalize('NFD'))).toBe(plain)
      }),
    )
  })

  it('is the same in any case, except beside an operator in capitals', () => {
    expect(keyOf('CLIMATE Change')).toBe(keyOf('climate change'))
    expect(keyOf('ÉTÉ')).toBe(keyOf('été'))
    expect(keyOf('cats OR dogs')).not.toBe(keyOf('cats or dogs'))
    expect(keyOf('(cats AND dogs) NOT birds')).not.toBe(keyOf('(cats and dogs) not birds'))
    expect(keyOf('ORWELL Andes')).toBe(keyOf('orwell andes'))
    expect(responseKey({ ...query, lang: 'EN-gb' })).toBe(responseKey({ ...query, lang: 'en-GB' }))
  })

  it('is short, safe in a Redis key, and reveals nothing of the query', () => {
    fc.assert(
      fc.property(parts, (all) => {
        expect(responseKey(all)).toMatch(/^[\w-]{22}$/)
      }),
    )
  })
})
