import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { primeFactors } from './prime-numbers.ts'

const isPrimeByTrial = (number: bigint): boolean => {
  if (number < 2n) return false
  for (let divisor = 2n; divisor * divisor <= number; divisor += 1n) if (number % divisor === 0n) return false
  return true
}

describe('prime factors', () => {
  it('multiply to the number, rise, and are prime', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n, max: 10_000_000_000n }), (number) => {
        const factors = primeFactors(number)
        expect(factors.reduce((product, { prime, power }) => product * prime ** BigInt(power), 1n)).toBe(number)
        expect(factors.every(({ prime }) => isPrimeByTrial(prime))).toBe(true)
        const primes = factors.map(({ prime }) => prime)
        expect(primes).toEqual(primes.toSorted((one, other) => (one < other ? -1 : 1)))
      }),
      { numRuns: 200 },
    )
  })

  it('are found quickly for the hardest numbers of 15 digits: the product of two primes of almost the same size', () => {
    const start = performance.now()
    expect(primeFactors(31_622_743n * 31_622_743n)).toEqual([{ prime: 31_622_743n, power: 2 }])
    expect(primeFactors(31_622_743n * 31_622_777n)).toHaveLength(2)
    // A few milliseconds; the bound only tells it from trial division, which takes seconds.
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
