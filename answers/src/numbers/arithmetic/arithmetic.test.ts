// Properties that a table can't express: correct for all numbers, bounded for all texts, and never throws.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../../engines/test/cpu-timer.ts'
import type { AnswerContext } from '../../answer.ts'
import { readQuestion } from '../../question.ts'
import { calculator } from '../calculator.ts'

interface SourceResult {
  text: string
  result: string | null
  problem: string | null
}

async function ask(q: string, lang = ''): Promise<SourceResult | null> {
  const question = readQuestion(q, lang)
  const match = question && calculator.match(question)
  // The calculator doesn't use its context.
  return match ? await calculator.answer(match, {} as AnswerContext) : null
}

const OPERATORS = ['+', '-', '*'] as const

describe('the calculator', () => {
  it('computes whole numbers as BigInt does', async () => {
    const terms = fc.array(fc.tuple(fc.constantFrom(...OPERATORS), fc.bigInt(0n, 10n ** 25n)), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(fc.bigInt(0n, 10n ** 25n), terms, async (first, rest) => {
        const text = rest.reduce((written, [operator, number]) => `${written} ${operator} ${number}`, `${first}`)
        // The same text is JavaScript once every number is a BigInt, but for precedence, which `reduce` would not know.
        const sums = text.split(/ ([+-]) /)
        const product = (part: string) => part.split(' * ').reduce((total, factor) => total * BigInt(factor), 1n)
        let expected = product(sums[0] ?? '')
        for (let at = 1; at < sums.length; at += 2) {
          const value = product(sums[at + 1] ?? '')
          expected += sums[at] === '+' ? value : -value
        }
        expect((await ask(`= ${text}`))?.result).toBe(String(expected))
      }),
    )
  })

  it('adds decimals without losing a cent', async () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 })
    await fc.assert(
      fc.asyncProperty(cents, cents, async (left, right) => {
        const written = (sum: number) => `${Math.floor(sum / 100)}.${String(sum % 100).padStart(2, '0')}`
        const told = await ask(`${written(left)} + ${written(right)}`)
        expect(Math.round(Number(told?.result) * 100)).toBe(left + right)
        expect(told?.result?.length).toBeLessThanOrEqual(12)
      }),
    )
  })

  it('dividing and multiplying again gives the number back', async () => {
    const whole = fc.integer({ min: 1, max: 1_000_000 })
    await fc.assert(
      fc.asyncProperty(whole, whole, async (left, right) => {
        expect((await ask(`(${left} / ${right}) * ${right}`))?.result).toBe(String(left))
      }),
    )
  })

  it('reads back what it writes', async () => {
    for (const q of [
      '2 + 3 * 4',
      '(2 + 3) * 4',
      '2^3^2',
      '(2^3)^2',
      '-2^2',
      '(-2)^2',
      '10 - (3 - 2)',
      '2 / (3 * 4)',
      '5! + 2',
      '7 mod 3 * 2',
      'sqrt(9) + max(1, 2)',
    ]) {
      const told = await ask(`= ${q}`)
      const written = told?.text.split(/ [=≈] /)[0] ?? ''
      expect([q, (await ask(`= ${written}`))?.result]).toEqual([q, told?.result])
    }
  })

  it('has limits: 256 characters, 64 levels, 200 parts', async () => {
    expect(await ask(`${'1+'.repeat(99)}1`)).toMatchObject({ result: '100' })
    expect(await ask(`${'1+'.repeat(128)}1`)).toBeNull()
    expect(await ask(`${'('.repeat(50)}1+1${')'.repeat(50)}`)).toMatchObject({ result: '2' })
    expect(await ask(`${'('.repeat(70)}1+1${')'.repeat(70)}`)).toBeNull()
    expect(await ask(`${'-'.repeat(120)}1+1`)).toBeNull()
  })

  it.each([
    '9^9^9^9',
    '10^10^10^10',
    '2^2^2^2^2^2',
    '1e9999^1e9999',
    '99999999!',
    '((((5!)!)!)!)!',
    'exp(1e99)',
    'sin(1e99)',
    '0.5^1e99',
    '2^(10^12)',
    'ncr(10^30, 10^20)',
    'lcm(2^99999, 3^60000)',
    `${'4999!*'.repeat(40)}1`,
    '1e9999 mod 3',
  ])('%s is reported as too large without computing it', async (q) => {
    const spentMs = startCpuTimer()
    expect(await ask(`= ${q}`)).toMatchObject({ result: null, problem: 'too_large' })
    expect(spentMs()).toBeLessThan(1_000)
  })

  it.each([
    '2^99999/3^60000+',
    'gcd(2^1999,3^1200)+',
    'asinh(1e99)+',
    'acos(0.3)+',
    'ncr(9999,4999)+',
    '4999!+',
    '(2^9999)*',
    'exp(1e9)+',
    'sin ',
  ])('%s repeated up to the length limit takes bounded time', async (part) => {
    const spentMs = startCpuTimer()
    expect(await ask(`= ${part.repeat(Math.floor(250 / part.length))}1`)).not.toBeNull()
    expect(spentMs()).toBeLessThan(1_000)
  })

  it.each([
    ['1/0', 'division_by_zero'],
    ['0/0', 'division_by_zero'],
    ['5 mod 0', 'division_by_zero'],
    ['0^-1', 'division_by_zero'],
    ['0^0', 'undefined'],
    ['ln(0)', 'undefined'],
    ['acos(2)', 'undefined'],
    ['log(5, 1)', 'undefined'],
    ['1.5!', 'undefined'],
    ['(-1)!', 'undefined'],
    ['gcd(1.5, 2)', 'undefined'],
    ['round(1, 99)', 'undefined'],
    ['sqrt(-1)', 'not_real'],
    ['(-8)^(1/3)', 'not_real'],
    ['root(-16, 4)', 'not_real'],
  ])('%s has no result: %s', async (q, problem) => {
    const told = await ask(`= ${q}`)
    expect(told).toMatchObject({ result: null, problem })
    expect(told?.text).not.toMatch(/NaN|Infinity/)
  })

  it('answers any text in bounded time, with a number or a sentence or not at all', async () => {
    const words =
      'sqrt sin( ln max( ncr( pi e tau √ ² x = 0x ½ 1 0 9 99 2.5 1,234 1e9 ( ) + - * / ^ ** % ! ° , ;'.split(' ')
    const piece = fc.constantFrom(...words, ' ', ' mod ', ' of ', ' plus ', ' mal ', 'gcd of ', ' and ')
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('', 'de', 'fr', 'it'),
        async (pieces, lang) => {
          const spentMs = startCpuTimer()
          const told = await ask(`= ${pieces.join('')}`, lang)
          expect(spentMs()).toBeLessThan(1_000)
          if (told === null) return
          expect(told.text).not.toMatch(/NaN|Infinity|undefined/)
          expect(told.result === null).toBe(told.problem !== null)
          if (told.result !== null) expect(told.result).toMatch(/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
