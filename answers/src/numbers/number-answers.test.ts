// Properties of the small answers about numbers that hold for all numbers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Answer, AnswerContext } from '../answer.ts'
import { readQuestion } from '../question.ts'
import { dice } from '../random/dice.ts'
import { randomNumber } from '../random/random-number.ts'
import { numberBase } from './number-base.ts'
import { romanNumerals } from './roman-numerals.ts'

async function ask(answer: Answer, q: string): Promise<Record<string, unknown>> {
  const question = readQuestion(q, '')
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
