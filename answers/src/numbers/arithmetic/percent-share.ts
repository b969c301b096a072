// `20 is what percent of 50`, `wie viel Prozent von 50 sind 20`: one number as a percentage of another.

import { numberLocale } from '../../lib/number-locale.ts'
import { readNumber } from '../../lib/read-number.ts'
import type { Language, Question } from '../../question.ts'
import { percentSign } from './expression.ts'

export interface PercentShare {
  part: string
  whole: string
  locale: string
}

/** Queries without one of these are skipped. */
const POSSIBLE = /%|perc|proz|proc|pourc|porc|por ?cento/
const N = String.raw`([-+]?[\d.,' ]{1,30})`
const EN = '(?:%|percent|percentage|per cent)'
const PT = '(?:porcentagem|percentagem)'

/** Phrases in which the part comes first. */
const PART_FIRST: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(
    `^(?:${N} is what ${EN} of ${N}|what ${EN} is ${N} (?:out )?of ${N}|${N} (?:out )?of ${N} (?:as an?|in) ${EN})$`,
  ),
  fr: new RegExp(
    `^(?:${N} (?:est|represente) quel pourcentage de ${N}|quel pourcentage (?:est|represente) ${N} (?:de|sur) ${N}|${N} sur ${N} en (?:pourcentage|%))$`,
  ),
  de: new RegExp(`^(?:wie ?viel (?:prozent|%) sind ${N} von ${N}|${N} von ${N} in (?:prozent|%))$`),
  es: new RegExp(`^(?:que porcentaje es ${N} de ${N}|${N} de ${N} en (?:porcentaje|%))$`),
  it: new RegExp(`^(?:che percentuale e ${N} (?:di|su) ${N}|${N} su ${N} in (?:percentuale|%))$`),
  pt: new RegExp(`^(?:(?:que|qual a) ${PT} e ${N} de ${N}|quantos? por cento e ${N} de ${N}|${N} de ${N} em ${PT})$`),
  nl: new RegExp(`^(?:hoeveel (?:procent|%) is ${N} van ${N}|${N} van ${N} in (?:procent|procenten|%))$`),
}

/** Phrases in which the whole comes first. */
const WHOLE_FIRST: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(`^what ${EN} of ${N} is ${N}$`),
  fr: new RegExp(`^quel pourcentage de ${N} (?:est|represente|font) ${N}$`),
  de: new RegExp(`^wie ?viel (?:prozent|%) von ${N} (?:sind|ist) ${N}$`),
  es: new RegExp(`^que porcentaje de ${N} (?:es|son) ${N}$`),
  it: new RegExp(`^che percentuale di ${N} (?:e|sono) ${N}$`),
  pt: new RegExp(`^(?:que|qual a) ${PT} de ${N} (?:e|sao) ${N}$`),
  nl: new RegExp(`^hoeveel (?:procent|%) van ${N} is ${N}$`),
}

const SENTENCES: Readonly<Record<Language, (part: string, percent: string, whole: string) => string>> = {
  en: (part, percent, whole) => `${part} is ${percent} of ${whole}`,
  fr: (part, percent, whole) => `${part} représente ${percent} de ${whole}`,
  de: (part, percent, whole) => `${part} sind ${percent} von ${whole}`,
  es: (part, percent, whole) => `${part} es el ${percent} de ${whole}`,
  it: (part, percent, whole) => `${part} è il ${percent} di ${whole}`,
  pt: (part, percent, whole) => `${part} é ${percent} de ${whole}`,
  nl: (part, percent, whole) => `${part} is ${percent} van ${whole}`,
}

export function readPercentShare(question: Question): PercentShare | undefined {
  if (!POSSIBLE.test(question.folded)) return undefined
  const folded = question.folded.replace(/ ?\?$/, '')
  const languages = question.lang === '' ? LANGUAGES : [question.lang, 'en' as const]
  for (const language of languages) {
    const partFirst = numbersIn(PART_FIRST[language].exec(folded))
    const [part, whole] = partFirst ?? numbersIn(WHOLE_FIRST[language].exec(folded))?.toReversed() ?? []
    if (part === undefined || whole === undefined) continue
    const locale = numberLocale(question, language)
    const [read, total] = [readNumber(part, locale), readNumber(whole, locale)]
    return read === undefined || total === undefined ? undefined : { part: read, whole: total, locale }
  }
  return undefined
}

// The keys are the languages.
const LANGUAGES = Object.keys(PART_FIRST) as Language[]

const numbersIn = (found: RegExpExecArray | null): string[] | undefined =>
  found?.slice(1).filter((number) => number !== undefined)

export function writePercentShare(locale: string, written: { part: string; percent: string; whole: string }): string {
  // Locales from `number-locale.ts` begin with one of the languages.
  const language = locale.slice(0, 2) as Language
  return SENTENCES[language](written.part, `${written.percent}${percentSign(language)}`, written.whole)
}
