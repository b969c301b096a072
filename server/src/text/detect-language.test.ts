import { expect, it } from 'vitest'
import { detectLanguage, isDetectable, loadLanguageTest } from './detect-language.ts'

it.each([
  ['Where is the train station, please?', 'en'],
  ['El perro come carne todos los días.', 'es'],
  ['Où est la gare, s’il vous plaît ?', 'fr'],
  ['Hvor er togstasjonen, og når går toget til byen?', 'nb'],
  ['Gdzie jest dworzec kolejowy?', undefined],
])('%j is most likely %s, of four languages', async (text, code) => {
  const [best] = await detectLanguage(text, ['en', 'es', 'fr', 'nb'])
  if (code === undefined) expect(best?.score ?? 0).toBeLessThan(0.7)
  else expect(best).toEqual({ code, score: expect.toSatisfy((score: number) => score >= 0.7) })
})

it('gives only languages it was asked about, the likeliest first', async () => {
  const guesses = await detectLanguage('La casa es roja y el agua es azul.', ['en', 'es', 'ca', 'xyz'])
  expect(guesses.every(({ code }) => ['en', 'es', 'ca'].includes(code))).toBe(true)
  expect(guesses.map(({ score }) => score)).toEqual(guesses.map(({ score }) => score).toSorted((a, b) => b - a))
})

it.each(['', '😀', '12345', '?!'])('%j is in no language', async (text) => {
  expect(await detectLanguage(text, ['en', 'es'])).toEqual([])
})

it.each([
  ['de', 'Wärmepumpe: so funktioniert sie. Kurz erklärt.', true],
  ['de', 'Heat pumps explained. How a heat pump works in winter.', false],
  ['de', 'Python 3.12', true],
  ['fr', 'La météo à Paris. Prévisions pour dix jours.', true],
  ['fr', '東京の天気', false],
  ['nb', 'Hvor er togstasjonen, og når går toget til byen?', true],
])('may a text be in %s? %j: %s', async (language, text, verdict) => {
  const isInLanguage = await loadLanguageTest(language)
  expect(isInLanguage(text)).toBe(verdict)
})

it('knows which languages it can tell apart', () => {
  expect(['de', 'ja', 'nb', 'gsv', ''].map(isDetectable)).toEqual([true, true, true, false, false])
})
