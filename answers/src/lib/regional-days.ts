// Days that countries keep on different dates: Mother's Day, Father's Day, Thanksgiving. The requested region decides
// which is meant; without one, the answer covers the countries where most speakers of the language live.
import { fold, type Language } from '../question.ts'
import type { DayRule, NamedDay } from './named-days.ts'
import type { DateWords } from './read-date.ts'

interface RegionalDay {
  names: NamedDay['names']
  /** In every country not listed below; `undefined`: the others don't have this day. */
  usual: DayRule | undefined
  regions: Readonly<Record<string, DayRule>>
  /** The countries whose dates are given if the region is unknown. */
  without: Readonly<Record<Language, readonly string[]>>
}

const SUNDAY = 7
const nth = (month: number, which: number, weekday = SUNDAY): DayRule => ({ month, nth: which, weekday, plus: 0 })

const MOTHERS: RegionalDay = {
  names: {
    en: 'Mother’s Day',
    fr: 'la fête des mères',
    de: 'Muttertag',
    es: 'el Día de la Madre',
    it: 'la festa della mamma',
    pt: 'o Dia da Mãe',
    nl: 'Moederdag',
  },
  usual: nth(5, 2),
  regions: {
    GB: { easter: -21 },
    IE: { easter: -21 },
    FR: { lastSundayOfMay: 'but not on Pentecost' },
    ES: nth(5, 1),
    PT: nth(5, 1),
    HU: nth(5, 1),
    MX: { month: 5, day: 10 },
    GT: { month: 5, day: 10 },
    SV: { month: 5, day: 10 },
    AR: nth(10, 3),
    CR: { month: 8, day: 15 },
    NI: { month: 5, day: 30 },
    BO: { month: 5, day: 27 },
    PL: { month: 5, day: 26 },
    NO: nth(2, 2),
    SE: { lastSundayOfMay: 'always' },
    DO: { lastSundayOfMay: 'always' },
  },
  without: {
    en: ['US', 'GB'],
    fr: ['FR', 'CA'],
    de: ['DE'],
    es: ['ES', 'MX'],
    it: ['IT'],
    pt: ['PT', 'BR'],
    nl: ['NL'],
  },
}

const FATHERS: RegionalDay = {
  names: {
    en: 'Father’s Day',
    fr: 'la fête des pères',
    de: 'Vatertag',
    es: 'el Día del Padre',
    it: 'la festa del papà',
    pt: 'o Dia do Pai',
    nl: 'Vaderdag',
  },
  usual: nth(6, 3),
  regions: {
    DE: { easter: 39 },
    AT: nth(6, 2),
    BE: nth(6, 2),
    CH: nth(6, 1),
    ES: { month: 3, day: 19 },
    IT: { month: 3, day: 19 },
    PT: { month: 3, day: 19 },
    BR: nth(8, 2),
    AU: nth(9, 1),
    NZ: nth(9, 1),
    PL: { month: 6, day: 23 },
    SE: nth(11, 2),
    NO: nth(11, 2),
    FI: nth(11, 2),
    DK: { month: 6, day: 5 },
  },
  without: {
    en: ['US', 'AU'],
    fr: ['FR'],
    de: ['DE', 'AT'],
    es: ['ES', 'MX'],
    it: ['IT'],
    pt: ['PT', 'BR'],
    nl: ['NL', 'BE'],
  },
}

const THURSDAY = 4
const MONDAY = 1
const BOTH_AMERICAS = ['US', 'CA']

const THANKSGIVING: RegionalDay = {
  names: {
    en: 'Thanksgiving',
    fr: 'Thanksgiving',
    de: 'Thanksgiving',
    es: 'el Día de Acción de Gracias',
    it: 'il Ringraziamento',
    pt: 'o Dia de Ação de Graças',
    nl: 'Thanksgiving',
  },
  usual: undefined,
  regions: { US: nth(11, 4, THURSDAY), CA: nth(10, 2, MONDAY) },
  without: { en: BOTH_AMERICAS, fr: BOTH_AMERICAS, de: ['US'], es: ['US'], it: ['US'], pt: ['US'], nl: ['US'] },
}

/** Folded; a year may follow. */
const WORDS: readonly (readonly [RegionalDay, string])[] = [
  [
    MOTHERS,
    "mother's day,mothers day,mothering sunday,mum's day,fete des meres,muttertag,dia de la madre,festa della mamma,dia da mae,dia das maes,moederdag",
  ],
  [
    FATHERS,
    "father's day,fathers day,fete des peres,vatertag,dia del padre,festa del papa,dia do pai,dia dos pais,vaderdag",
  ],
  [
    THANKSGIVING,
    'thanksgiving,thanksgiving day,canadian thanksgiving,action de grace,accion de gracias,dia de accion de gracias,ringraziamento,giorno del ringraziamento,dia de acao de gracas',
  ],
]

const byWord = new Map(WORDS.flatMap(([day, words]) => words.split(',').map((word) => [fold(word), day] as const)))

const NAMED = /^(?:the |la |le |el |il |lo |o |a |de |der |den |l')?(.{3,30}?)(?: (?:de )?(\d{4}))?$/

export interface RegionalWords {
  day: RegionalDay
  year: number | undefined
}

/** `text` is folded. */
export function readRegionalDay(text: string): RegionalWords | undefined {
  const [, name = '', year] = NAMED.exec(text) ?? []
  const day = byWord.get(name)
  return day && { day, year: year === undefined ? undefined : Number(year) }
}

/** Returns the day for each country that may be meant. `home`: the requested region, or ''. */
export function daysByCountry({ day, year }: RegionalWords, home: string, language: Language): Map<string, DateWords> {
  const own = home === '' ? undefined : (day.regions[home] ?? day.usual)
  const countries = own ? [home] : day.without[language]
  const words = countries.flatMap((country): [string, DateWords][] => {
    const rule = day.regions[country] ?? day.usual
    return rule ? [[country, { kind: 'named', named: { rule, names: day.names }, year }]] : []
  })
  return new Map(words)
}
