// Body-mass index: `bmi 70 kg 175 cm`, `bmi 180 lbs 5'10"`, `imc 70 kg 1,75 m`. It needs a weight and a height: `bmi`,
// `bmi airline`, `bmi vs ascap` are ordinary searches. Without units, kilograms and centimetres are assumed. The
// classes are the WHO's for adults.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { type Decimal, Exact, numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { colonIn } from '../lib/write-text.ts'
import type { Language, Question } from '../question.ts'

const OPENING =
  /^(?:(?:calculate|what is|what is my|my|mon|mein|calcular|calcola|bereken) )?(?:bmi|imc|body mass index|body-mass index|indice de masse corporelle|indice de masa corporal|indice di massa corporea|indice de massa corporal)(?: calculator| rechner)?(?: (?:for|of|with|von|bei|mit|de|pour|con|com|van|di|per|para))?:? /
const WEIGHT =
  /(?:^| )(\d{2,3}(?:[.,]\d{1,3})?) ?(kg|kgs|kilos?|kilograms?|kilogramm|chili|quilos|lbs?|pounds?|stone|st)(?= |$)/
const METRES = /(?:^| )([12][.,]\d{1,3}) ?(?:m|metres?|meters?|metros?|metri)(?= |$)|(?:^| )([12]) ?m ?(\d{2})(?= |$)/
const CENTIMETRES = /(?:^| )(\d{2,3}(?:[.,]\d{1,2})?) ?(?:cm|centimet(?:re|er)s?)(?= |$)/
const FEET = /(?:^| )([3-8]) ?(?:'|ft|feet|foot) ?(?:(\d{1,2}(?:\.\d{1,2})?) ?(?:"|''|in|inch|inches)?)?(?= |$)/
const BARE = /^(\d{2,3}(?:[.,]\d)?) (?:and |und |et |y |e |en )?(\d{3}|[12][.,]\d{1,2})$/
const ONLY_FILLERS = /^(?:[ ,;/]|and|und|et|y|e|en|at|@|height|weight|tall)*$/

/** By the first letter of the unit: lb, pound, stone. */
const KILOGRAMS_PER_UNIT: Readonly<Record<string, string>> = { l: '0.45359237', p: '0.45359237', s: '6.35029318' }
const METRES_PER_INCH = '0.0254'
const LIMITS = { lightest: 10, heaviest: 500, smallest: 0.5, tallest: 2.6 }

type Class = 'underweight' | 'normal' | 'overweight' | 'obesity'

const CLASSES: readonly (readonly [number, Class])[] = [
  [18.5, 'underweight'],
  [25, 'normal'],
  [30, 'overweight'],
]

const WORDS: Readonly<Record<Language, Readonly<Record<Class | 'bmi', string>>>> = {
  en: { bmi: 'BMI', underweight: 'underweight', normal: 'normal weight', overweight: 'overweight', obesity: 'obesity' },
  fr: {
    bmi: 'IMC',
    underweight: 'insuffisance pondérale',
    normal: 'corpulence normale',
    overweight: 'surpoids',
    obesity: 'obésité',
  },
  de: {
    bmi: 'BMI',
    underweight: 'Untergewicht',
    normal: 'Normalgewicht',
    overweight: 'Übergewicht',
    obesity: 'Adipositas',
  },
  es: { bmi: 'IMC', underweight: 'bajo peso', normal: 'peso normal', overweight: 'sobrepeso', obesity: 'obesidad' },
  it: { bmi: 'IMC', underweight: 'sottopeso', normal: 'normopeso', overweight: 'sovrappeso', obesity: 'obesità' },
  pt: { bmi: 'IMC', underweight: 'baixo peso', normal: 'peso normal', overweight: 'sobrepeso', obesity: 'obesidade' },
  nl: {
    bmi: 'BMI',
    underweight: 'ondergewicht',
    normal: 'gezond gewicht',
    overweight: 'overgewicht',
    obesity: 'obesitas',
  },
}

interface Body {
  kilograms: Decimal
  metres: Decimal
}

export const bodyMassIndex = defineAnswer({
  slug: 'body_mass_index',
  title: 'Body-mass index',
  summary: 'The body-mass index of an adult, from weight and height.',
  examples: [{ q: 'bmi 70 kg 175 cm' }, { q: 'bmi 180 lbs 5\'10"' }, { q: 'imc 70 kg 1,75 m', lang: 'fr' }],
  isPersonal: true,
  reply: z.object({
    /** To one decimal. */
    bmi: z.string(),
    class: z.enum(['underweight', 'normal', 'overweight', 'obesity']),
    kilograms: z.string(),
    metres: z.string(),
  }),
  match(question) {
    const opening = OPENING.exec(question.folded)?.[0]
    if (opening === undefined) return null
    const locale = numberLocale(question, opening.includes('imc') ? 'fr' : '')
    const body = readBody(question.folded.slice(opening.length), locale)
    return body && isPossible(body) ? { ...body, locale: numberLocale(question) } : null
  },
  answer({ kilograms, metres, locale }, { question }: { question: Question }) {
    const exact = kilograms.div(metres.times(metres))
    const bmi = exact.toDecimalPlaces(1)
    const name = CLASSES.find(([limit]) => bmi.lt(limit))?.[1] ?? 'obesity'
    const language = question.lang || 'en'
    const words = WORDS[language]
    const about = bmi.eq(exact) ? '' : '≈ '
    return {
      text: `${words.bmi} ${about}${writeNumber(bmi.toFixed(), locale)}${colonIn(language)} ${words[name]}`,
      bmi: bmi.toFixed(1),
      class: name,
      kilograms: kilograms.toDecimalPlaces(2).toFixed(),
      metres: metres.toDecimalPlaces(4).toFixed(),
    }
  },
})

const isPossible = ({ kilograms, metres }: Body): boolean =>
  kilograms.gte(LIMITS.lightest) &&
  kilograms.lte(LIMITS.heaviest) &&
  metres.gte(LIMITS.smallest) &&
  metres.lte(LIMITS.tallest)

/** A weight and a height in any order, and nothing else. */
function readBody(text: string, locale: string): Body | undefined {
  const bare = BARE.exec(text)
  const number = (written: string | undefined) => new Exact(readNumber(written ?? '', locale) ?? 0)
  if (bare !== null) {
    const height = number(bare[2])
    return { kilograms: number(bare[1]), metres: height.gt(100) ? height.div(100) : height }
  }
  const weight = WEIGHT.exec(text)
  if (weight === null) return undefined
  const height = readHeight(text.replace(weight[0], ' '), number)
  if (height === undefined || !ONLY_FILLERS.test(height.rest)) return undefined
  return {
    kilograms: number(weight[1]).times(KILOGRAMS_PER_UNIT[weight[2]?.charAt(0) ?? ''] ?? 1),
    metres: height.metres,
  }
}

function readHeight(text: string, number: (written: string | undefined) => Decimal) {
  const [metres, centimetres, feet] = [METRES.exec(text), CENTIMETRES.exec(text), FEET.exec(text)]
  const found = metres ?? centimetres ?? feet
  if (found === null) return undefined
  const rest = text.replace(found[0], ' ')
  if (metres)
    return {
      rest,
      metres: metres[1] === undefined ? number(metres[2]).plus(number(metres[3]).div(100)) : number(metres[1]),
    }
  if (centimetres) return { rest, metres: number(centimetres[1]).div(100) }
  return { rest, metres: number(found[1]).times(12).plus(number(found[2])).times(METRES_PER_INCH) }
}
