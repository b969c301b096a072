// Properties of the small answers about numbers that hold for all numbers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Answer, AnswerContext } from '../answer.ts'
import { readQuestion } from '../question.ts'
import { dice } from '../random/dice.ts'
import { randomNumber } from '../random/random-number.ts'
import { ingredientWeight } from './ingredient-weight.ts'
import { numberBase } from './number-base.ts'
import { numberInWords } from './number-in-words.ts'
import { romanNumerals } from './roman-numerals.ts'

async function ask(answer: Answer, q: string, lang = ''): Promise<Record<string, unknown>> {
  const question = readQuestion(q, lang)
  const match = question && answer.match(question)
  // These only use the question and the randomness.
  const context = { question, random: (below: number) => Math.floor(Math.random() * below) } as AnswerContext
  const told = match ? await answer.answer(match, context) : null
  if (!told) throw new Error(`${q} is not answered`)
  return told
}

describe('roman numerals', () => {
  it('from 1 to 3999 are read back as the same number', async () => {
    for (let number = 1; number < 4000; number += 7) {
      const written = await ask(romanNumerals, `${number} in roman numerals`)
      expect(await ask(romanNumerals, `roman numeral ${String(written['roman'])}`)).toMatchObject({ number })
    }
  })
})

describe('number bases', () => {
  /** In binary, numbers below it have at most 200 digits. */
  const LIMIT = 2n ** 200n
  it('are read back as the same number', async () => {
    const bases = fc.integer({ min: 2, max: 36 }).filter((base) => base !== 10)
    await fc.assert(
      fc.asyncProperty(fc.bigInt(1n - LIMIT, LIMIT - 1n), bases, async (number, base) => {
        const there = await ask(numberBase, `${number} to base ${base}`)
        expect(await ask(numberBase, `${String(there['output'])} base ${base} to decimal`)).toMatchObject({
          output: String(number),
        })
      }),
    )
  })
})

describe('numbers in words', () => {
  it.each([
    ['en', 'in words'],
    ['fr', 'en lettres'],
    ['de', 'in worten'],
    ['es', 'en palabras'],
    ['it', 'in lettere'],
    ['pt-PT', 'por extenso'],
    ['nl', 'in woorden'],
    ['en-IN', 'in words'],
  ])('consist of words in %s, up to the largest number that is answered', async (lang, phrase) => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt(0n, 10n ** 15n - 1n), async (number) => {
        const words = (await ask(numberInWords, `${number} ${phrase}`, lang))['words']
        expect(words).toMatch(/^[\p{L}][\p{L} ,'-]*$/u)
        expect(words).not.toContain('undefined')
      }),
      { numRuns: 50 },
    )
  })
})

describe('random numbers', () => {
  it('stay within their bounds, and reach both', async () => {
    const seen = new Set<unknown>()
    for (let round = 0; round < 200; round++) {
      const told = await ask(randomNumber, 'random number between -1 and 1')
      for (const number of z.array(z.int()).parse(told['numbers'])) seen.add(number)
    }
    expect([...seen].toSorted((left, right) => Number(left) - Number(right))).toEqual([-1, 0, 1])
  })

  it('dice show every side and no other', async () => {
    const told = await ask(dice, '100d4')
    expect([...new Set(z.array(z.int()).parse(told['rolls']))].toSorted((left, right) => left - right)).toEqual([
      1, 2, 3, 4,
    ])
  })
})

describe('weights of ingredients', () => {
  it('are proportional to the exact fraction of a cup, to three digits', async () => {
    const parts = fc.record({ top: fc.integer({ min: 1, max: 99 }), bottom: fc.integer({ min: 1, max: 99 }) })
    await fc.assert(
      fc.asyncProperty(parts, async ({ top, bottom }) => {
        const { result } = await ask(ingredientWeight, `${top}/${bottom} cup flour in grams`)
        // Compared as whole numbers, so that no rounding of ours is in the expectation.
        const [shown, exact] = [Number(result) * bottom, 125 * top]
        expect(Math.abs(shown - exact)).toBeLessThanOrEqual(exact * 0.005)
      }),
    )
  })
})
