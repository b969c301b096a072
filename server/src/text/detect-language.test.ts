import { expect, it } from 'vitest'
import { detectLanguage } from './detect-language.ts'

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
