// Everyday ways to ask for a calculation, turned into its symbols: `half of 50`, `average 3 4 5`, `increase 50 by 20%`,
// `twelve times seven`, `1 million / 12`, `3/4 as a decimal`. Each form is anchored at both ends and takes numbers only,
// so `half of us`, `sum 41` and `one plus 9` (a telephone) stay ordinary searches.
import { numberOfWord } from '../../lib/number-words.ts'
import { LANGUAGES, type Language } from '../../question.ts'

export interface Rephrased {
  text: string
  /** The language of its words; '' for English or several. */
  spoken: Language | ''
}

const NUMBER = String.raw`-?\d[\d.,']{0,20}`

/** A fraction of a number, `$1`. */
const SHARES: readonly (readonly [RegExp, string])[] = (
  [
    [
      '(?:an? |one )?half of|(?:die )?halfte von|(?:la )?moitie de|(?:la )?mitad de|(?:la )?meta di|(?:a )?metade de|(?:de )?helft van',
      '/ 2',
    ],
    [
      '(?:a |one )third of|(?:ein )?drittel von|(?:un |le )tiers de|(?:un |la )?tercio de|un terzo di|um terco de|een derde van',
      '/ 3',
    ],
    [
      '(?:a |one )quarter of|(?:ein )?viertel von|(?:un |le )quart de|un cuarto de|un quarto di|um quarto de|een kwart van',
      '/ 4',
    ],
    [
      'two[- ]thirds of|zwei drittel von|deux tiers de|dos tercios de|due terzi di|dois tercos de|twee derde van',
      '* 2 / 3',
    ],
    [
      'three[- ]quarters of|drei ?viertel von|trois quarts de|tres cuartos de|tre quarti di|tres quartos de|driekwart van',
      '* 3 / 4',
    ],
    [
      'twice|double of|(?:das )?doppelte von|le double de|(?:el )?doble de|il doppio di|o dobro de|het dubbele van',
      '* 2',
    ],
  ] as const
).map(([words, symbols]) => [new RegExp(`^(?:${words}) (${NUMBER})$`), `$1 ${symbols}`])

/** `double 25`; `double 7` and `double 0` are something else. */
const DOUBLE = /^double ([1-9]\d{1,11})$/

const CHANGES: readonly (readonly [RegExp, string])[] = (
  [
    [`(?:increase|raise) <n> by <p>`, '+'],
    [`(?:decrease|reduce|lower) <n> by <p>`, '-'],
    [`<n> (?:increased|raised) by <p>`, '+'],
    [`<n> (?:decreased|reduced|lowered) by <p>`, '-'],
    [`<n> um <p> (?:erhoht|erhohen)`, '+'],
    [`<n> um <p> (?:reduziert|reduzieren|gesenkt|senken|verringert|verringern)`, '-'],
    [`(?:augmenter|augmentation de) <n> de <p>`, '+'],
    [`(?:diminuer|reduire) <n> de <p>`, '-'],
    [`(?:aumentar|aumenta) <n> (?:un|en|em) <p>`, '+'],
    [`(?:reducir|disminuir|reduzir|diminuir) <n> (?:un|en|em) <p>`, '-'],
    [`(?:aumentare|aumenta) <n> del <p>`, '+'],
    [`(?:ridurre|riduci|diminuire) <n> del <p>`, '-'],
    [`<n> (?:verhogen|verhoogd) met <p>`, '+'],
    [`<n> (?:verlagen|verlaagd) met <p>`, '-'],
  ] as const
).map(([form, sign]) => [
  new RegExp(
    `^${form.replace('<n>', `(${NUMBER})`).replace('<p>', `(${NUMBER}) ?(?:%|percent|prozent|pour cent|por ciento|per cento|por cento|procent)`)}$`,
  ),
  `$1 ${sign} $2%`,
])

/** The words for a function of several numbers. */
const LISTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    average: 'mean',
    avg: 'mean',
    mean: 'mean',
    sum: 'sum',
    min: 'min',
    minimum: 'min',
    max: 'max',
    maximum: 'max',
    median: 'median',
    gcd: 'gcd',
    hcf: 'gcd',
    gcf: 'gcd',
    lcm: 'lcm',
  },
  fr: { moyenne: 'mean', somme: 'sum', mediane: 'median', pgcd: 'gcd', ppcm: 'lcm' },
  de: { mittelwert: 'mean', durchschnitt: 'mean', summe: 'sum', median: 'median', ggt: 'gcd', kgv: 'lcm' },
  es: { promedio: 'mean', media: 'mean', suma: 'sum', mediana: 'median', mcd: 'gcd', mcm: 'lcm' },
  it: { media: 'mean', somma: 'sum', mediana: 'median', mcd: 'gcd', mcm: 'lcm' },
  pt: { media: 'mean', soma: 'sum', mediana: 'median', mdc: 'gcd', mmc: 'lcm' },
  nl: { gemiddelde: 'mean', som: 'sum', mediaan: 'median', ggd: 'gcd', kgv: 'lcm' },
}
const LIST_WORDS: ReadonlySet<string> = new Set(Object.values(LISTS).flatMap((words) => Object.keys(words)))
const ARTICLE = /^(?:the|der|das|die|la|le|el|il|a|o|het) /
const LIST = /^[a-z]{3,12}(?<of> of| von| de| di| da| van)? (?<numbers>[-\d][-\d.,;' a-z]{2,240})$/
const LIST_SEPARATOR = /[,;] ?| (?:and|und|et|y|e|en) | /
const LISTED_NUMBER = /^-?\d[\d.']{0,20}$/
const MAX_LISTED = 60
/** A season, a price range or a size may be two numbers: `min 5 10`. A divisor is always of several. */
const NEEDS_THREE: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'mean', 'median'])

/** Between two number words. `mal`, `fois` and the like only mean a calculation here. */
const WORD_OPERATORS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { plus: '+', minus: '-', times: '*', 'multiplied by': '*', 'divided by': '/' },
  fr: { plus: '+', moins: '-', fois: '*', 'divise par': '/' },
  de: { plus: '+', minus: '-', mal: '*', 'geteilt durch': '/', durch: '/' },
  es: { mas: '+', menos: '-', por: '*', 'dividido por': '/', 'dividido entre': '/' },
  it: { piu: '+', meno: '-', per: '*', 'diviso per': '/', diviso: '/' },
  pt: { mais: '+', menos: '-', vezes: '*', 'dividido por': '/' },
  nl: { plus: '+', min: '-', keer: '*', maal: '*', 'gedeeld door': '/' },
}
const TWO_WORDS = /^([a-z-]{2,12}) ([a-z]{3,12}(?: [a-z]{2,6})?) ([a-z-]{2,12})$/
/** A maker of telephones. */
const ONE_PLUS = /^one plus /

const MILLIONS = /(\d[\d.,]{0,12}) (?:millions?|millionen|millones|milioni|milhoes|miljoen)(?= |$)/g
const LOG_BASE = new RegExp(`^log(?:arithm)? base (${NUMBER}) (?:of )?(${NUMBER})$`)
const AS_DECIMAL =
  /^(.{3,60}) (?:(?:as|to) an? |as |in |to |als |en |in |em )(?:decimal|decimals|dezimalzahl|dezimal|decimale|decimaal)(?: number)?$/
const FRACTION = /^\d{1,9} ?\/ ?\d{1,9}$/

/** `undefined`: none of these. `text` is folded. */
export function rephrase(text: string, lang: Language | ''): Rephrased | undefined {
  if (!/\d/.test(text)) return wordSum(text, lang)
  if (/^[a-z]/.test(text)) return byWords(text) ?? listCall(text, lang)
  const decimal = AS_DECIMAL.exec(text)?.[1]
  if (decimal !== undefined && FRACTION.test(decimal)) return { text: `${decimal} =`, spoken: '' }
  const changed = CHANGES.find(([form]) => form.test(text))
  if (changed) return { text: text.replace(changed[0], changed[1]), spoken: '' }
  const inFigures = text.replace(MILLIONS, '$1e6')
  return inFigures === text ? undefined : { text: inFigures, spoken: '' }
}

function byWords(text: string): Rephrased | undefined {
  const logarithm = LOG_BASE.exec(text)
  if (logarithm) return { text: `log(${logarithm[2]}; ${logarithm[1]})`, spoken: '' }
  if (DOUBLE.test(text)) return { text: text.replace(DOUBLE, '$1 * 2'), spoken: '' }
  const found = [...SHARES, ...CHANGES].find(([form]) => form.test(text))
  return found && { text: text.replace(found[0], found[1]), spoken: '' }
}

/** `average of 3 4 5`. Numbers with decimal commas are left to the calculator. */
function listCall(text: string, lang: Language | ''): Rephrased | undefined {
  const plain = text.replace(ARTICLE, '')
  const word = /^[a-z]{3,12}/.exec(plain)?.[0] ?? ''
  const found = LIST_WORDS.has(word) ? LIST.exec(plain) : null
  const spoken = languagesFor(lang).find((language) => LISTS[language][word] !== undefined)
  const name = spoken && LISTS[spoken][word]
  if (!found || spoken === undefined || name === undefined) return undefined
  const values = found.groups?.['numbers']?.split(LIST_SEPARATOR) ?? []
  if (values.length > MAX_LISTED || !values.every((value) => LISTED_NUMBER.test(value))) return undefined
  const fewest = NEEDS_THREE.has(name) && found.groups?.['of'] === undefined ? 3 : 2
  if (values.length < fewest) return undefined
  return { text: `${name}(${values.join('; ')})`, spoken: spoken === 'en' ? '' : spoken }
}

function wordSum(text: string, lang: Language | ''): Rephrased | undefined {
  const [, left = '', operator = '', right = ''] = TWO_WORDS.exec(text) ?? []
  if (left === '' || ONE_PLUS.test(text)) return undefined
  for (const spoken of languagesFor(lang)) {
    const sign = WORD_OPERATORS[spoken][operator]
    const [one, other] = [numberOfWord(left, spoken), numberOfWord(right, spoken)]
    if (one !== undefined && other !== undefined && sign !== undefined)
      return { text: `${one} ${sign} ${other}`, spoken: spoken === 'en' ? '' : spoken }
  }
  return undefined
}

const languagesFor = (lang: Language | ''): readonly Language[] => (lang === '' ? LANGUAGES : [lang, 'en'])
