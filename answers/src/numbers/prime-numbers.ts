// Primes: `is 97 prime`, `prime factors of 84`, `primfaktoren von 84`. A whole number must be named: `prime video`,
// `prime minister`, `optimus prime` and `prime numbers` are ordinary searches. Numbers of up to 15 digits, which trial
// division by all primes below their root would make slow: so it divides by small primes first, then tests and splits
// what is left (Miller–Rabin with bases that are proven for this range, Pollard's rho).
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { fillIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT = /prim|priem|premier|factor|fatto|fator|ontbind/
const NUMBER = "(?<number>\\d[\\d.,' ]{0,20})"
const MAX_DIGITS = 15

const patterns = (...sources: string[]): RegExp[] =>
  sources.map((source) => new RegExp(`^${source.replace('<n>', NUMBER)}$`))

/** `check` asks whether it is prime; without it, for the factors. */
const TRIGGERS: Triggers = {
  en: patterns(
    '(?<check>is) (?:the number )?<n> (?:an? )?prime(?: number)?',
    '(?<check>is) <n> prime or composite',
    '(?:what are )?(?:the )?prime (?:factors|factorization|factorisation|decomposition)(?: of| for)? <n>',
    '(?:factorize|factorise) <n>',
    '(?:what are )?(?:the )?factorization of <n>',
  ),
  fr: patterns(
    '<n> (?<check>est)[ -](?:il )?(?:un nombre )?premier',
    '(?<check>est)[ -]ce que <n> est (?:un nombre )?premier',
    '(?:facteurs premiers|decomposition en facteurs premiers|factorisation) (?:de )?<n>',
  ),
  de: patterns(
    '(?<check>ist) (?:die zahl )?<n> (?:eine )?prim(?:zahl)?',
    '(?:primfaktoren|primfaktorzerlegung|primfaktorenzerlegung) (?:von )?<n>',
  ),
  es: patterns(
    '(?:el )?<n> (?<check>es) (?:un numero )?primo',
    '(?<check>es) (?:el )?<n> (?:un numero )?primo',
    '(?:factores primos|factorizacion|descomposicion en factores primos) (?:de )?<n>',
  ),
  it: patterns(
    '(?:il )?<n> (?<check>e) (?:un numero )?primo',
    '(?:fattori primi|scomposizione in fattori primi|fattorizzazione) (?:di )?<n>',
  ),
  pt: patterns(
    '(?:o )?<n> (?<check>e) (?:um numero )?primo',
    '(?:fatores primos|fatoracao|decomposicao em fatores primos) (?:de )?<n>',
  ),
  nl: patterns(
    '(?<check>is) <n> (?:een )?priem(?:getal)?',
    '(?:priemfactoren|priemontbinding|ontbinding in priemfactoren) (?:van )?<n>',
  ),
}

interface Sentences {
  prime: string
  composite: string
  neither: string
}

const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: {
    prime: '{n} is prime',
    composite: '{n} is not prime: {factors}',
    neither: '{n} is neither prime nor composite',
  },
  fr: {
    prime: '{n} est premier',
    composite: '{n} n’est pas premier : {factors}',
    neither: '{n} n’est ni premier ni composé',
  },
  de: {
    prime: '{n} ist eine Primzahl',
    composite: '{n} ist keine Primzahl: {factors}',
    neither: '{n} ist weder prim noch zusammengesetzt',
  },
  es: {
    prime: '{n} es primo',
    composite: '{n} no es primo: {factors}',
    neither: '{n} no es ni primo ni compuesto',
  },
  it: {
    prime: '{n} è primo',
    composite: '{n} non è primo: {factors}',
    neither: '{n} non è né primo né composto',
  },
  pt: {
    prime: '{n} é primo',
    composite: '{n} não é primo: {factors}',
    neither: '{n} não é primo nem composto',
  },
  nl: {
    prime: '{n} is een priemgetal',
    composite: '{n} is geen priemgetal: {factors}',
    neither: '{n} is geen priemgetal en niet samengesteld',
  },
}

export const primeNumbers = defineAnswer({
  slug: 'prime_numbers',
  title: 'Prime numbers',
  summary: `Whether a whole number of up to ${MAX_DIGITS} digits is prime, and its prime factors.`,
  examples: [
    { q: 'is 97 prime' },
    { q: 'prime factors of 84' },
    { q: 'primfaktoren von 84', lang: 'de' },
    { q: '97 est-il premier', lang: 'fr' },
  ],
  reply: z.object({
    number: z.string(),
    is_prime: z.boolean(),
    factors: z.array(z.object({ prime: z.string(), power: z.int() })).describe('From the smallest; empty for 0 and 1'),
  }),
  match(question) {
    if (!HINT.test(question.folded) || !/\d/.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ number = '', check = '' }, spoken) => {
      const locale = numberLocale(question, spoken)
      const digits = readNumber(number, locale)
      const isWhole = digits !== undefined && /^\d+$/.test(digits) && digits.length <= MAX_DIGITS
      return isWhole ? { number: BigInt(digits), isCheck: check !== '', locale } : undefined
    })
  },
  answer({ number, isCheck, locale, language }) {
    const factors = primeFactors(number)
    const isPrime = factors.length === 1 && factors[0]?.power === 1
    const written = writeNumber(String(number), locale)
    const product = `${written} = ${factors.map(({ prime, power }) => writePower(prime, power, locale)).join(' × ')}`
    const { prime, composite, neither } = SENTENCES[language]
    const sentence = factors.length === 0 ? neither : isPrime ? prime : isCheck ? composite : '{factors}'
    return {
      text: fillIn(sentence, { n: written, factors: product }),
      number: String(number),
      is_prime: isPrime,
      factors: factors.map((factor) => ({ prime: String(factor.prime), power: factor.power })),
    }
  },
})

const writePower = (prime: bigint, power: number, locale: string): string =>
  `${writeNumber(String(prime), locale)}${power === 1 ? '' : `^${power}`}`

interface Factor {
  prime: bigint
  power: number
}

const SMALL_LIMIT = 1_000n
/** These bases prove every number below 3.3 × 10^24. */
const BASES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n]

export function primeFactors(number: bigint): Factor[] {
  if (number < 2n) return []
  const primes: bigint[] = []
  let rest = number
  for (let divisor = 2n; divisor < SMALL_LIMIT && divisor * divisor <= rest; divisor += divisor === 2n ? 1n : 2n) {
    while (rest % divisor === 0n) {
      primes.push(divisor)
      rest /= divisor
    }
  }
  if (rest > 1n) splitLarge(rest, primes)
  const powers = new Map<bigint, number>()
  for (const prime of primes) powers.set(prime, (powers.get(prime) ?? 0) + 1)
  return [...powers]
    .map(([prime, power]) => ({ prime, power }))
    .toSorted((one, other) => (one.prime < other.prime ? -1 : 1))
}

function splitLarge(number: bigint, primes: bigint[]): void {
  if (isPrime(number)) {
    primes.push(number)
    return
  }
  const divisor = divisorOf(number)
  splitLarge(divisor, primes)
  splitLarge(number / divisor, primes)
}

/** Exact for every number this answer takes. */
function isPrime(number: bigint): boolean {
  if (BASES.includes(number)) return true
  if (number < 2n || BASES.some((base) => number % base === 0n)) return false
  let [odd, twos] = [number - 1n, 0]
  while (odd % 2n === 0n) [odd, twos] = [odd / 2n, twos + 1]
  return BASES.every((base) => {
    let power = powerModulo(base, odd, number)
    if (power === 1n) return true
    for (let step = 0; step < twos; step += 1) {
      if (power === number - 1n) return true
      power = (power * power) % number
    }
    return false
  })
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus]
  for (let rest = exponent; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** Pollard's rho. The number is composite, so some sequence finds a divisor; for 15 digits in a few thousand steps. */
function divisorOf(number: bigint): bigint {
  for (let shift = 1n; ; shift += 1n) {
    let [slow, fast, divisor] = [2n, 2n, 1n]
    while (divisor === 1n) {
      slow = (slow * slow + shift) % number
      fast = (fast * fast + shift) % number
      fast = (fast * fast + shift) % number
      divisor = commonDivisor(slow > fast ? slow - fast : fast - slow, number)
    }
    if (divisor !== number) return divisor
  }
}

function commonDivisor(left: bigint, right: bigint): bigint {
  let [one, other] = [left, right]
  while (other > 0n) [one, other] = [other, one % other]
  return one
}
