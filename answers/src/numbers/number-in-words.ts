// Numbers in words: `1234 in words`, `1234 en lettres`, `1234 por extenso`, `42 in german words`. Written in the
// requested language. The library makes up words for numbers beyond its range, so we accept at most 15 digits. A number
// alone, `words with friends 2` and `in other words` are ordinary searches.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import type { Language } from '../question.ts'

const HINT = /word|spell|lettre|wort|palabra|letra|letter|parol|extenso|woord|ausgeschrieben|voluit/
const MAX_DIGITS = 15
const MAX_DECIMALS = 6
/** From a thousand million on, Brazil and Portugal count differently, and the library only knows Portugal's way. */
const MAX_DIGITS_IN_BRAZIL = 9

const N = String.raw`(?<number>[-+]?\d[\d.,' ]{0,30})`
const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:(?:write|convert|say|spell(?: out)?|put|how do you write|how to write|how do you spell) )?(?:the number )?${N} (?:in|as|into|to|out in)(?: (?<language>english|french|german|spanish|italian|portuguese|dutch))? words(?: in (?<other>english|french|german|spanish|italian|portuguese|dutch))?$`,
    ),
    new RegExp(`^(?:spell out|spell(?: out)? (?:the )?number) ${N}$`),
  ],
  fr: [new RegExp(`^(?:(?:ecrire|ecris|comment ecrire) )?(?:le nombre )?${N} en (?:toutes )?lettres$`)],
  de: [new RegExp(`^(?:(?:schreibe|die zahl) )?${N} (?:in worten|als wort|ausgeschrieben)$`)],
  es: [new RegExp(`^(?:(?:escribir|escribe|como se escribe) )?(?:el numero )?${N} en (?:letras?|palabras)$`)],
  it: [new RegExp(`^(?:(?:scrivi|scrivere|come si scrive) )?(?:il numero )?${N} in (?:lettere|parole)$`)],
  pt: [new RegExp(`^(?:(?:escreva|escrever|como se escreve) )?(?:o numero )?${N} (?:por extenso|em palavras)$`)],
  nl: [new RegExp(`^(?:(?:schrijf|het getal) )?${N} (?:in woorden|in letters|voluit)$`)],
}

const LANGUAGE_NAMES: Readonly<Record<string, Language>> = {
  english: 'en',
  french: 'fr',
  german: 'de',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
}

type Cardinals = Promise<{ toCardinal: (value: string) => string }>

/** Looked up by locale, then by language. */
const CARDINALS: Readonly<Record<string, () => Cardinals>> = {
  'en-GB': () => import('n2words/en-GB'),
  'en-IE': () => import('n2words/en-GB'),
  'en-AU': () => import('n2words/en-GB'),
  'en-NZ': () => import('n2words/en-GB'),
  'en-IN': () => import('n2words/en-IN'),
  'fr-BE': () => import('n2words/fr-BE'),
  en: () => import('n2words/en-US'),
  fr: () => import('n2words/fr-FR'),
  de: () => import('n2words/de-DE'),
  es: () => import('n2words/es-ES'),
  it: () => import('n2words/it-IT'),
  pt: () => import('n2words/pt-PT'),
  nl: () => import('n2words/nl-NL'),
}

export const numberInWords = defineAnswer({
  slug: 'number_in_words',
  title: 'Number in words',
  summary: 'Writes a number of up to 15 digits in words, in seven languages.',
  examples: [{ q: '1234 in words' }, { q: '1234 en lettres', lang: 'fr' }, { q: '42 in german words' }],
  reply: z.object({ number: z.string(), words: z.string(), lang: z.string() }),
  match(question) {
    if (!HINT.test(question.folded) || !/\d/.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ number = '', language = '', other = '' }, spoken) => {
      const readLocale = numberLocale(question, spoken)
      const digits = readNumber(number, readLocale)
      const locale = LANGUAGE_NAMES[language || other] ?? readLocale
      return digits !== undefined && isSpeakable(digits, locale) ? { digits, readLocale, locale } : undefined
    })
  },
  async answer({ digits, readLocale, locale }) {
    const load = CARDINALS[locale] ?? CARDINALS[locale.slice(0, 2)]
    if (load === undefined) return null
    const { toCardinal } = await load()
    const words = toBrazilianSpelling(toCardinal(digits), locale)
    return { text: `${writeNumber(digits, readLocale)} = ${words}`, number: digits, words, lang: locale }
  },
})

function isSpeakable(digits: string, locale: string): boolean {
  const [whole = '', decimals = ''] = digits.replace('-', '').split('.')
  const maxDigits = isBrazilian(locale) ? MAX_DIGITS_IN_BRAZIL : MAX_DIGITS
  return !digits.includes('e') && whole.replace(/^0+/, '').length <= maxDigits && decimals.length <= MAX_DECIMALS
}

const isBrazilian = (locale: string): boolean => locale.startsWith('pt') && locale !== 'pt-PT'

const toBrazilianSpelling = (words: string, locale: string): string =>
  isBrazilian(locale) ? words.replace(/dezasse/g, 'dezesse').replace(/dezano/g, 'dezeno') : words
