// Roman numerals: `2024 in roman numerals`, `MCMXCIV in arabic numerals`, `roman numeral XIV`, `roman 2024`, `MMXXIV`.
// From 1 to 3999, in canonical form only. The query must contain `roman` (in any of the languages), or a word for
// ordinary numbers after a numeral, or be just a numeral of at least five letters, which no word is. `mix`, `civil`,
// `I`, `louis xiv`, `roman holiday` are ordinary searches.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'

const HINT = /roma|romi|romei|romeins|arab|number|nombre|zahl|decimal|^[ivxlcdm]{5,15}$/
const LARGEST = 3999

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

const N = '(?<number>[\\d.,]{1,6})'
const R = '(?<roman>[ivxlcdm]{1,15})'
/** After a bare word for `Roman`. */
const LONG = '(?<number>\\d[\\d.,]{1,5})'
const ASK = '(?:(?:convert|what is|how do you write|write) )?(?:the )?(?:number |year )?'

const TRIGGERS: Triggers = {
  en: [
    new RegExp(`^${ASK}${N} (?:in|to|as|into) (?:a )?roman(?: numerals?| numbers?)?$`),
    new RegExp(`^${ASK}roman (?:numerals?|numbers?)(?: for| of)? ${N}$`),
    new RegExp(`^${N} roman numerals?$`),
    new RegExp(`^roman ${LONG}$`),
    /^(?<roman>[ivxlcdm]{5,15})$/,
    new RegExp(`^${ASK}roman (?:numerals?|numbers?)(?: for| of)? ${R}$`),
    new RegExp(`^${R} roman (?:numerals?|numbers?)$`),
    new RegExp(
      `^${ASK}${R} (?:in|to|as|into) (?:an? )?(?:arabic(?: numerals?| numbers?)?|(?:decimal )?numbers?|ordinary numbers?)$`,
    ),
  ],
  fr: [
    new RegExp(`^${N} en (?:chiffres? )?romains?$`),
    new RegExp(`^${R} en chiffres? arabes?$`),
    new RegExp(`^chiffres? romains? ${R}$`),
    new RegExp(`^(?:chiffres? )?romains? ${LONG}$`),
  ],
  de: [
    new RegExp(`^${N} (?:in|als) romische[nr]? zahl(?:en)?$`),
    new RegExp(`^romische zahl ${R}$`),
    new RegExp(`^(?:romisch|romische zahl) ${LONG}$`),
    new RegExp(`^${R} (?:in|als) arabische[nr]? zahl(?:en)?$`),
  ],
  es: [
    new RegExp(`^${N} en (?:numeros? )?romanos?$`),
    new RegExp(`^numeros? romanos? ${R}$`),
    new RegExp(`^(?:numeros? )?romanos? ${LONG}$`),
    new RegExp(`^${R} en numeros? arabigos?$`),
  ],
  it: [
    new RegExp(`^(?:numer[oi] )?roman[oi] ${LONG}$`),
    new RegExp(`^${N} in (?:numer[oi] )?roman[oi]$`),
    new RegExp(`^numer[oi] roman[oi] ${R}$`),
  ],
  pt: [
    new RegExp(`^(?:(?:algarismos?|numeros?) )?romanos? ${LONG}$`),
    new RegExp(`^${N} em (?:algarismos?|numeros?) romanos?$`),
    new RegExp(`^(?:algarismo|numero) romano ${R}$`),
  ],
  nl: [
    new RegExp(`^(?:romeins|romeinse cijfers?) ${LONG}$`),
    new RegExp(`^${N} in romeinse (?:cijfers?|getallen)$`),
    new RegExp(`^romeins cijfer ${R}$`),
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
      return Number.isInteger(value) && value >= 1 && value <= LARGEST ? { value, isRead: roman !== '' } : undefined
    })
  },
  answer({ value, isRead }) {
    const roman = writeRoman(value)
    return { text: isRead ? `${roman} = ${value}` : `${value} = ${roman}`, number: value, roman }
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

/** 0 for what only looks like one: IIII and IC aren't numerals. */
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
