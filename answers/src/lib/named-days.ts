// Days defined by a name and a rule, such as Christmas, Easter and Black Friday, with their names in seven languages.
// Only days that fall on the same date everywhere; the others, such as Mother's Day, are in `regional-days.ts`.
import { fold, type Language } from '../question.ts'

export type DayRule =
  | { month: number; day: number }
  /** Days after western Easter Sunday. */
  | { easter: number }
  /** The nth weekday of a month (1 is Monday), plus a number of days. */
  | { month: number; nth: number; weekday: number; plus: number }
  /** France moves it to the next Sunday if it falls on Pentecost. */
  | { lastSundayOfMay: 'always' | 'but not on Pentecost' }

export interface NamedDay {
  rule: DayRule
  /** As used in a sentence ("40 days until …"), with an article where needed. */
  names: Readonly<Record<Language, string>>
}

interface Declared {
  rule: DayRule
  /** In the order en, fr, de, es, it, pt, nl. */
  names: readonly [string, string, string, string, string, string, string]
  /** Other names for it. */
  also?: string
}

const DECLARED: readonly Declared[] = [
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
    also: 'halloween',
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
    also: 'black friday',
  },
]

const dayOf = ({ rule, names: [en, fr, de, es, it, pt, nl] }: Declared): NamedDay => ({
  rule,
  names: { en, fr, de, es, it, pt, nl },
})

export const NAMED_DAY_BY_WORD: ReadonlyMap<string, NamedDay> = new Map(
  DECLARED.flatMap((declared) => {
    const day = dayOf(declared)
    const written = [...declared.names.map(fold), ...(declared.also ?? '').split(',')]
    return written.filter((word) => word !== '').map((word) => [word, day] as const)
  }),
)
