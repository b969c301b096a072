// Roman numerals: `2024 in roman numerals`, `MCMXCIV in arabic numerals`, `roman numeral XIV`, `roman 2024`, `MMXXIV`.
// From 1 to 3999, in canonical form only. The query must contain `roman` (in any of the languages), or a word for
// ordinary numbers after a numeral, or be just a numeral of at least five letters, which is never a word. `mix`,
// `civil`, `I`, `louis xiv`, `roman holiday` are ordinary searches.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'

const HINT = /roma|romi|romei|romeins|arab|number|nombre|zahl|decimal|^[ivxlcdm]{5,15}$/
const MAX_VALUE = 3999

const VALUES: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]

const NUMBER = '(?<number>[\\d.,]{1,6})'
const ROMAN = '(?<roman>[ivxlcdm]{1,15})'
/** At least two digits, for use after a bare word for `Roman`. */
const LONG_NUMBER = '(?<number>\\d[\\d.,]{1,5})'
const ASK = '(?:(?:convert|what is|how do you write|write) )?(?:the )?(?:number |year )?'

const TRIGGERS: Triggers = {
  en: [
    new RegExp(`^${ASK}${NUMBER} (?:in|to|as|into) (?:a )?roman(?: numerals?| numbers?)?$`),
    new RegExp(`^${ASK}roman (?:numerals?|numbers?)(?: for| of)? ${NUMBER}$`),
    new RegExp(`^${NUMBER} roman numerals?$`),
    new RegExp(`^roman ${LONG_NUMBER}$`),
    /^(?<roman>[ivxlcdm]{5,15})$/,
    new RegExp(`^${ASK}roman (?:numerals?|numbers?)(?: for| of)? ${ROMAN}$`),
    new RegExp(`^${ROMAN} roman (?:numerals?|numbers?)$`),
    new RegExp(
      `^${ASK}${ROMAN} (?:in|to|as|into) (?:an? )?(?:arabic(?: numerals?| numbers?)?|(?:decimal )?numbers?|ordinary numbers?)$`,
    ),
  ],
  fr: [
    new RegExp(`^${NUMBER} en (?:chiffres? )?romains?$`),
    new RegExp(`^${ROMAN} en chiffres? arabes?$`),
    new RegExp(`^chiffres? romains? ${ROMAN}$`),
    new RegExp(`^(?:chiffres? )?romains? ${LONG_NUMBER}$`),
  ],
  de: [
    new RegExp(`^${NUMBER} (?:in|als) romische[nr]? zahl(?:en)?$`),
    new RegExp(`^romische zahl ${ROMAN}$`),
    new RegExp(`^(?:romisch|romische zahl) ${LONG_NUMBER}$`),
    new RegExp(`^${ROMAN} (?:in|als) arabische[nr]? zahl(?:en)?$`),
  ],
  es: [
    new RegExp(`^${NUMBER} en (?:numeros? )?romanos?$`),
    new RegExp(`^numeros? romanos? ${ROMAN}$`),
    new RegExp(`^(?:numeros? )?romanos? ${LONG_NUMBER}$`),
    new RegExp(`^${ROMAN} en numeros? arabigos?$`),
  ],
  it: [
    new RegExp(`^(?:numer[oi] )?roman[oi] ${LONG_NUMBER}$`),
    new RegExp(`^${NUMBER} in (?:numer[oi] )?roman[oi]$`),
    new RegExp(`^numer[oi] roman[oi] ${ROMAN}$`),
  ],
  pt: [
    new RegExp(`^(?:(?:algarismos?|numeros?) )?romanos? ${LONG_NUMBER}$`),
    new RegExp(`^${NUMBER} em (?:algarismos?|numeros?) romanos?$`),
    new RegExp(`^(?:algarismo|numero) romano ${ROMAN}$`),
  ],
  nl: [
    new RegExp(`^(?:romeins|romeinse cijfers?) ${LONG_NUMBER}$`),
    new RegExp(`^${NUMBER} in romeinse (?:cijfers?|getallen)$`),
    new RegExp(`^romeins cijfer ${ROMAN}$`),
  ],
}

export const romanNumerals = defineAnswer({
  slug: 'roman_numerals',
  title: 'Roman numerals',
  summary: 'Writes numbers from 1 to 3999 as Roman numerals, and back.',
  examples: [
    { q: '2024 in roman numerals' },
    { q: 'MCMXCIV in arabic numerals' },
    { q: '2024 en chiffres romains', lang: 'fr' },
  ],
  reply: z.object({ number: z.int(), roman: z.string() }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ number = '', roman = '' }) => {
      const value = roman === '' ? Number(number.replace(/[.,](?=\d{3}$)/, '')) : readRoman(roman.toUpperCase())
      return Number.isInteger(value) && value >= 1 && value <= MAX_VALUE
        ? { value, isFromRoman: roman !== '' }
        : undefined
    })
  },
  answer({ value, isFromRoman }) {
    const roman = writeRoman(value)
    return { text: isFromRoman ? `${roman} = ${value}` : `${value} = ${roman}`, number: value, roman }
  },
})

function writeRoman(value: number): string {
  let [rest, roman] = [value, '']
  for (const [letters, worth] of VALUES) {
    roman += letters.repeat(Math.floor(rest / worth))
    rest %= worth
  }
  return roman
}

/** Returns 0 for letters that aren't a numeral in canonical form, such as IIII and IC. */
function readRoman(roman: string): number {
  let [value, at] = [0, 0]
  for (const [letters, worth] of VALUES) {
    while (roman.startsWith(letters, at)) {
      value += worth
      at += letters.length
    }
  }
  return writeRoman(value) === roman ? value : 0
}
