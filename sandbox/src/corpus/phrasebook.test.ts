import { expect, it } from 'vitest'
import { guessLanguage, PHRASEBOOK_LANGUAGES, translatePhrases } from './phrasebook.ts'

it.each([
  ['hello', 'en', 'fr', 'bonjour'],
  ['Hello, world!', 'en', 'fr', 'Bonjour, monde!'],
  ['The house is red.', 'en', 'es', 'La casa es roja.'],
  ['La casa es roja.', 'es', 'en', 'The house is red.'],
  ['Guten Morgen', 'de', 'nl', 'Goedemorgen'],
  ['zebra', 'en', 'de', 'zebra (simulierte Übersetzung)'],
  ['12 + 3', 'en', 'de', '12 + 3'],
  ['hello', 'en', 'en', 'hello'],
] as const)('%j from %s to %s is %j', (...[text, source, target, translated]) => {
  expect(translatePhrases({ text, source, target })).toBe(translated)
})

it('every phrase has a word in every language', () => {
  for (const target of PHRASEBOOK_LANGUAGES) {
    expect(translatePhrases({ text: 'the weather is nice', source: 'en', target })).toMatch(/^\p{L}/u)
  }
})

it.each([
  ['hello world', 'en'],
  ['la maison est rouge', 'fr'],
  ['Das Wetter ist schön', 'de'],
  ['zebra', undefined],
])('%j is %s', (text, language) => {
  expect(guessLanguage(text)).toBe(language)
})
