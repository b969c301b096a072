// Days defined by a name and a rule, such as Christmas, Easter and Black Friday, with their names in seven languages.
// First those that have one rule everywhere, then those that countries celebrate on different dates. Thanksgiving is in
// both: the first list has the US date, for answers that don't take the region into account.
import { fold, type Language } from '../question.ts'

export type DayRule =
  | { month: number; day: number }
  /** Days after western Easter Sunday. */
  | { easter: number }
  /** The nth weekday of a month (1 is Monday), plus a number of days. */
  | { month: number; nth: number; weekday: number; plus: number }
  /** France moves Mother's Day to the next Sunday if it falls on Pentecost. */
  | { lastSundayOfMay: 'always' | 'but not on Pentecost' }
  /** A day of another calendar. Its months are counted without leap months. */
  | { calendar: 'islamic-umalqura' | 'hebrew'; monthOfYear: number; dayOfMonth: number }
  /** As published, at most one a year. Other years are unknown. */
  | { dates: readonly string[] }

export interface NamedDay {
  rule: DayRule
  /** As used in a sentence ("40 days until …"), with an article where needed. */
  names: Readonly<Record<Language, string>>
  /** For whom or by what reckoning this is the date. */
  note?: Readonly<Record<Language, string>>
  /** The date isn't certain. */
  isEstimate?: boolean
}

interface DayDeclaration {
  rule: DayRule
  /** In the order en, fr, de, es, it, pt, nl. */
  names: readonly [string, string, string, string, string, string, string]
  /** Other names for it. */
  also?: string
}

const DECLARATIONS: readonly DayDeclaration[] = [
  {
    rule: { month: 12, day: 25 },
    names: ['Christmas', 'Noël', 'Weihnachten', 'Navidad', 'Natale', 'o Natal', 'Kerstmis'],
    also: 'christmas day,xmas,x-mas,jour de noel,weihnacht,erster weihnachtstag,natal,dia de natal,kerst,eerste kerstdag,la navidad,il natale',
  },
  {
    rule: { month: 12, day: 24 },
    names: [
      'Christmas Eve',
      'le réveillon de Noël',
      'Heiligabend',
      'Nochebuena',
      'la vigilia di Natale',
      'a véspera de Natal',
      'kerstavond',
    ],
    also: 'xmas eve,reveillon de noel,veille de noel,heiliger abend,vigilia di natale,vespera de natal',
  },
  {
    rule: { month: 1, day: 1 },
    names: ['New Year', 'le Nouvel An', 'Neujahr', 'Año Nuevo', 'Capodanno', 'o Ano-Novo', 'Nieuwjaar'],
    also: "new years,new year's,new year's day,new years day,nouvel an,jour de l'an,premier de l'an,ano novo,ano-novo",
  },
  {
    rule: { month: 12, day: 31 },
    names: [
      'New Year’s Eve',
      'la Saint-Sylvestre',
      'Silvester',
      'Nochevieja',
      'San Silvestro',
      'a véspera de Ano-Novo',
      'oudejaarsavond',
    ],
    also: "new years eve,nye,saint-sylvestre,saint sylvestre,reveillon,fin de ano,oud en nieuw,vespera de ano novo,ultimo dell'anno",
  },
  {
    rule: { month: 10, day: 31 },
    names: ['Halloween', 'Halloween', 'Halloween', 'Halloween', 'Halloween', 'o Halloween', 'Halloween'],
  },
  {
    rule: { month: 2, day: 14 },
    names: [
      'Valentine’s Day',
      'la Saint-Valentin',
      'Valentinstag',
      'San Valentín',
      'San Valentino',
      'o Dia de São Valentim',
      'Valentijnsdag',
    ],
    also: "valentines day,valentine's,valentines,saint-valentin,saint valentin,st valentin,valentijn,dia de sao valentim",
  },
  {
    rule: { month: 3, day: 17 },
    names: [
      'St Patrick’s Day',
      'la Saint-Patrick',
      'St. Patrick’s Day',
      'San Patricio',
      'San Patrizio',
      'o Dia de São Patrício',
      'St. Patrick’s Day',
    ],
    also: "st patricks day,saint patrick's day,st. patrick's day,saint-patrick,dia de sao patricio",
  },
  {
    rule: { month: 1, day: 6 },
    names: [
      'Epiphany',
      'l’Épiphanie',
      'Heilige Drei Könige',
      'el Día de Reyes',
      'l’Epifania',
      'o Dia de Reis',
      'Driekoningen',
    ],
    also: 'dia de reyes,reyes magos,epifania,befana,dreikonigstag,dia de reis,epiphanie',
  },
  {
    rule: { month: 12, day: 6 },
    names: [
      'St Nicholas Day',
      'la Saint-Nicolas',
      'Nikolaus',
      'San Nicolás',
      'San Nicola',
      'o Dia de São Nicolau',
      'Sint-Nicolaas',
    ],
    also: "saint nicholas day,saint-nicolas,nikolaustag,st nicholas' day",
  },
  {
    rule: { month: 12, day: 5 },
    names: ['Sinterklaas', 'Sinterklaas', 'Sinterklaas', 'Sinterklaas', 'Sinterklaas', 'o Sinterklaas', 'Sinterklaas'],
    also: 'pakjesavond,sinterklaasavond',
  },
  {
    rule: { easter: 0 },
    names: ['Easter', 'Pâques', 'Ostern', 'Pascua', 'Pasqua', 'a Páscoa', 'Pasen'],
    also: 'easter sunday,ostersonntag,domingo de pascua,pascoa,domingo de pascoa,eerste paasdag',
  },
  {
    rule: { easter: -2 },
    names: [
      'Good Friday',
      'le Vendredi saint',
      'Karfreitag',
      'Viernes Santo',
      'il Venerdì santo',
      'a Sexta-Feira Santa',
      'Goede Vrijdag',
    ],
    also: 'vendredi saint,venerdi santo,sexta-feira santa',
  },
  {
    rule: { easter: -7 },
    names: [
      'Palm Sunday',
      'le dimanche des Rameaux',
      'Palmsonntag',
      'Domingo de Ramos',
      'la Domenica delle Palme',
      'o Domingo de Ramos',
      'Palmzondag',
    ],
    also: 'dimanche des rameaux,les rameaux,domenica delle palme,palmpasen',
  },
  {
    rule: { easter: -46 },
    names: [
      'Ash Wednesday',
      'le mercredi des Cendres',
      'Aschermittwoch',
      'Miércoles de Ceniza',
      'il Mercoledì delle ceneri',
      'a Quarta-Feira de Cinzas',
      'Aswoensdag',
    ],
    also: 'mercredi des cendres,mercoledi delle ceneri,quarta-feira de cinzas',
  },
  {
    rule: { easter: -47 },
    names: [
      'Shrove Tuesday',
      'Mardi gras',
      'Faschingsdienstag',
      'Martes de Carnaval',
      'Martedì grasso',
      'o Carnaval',
      'Vastenavond',
    ],
    also: 'pancake day,fat tuesday,carnaval',
  },
  {
    rule: { month: 11, nth: 4, weekday: 2, plus: 5 },
    names: [
      'the first Sunday of Advent',
      'le premier dimanche de l’Avent',
      '1. Advent',
      'el primer domingo de Adviento',
      'la prima domenica di Avvento',
      'o primeiro domingo do Advento',
      'de eerste zondag van de advent',
    ],
    also: "advent,advent sunday,first sunday of advent,first advent,premier dimanche de l'avent,erster advent,adviento,primer domingo de adviento,prima domenica di avvento,primeiro domingo do advento,eerste advent,eerste zondag van de advent",
  },
  {
    rule: { easter: 1 },
    names: [
      'Easter Monday',
      'le lundi de Pâques',
      'Ostermontag',
      'Lunes de Pascua',
      'Pasquetta',
      'a Segunda-feira de Páscoa',
      'tweede paasdag',
    ],
    also: 'lundi de paques',
  },
  {
    rule: { easter: 39 },
    names: [
      'Ascension Day',
      'l’Ascension',
      'Christi Himmelfahrt',
      'la Ascensión',
      'l’Ascensione',
      'a Ascensão',
      'Hemelvaartsdag',
    ],
    also: 'ascension,himmelfahrt,hemelvaart',
  },
  {
    rule: { easter: 49 },
    names: ['Pentecost', 'la Pentecôte', 'Pfingsten', 'Pentecostés', 'Pentecoste', 'o Pentecostes', 'Pinksteren'],
    also: 'whitsun,pentecote,pfingstsonntag',
  },
  {
    rule: { month: 11, nth: 4, weekday: 4, plus: 0 },
    names: [
      'Thanksgiving',
      'Thanksgiving',
      'Thanksgiving',
      'Acción de Gracias',
      'il Ringraziamento',
      'o Dia de Ação de Graças',
      'Thanksgiving',
    ],
    also: 'thanksgiving,thanksgiving day,dia de accion de gracias,giorno del ringraziamento',
  },
  {
    rule: { month: 11, nth: 4, weekday: 4, plus: 1 },
    names: [
      'Black Friday',
      'le Black Friday',
      'Black Friday',
      'el Black Friday',
      'il Black Friday',
      'a Black Friday',
      'Black Friday',
    ],
  },
]

const toNamedDay = ({ rule, names: [en, fr, de, es, it, pt, nl] }: DayDeclaration): NamedDay => ({
  rule,
  names: { en, fr, de, es, it, pt, nl },
})

export const NAMED_DAY_BY_WORD: ReadonlyMap<string, NamedDay> = new Map(
  DECLARATIONS.flatMap((declared) => {
    const day = toNamedDay(declared)
    const written = [...declared.names.map(fold), ...(declared.also ?? '').split(',')]
    return written.filter((word) => word !== '').map((word) => [word, day] as const)
  }),
)

/**
 * The requested region decides the date. Without a region, or if the region doesn't have the day, the answer gives the
 * dates of `usualCountries`.
 */
interface RegionalDay {
  names: NamedDay['names']
  /** Its names, comma-separated and folded. In a query, a year may follow. */
  words: string
  /** In every country that `regions` doesn't list; `undefined`: those don't have this day. */
  usual: DayRule | undefined
  regions: Readonly<Record<string, DayRule>>
  /** The countries whose dates are given if the region is unknown or doesn't have this day. */
  usualCountries: Readonly<Record<Language, readonly string[]>>
}

const SUNDAY = 7
const nth = (month: number, which: number, weekday = SUNDAY): DayRule => ({ month, nth: which, weekday, plus: 0 })

const MOTHERS_DAY: RegionalDay = {
  names: {
    en: 'Mother’s Day',
    fr: 'la fête des mères',
    de: 'Muttertag',
    es: 'el Día de la Madre',
    it: 'la festa della mamma',
    pt: 'o Dia da Mãe',
    nl: 'Moederdag',
  },
  words:
    "mother's day,mothers day,mothering sunday,mum's day,fete des meres,muttertag,dia de la madre,festa della mamma,dia da mae,dia das maes,moederdag",
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
  usualCountries: {
    en: ['US', 'GB'],
    fr: ['FR', 'CA'],
    de: ['DE'],
    es: ['ES', 'MX'],
    it: ['IT'],
    pt: ['PT', 'BR'],
    nl: ['NL'],
  },
}

const FATHERS_DAY: RegionalDay = {
  names: {
    en: 'Father’s Day',
    fr: 'la fête des pères',
    de: 'Vatertag',
    es: 'el Día del Padre',
    it: 'la festa del papà',
    pt: 'o Dia do Pai',
    nl: 'Vaderdag',
  },
  words:
    "father's day,fathers day,fete des peres,vatertag,dia del padre,festa del papa,dia do pai,dia dos pais,vaderdag",
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
  usualCountries: {
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
  words:
    'thanksgiving,thanksgiving day,canadian thanksgiving,action de grace,accion de gracias,dia de accion de gracias,ringraziamento,giorno del ringraziamento,dia de acao de gracas',
  usual: undefined,
  regions: { US: nth(11, 4, THURSDAY), CA: nth(10, 2, MONDAY) },
  usualCountries: { en: ['US', 'CA'], fr: ['US', 'CA'], de: ['US'], es: ['US'], it: ['US'], pt: ['US'], nl: ['US'] },
}

const regionalDayByWord = new Map(
  [MOTHERS_DAY, FATHERS_DAY, THANKSGIVING].flatMap((day) => day.words.split(',').map((word) => [word, day] as const)),
)

/** A day's name, with an article and a year if there are any. */
export const NAMED = /^(?:the |la |le |el |il |lo |o |a |de |der |den |l')?(.{3,30}?)(?: (?:de )?(\d{4}))?$/

export interface ParsedRegionalDay {
  day: RegionalDay
  year: number | undefined
}

/** `text` is folded. */
export function readRegionalDay(text: string): ParsedRegionalDay | undefined {
  const [, name = '', year] = NAMED.exec(text) ?? []
  const day = regionalDayByWord.get(name)
  return day && { day, year: year === undefined ? undefined : Number(year) }
}

/** Returns the day in each country that may be meant. `home`: the requested region, or ''. */
export function daysByCountry(day: RegionalDay, home: string, language: Language): [string, NamedDay][] {
  const homeRule = home === '' ? undefined : (day.regions[home] ?? day.usual)
  const countries = homeRule ? [home] : day.usualCountries[language]
  return countries.flatMap((country): [string, NamedDay][] => {
    const rule = day.regions[country] ?? day.usual
    return rule ? [[country, { rule, names: day.names }]] : []
  })
}

/** Western Easter Sunday, at midnight UTC, by Lichtenberg's version of Gauss's algorithm for the Gregorian calendar. */
export function easterSunday(year: number): number {
  const century = Math.floor(year / 100)
  const lunarCorrection = 15 + Math.floor((3 * century + 3) / 4) - Math.floor((8 * century + 13) / 25)
  const solarCorrection = 2 - Math.floor((3 * century + 3) / 4)
  const golden = year % 19
  const fullMoonSeed = (19 * golden + lunarCorrection) % 30
  const correction = Math.floor((fullMoonSeed + Math.floor(golden / 11)) / 29)
  const paschalFullMoon = 21 + fullMoonSeed - correction
  const sunday = 7 - ((year + Math.floor(year / 4) + solarCorrection) % 7)
  const march = paschalFullMoon + 7 - ((paschalFullMoon - sunday) % 7)
  return Date.UTC(year, 2, march)
}
