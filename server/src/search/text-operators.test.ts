import type { ImageHit, WebHit } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { findSkipReason } from './plan.ts'
import { webHit } from './search.test-harness.ts'
import { keepsToOperators, operatorCheckedBy, uncheckedSlots, withOperators } from './text-operators.ts'

const hit = (changes: Partial<WebHit>) =>
  webHit('https://example.org/oaks', {
    title: 'Oaks of Europe',
    description: 'About the old oak-tree in the park.',
    ...changes,
  })

describe('the text that an engine is asked', () => {
  const query = { text: 'oak', fileTypes: ['pdf'], titleWords: ['old oak', 'oak'] }

  it('has the operators that it understands', () => {
    expect(withOperators(query, { operators: ['filetype', 'intitle'] })).toBe(
      'oak intitle:"old oak" intitle:oak filetype:pdf',
    )
    expect(withOperators(query, { operators: ['filetype'] })).toBe('oak filetype:pdf')
    expect(withOperators({ text: 'oak', fileTypes: ['pdf', 'txt'] }, { operators: ['filetype'] })).toBe(
      'oak (filetype:pdf OR filetype:txt)',
    )
    expect(withOperators(query, {})).toBe('oak')
  })

  it('is too long with them for an engine that would be believed: it is not asked', () => {
    const engine = { maxQueryLength: { characters: 10, words: 10 } }
    const request = { text: 'oak', safe: false, lang: '', page: 1, date: undefined, fileTypes: ['pdf'] }
    expect(findSkipReason(engine, { lastPage: 1, honours: [], operators: ['filetype'] }, request)).toBe('length')
    expect(findSkipReason(engine, { lastPage: 1, honours: [] }, request)).toBeUndefined()
  })
})

describe('a hit of an engine that does not understand an operator', () => {
  it.each([
    ['https://example.org/a.pdf', true],
    ['https://example.org/A.PDF?download=1#page=2', true],
    ['https://example.org/pdf', false],
    ['https://example.org/a.pdf.html', false],
    ['https://pdf.example.org/', false],
    ['not an address', false],
  ])('filetype:pdf, %s: %s', (url, isShown) => {
    expect(keepsToOperators(hit({ url }), { fileTypes: ['pdf'] }, {})).toBe(isShown)
  })

  it.each([
    ['oaks', true],
    ['EUROPE', true],
    ['oaks of', true],
    ['oak', false],
    ['rope', false],
  ])('intitle:%s: %s', (words, isShown) => {
    expect(keepsToOperators(hit({}), { titleWords: [words] }, {})).toBe(isShown)
  })

  it.each([
    ['old oak tree', true],
    ['Oaks of Europe', true],
    ['tree in the', true],
    ['oak old', false],
    ['europe about', true],
  ])('"%s": %s', (phrase, isShown) => {
    expect(keepsToOperators(hit({}), { phrases: [phrase] }, {})).toBe(isShown)
  })

  it('is found in scripts without spaces', () => {
    expect(keepsToOperators(hit({ title: '東京タワーの高さ' }), { titleWords: ['タワー'] }, {})).toBe(true)
  })

  it('is kept if there is nothing in an operator to look for', () => {
    expect(keepsToOperators(hit({}), { phrases: ['+++'] }, {})).toBe(true)
  })
})

it('an engine that declares an operator is believed', () => {
  const declared = { operators: ['filetype', 'intitle', 'quotes'] } as const
  expect(keepsToOperators(hit({}), { fileTypes: ['pdf'], titleWords: ['x'], phrases: ['y'] }, declared)).toBe(true)
})

it('quotation marks in images that nobody checks are told', () => {
  const image: ImageHit = {
    kind: 'image',
    title: 'Oak',
    url: 'https://example.org/',
    thumbnailUrl: 'https://example.org/a',
  }
  expect(keepsToOperators(image, { phrases: ['old oak'] }, {})).toBe(true)
  expect(operatorCheckedBy('quotes', 'images', {})).toBe('none')
  const asks = [
    { slot: { name: 'engine_a' }, tab: { operators: ['quotes'] as const } },
    { slot: { name: 'engine_b' }, tab: {} },
  ]
  expect(uncheckedSlots('images', { phrases: ['old oak'] }, asks)).toEqual(['engine_b'])
  expect(uncheckedSlots('images', {}, asks)).toEqual([])
  expect(uncheckedSlots('web', { phrases: ['old oak'] }, asks)).toEqual([])
})
