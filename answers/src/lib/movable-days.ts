// Days of other calendars, such as Ramadan and Chinese New Year, with their names in seven languages. The Hebrew calendar
// is arithmetic, so its days are exact. The start of an Islamic month is Saudi Arabia's; other countries wait until they
// see the moon, so it is written with `≈` and its source. Only `days until` and `when is` read these, because a date
// counted from an estimate (`30 days before ramadan`) would look exact.
//
// Chinese New Year is a table (Hong Kong Observatory) because the Intl calendar of older Node.js versions is a day late in
// 2027, when the new moon comes four minutes before midnight. Diwali is the table of `data/regional-holidays.txt`. Outside
// of the tables there is no answer.
import { fold, type Language } from '../question.ts'
import type { ParsedDate } from './dates.ts'
import { type DayRule, NAMED, type NamedDay } from './named-days.ts'

/** In the order en, fr, de, es, it, pt, nl. */
type Translations = readonly [string, string, string, string, string, string, string]

interface MovableDay {
  rule: DayRule
  names: Translations
  /** Other names for it, comma-separated and folded. */
  also: string
  note?: Translations
  isEstimate?: boolean
}

const UMM_AL_QURA: Translations = [
  'Umm al-Qura calendar, ± 1 day',
  'calendrier Oumm al-Qura, ± 1 jour',
  'Umm-al-Qura-Kalender, ± 1 Tag',
  'calendario Umm al-Qura, ± 1 día',
  'calendario Umm al-Qura, ± 1 giorno',
  'calendário Umm al-Qura, ± 1 dia',
  'Umm al-Qura-kalender, ± 1 dag',
]

const FROM_THE_EVENING: Translations = [
  'begins the evening before',
  'commence la veille au soir',
  'beginnt am Vorabend',
  'empieza la víspera al anochecer',
  'inizia la sera prima',
  'começa na véspera à noite',
  'begint de avond ervoor',
]

const IN_INDIA: Translations = ['in India', 'en Inde', 'in Indien', 'en la India', 'in India', 'na Índia', 'in India']

const islamic = (month: number, day: number): Pick<MovableDay, 'rule' | 'note' | 'isEstimate'> => ({
  rule: { calendar: 'islamic-umalqura', monthOfYear: month, dayOfMonth: day },
  note: UMM_AL_QURA,
  isEstimate: true,
})

const hebrew = (month: number, day: number): Pick<MovableDay, 'rule' | 'note'> => ({
  rule: { calendar: 'hebrew', monthOfYear: month, dayOfMonth: day },
  note: FROM_THE_EVENING,
})

const DAYS: readonly MovableDay[] = [
  {
    ...islamic(9, 1),
    names: [
      'the start of Ramadan',
      'le début du ramadan',
      'Beginn des Ramadan',
      'el inicio del Ramadán',
      'l’inizio del Ramadan',
      'o início do Ramadão',
      'het begin van de ramadan',
    ],
    also: 'ramadan,start of ramadan,ramadan start,debut du ramadan,ramadan beginn,ramadanbeginn,inicio del ramadan,inizio del ramadan,inicio do ramadao,ramadao,ramada,begin ramadan,begin van de ramadan',
  },
  {
    ...islamic(10, 1),
    names: [
      'Eid al-Fitr',
      'l’Aïd el-Fitr',
      'Zuckerfest',
      'Eid al-Fitr',
      'Eid al-Fitr',
      'o Eid al-Fitr',
      'het Suikerfeest',
    ],
    also: 'eid al fitr,eid ul fitr,eid ul-fitr,eid-ul-fitr,aid el-fitr,aid el fitr,suikerfeest',
  },
  {
    ...islamic(12, 10),
    names: [
      'Eid al-Adha',
      'l’Aïd el-Adha',
      'Opferfest',
      'Eid al-Adha',
      'Eid al-Adha',
      'o Eid al-Adha',
      'het Offerfeest',
    ],
    also: 'eid al adha,eid ul adha,eid ul-adha,eid-ul-adha,aid el-adha,aid el adha,aid el-kebir,aid el kebir,offerfeest',
  },
  {
    ...hebrew(3, 25),
    names: ['Hanukkah', 'Hanoucca', 'Chanukka', 'Janucá', 'Chanukkah', 'o Chanucá', 'Chanoeka'],
    also: 'hanukah,chanukah,hannukah,hanouka,hanukka,chanuca',
  },
  {
    ...hebrew(7, 15),
    names: ['Passover', 'Pessah', 'Pessach', 'Pésaj', 'la Pasqua ebraica', 'o Pessach', 'Pesach'],
    also: 'pasqua ebraica',
  },
  {
    ...hebrew(1, 1),
    names: [
      'Rosh Hashanah',
      'Roch Hachana',
      'Rosch ha-Schana',
      'Rosh Hashaná',
      'Rosh haShanah',
      'o Rosh Hashaná',
      'Rosj Hasjana',
    ],
    also: 'rosh hashana,rosch haschana,jewish new year',
  },
  {
    ...hebrew(1, 10),
    names: ['Yom Kippur', 'Yom Kippour', 'Jom Kippur', 'Yom Kipur', 'Yom Kippur', 'o Yom Kippur', 'Jom Kipoer'],
    also: 'yom kippur,day of atonement',
  },
  {
    rule: {
      dates:
        `2020-01-25 2021-02-12 2022-02-01 2023-01-22 2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13
        2030-02-03 2031-01-23 2032-02-11 2033-01-31 2034-02-19 2035-02-08 2036-01-28 2037-02-15 2038-02-04 2039-01-24
        2040-02-12 2041-02-01 2042-01-22 2043-02-10 2044-01-30 2045-02-17 2046-02-06 2047-01-26 2048-02-14 2049-02-02
        2050-01-23`.split(/\s+/),
    },
    names: [
      'Chinese New Year',
      'le Nouvel An chinois',
      'chinesisches Neujahr',
      'el Año Nuevo chino',
      'il Capodanno cinese',
      'o Ano-Novo Chinês',
      'Chinees Nieuwjaar',
    ],
    also: 'chinese new years,nouvel an chinois,chinesisches neujahrsfest,ano nuevo chino,capodanno cinese,ano novo chines,ano-novo chines',
  },
  {
    rule: {
      dates: '2025-10-20 2026-11-08 2027-10-29 2028-10-17 2029-11-05 2030-10-26 2031-11-14 2032-11-02'.split(' '),
    },
    names: ['Diwali', 'Diwali', 'Diwali', 'Diwali', 'Diwali', 'o Diwali', 'Divali'],
    also: 'deepavali',
    note: IN_INDIA,
  },
]

const byLanguage = ([en, fr, de, es, it, pt, nl]: Translations): Readonly<Record<Language, string>> => ({
  en,
  fr,
  de,
  es,
  it,
  pt,
  nl,
})

const dayByWord: ReadonlyMap<string, NamedDay> = new Map(
  DAYS.flatMap(({ rule, names, also, note, isEstimate = false }) => {
    const day: NamedDay = { rule, names: byLanguage(names), isEstimate, ...(note && { note: byLanguage(note) }) }
    return [...names.map(fold), ...also.split(',')].map((word) => [word, day] as const)
  }),
)

/** `text` is folded. */
export function readMovableDay(text: string): ParsedDate | undefined {
  const [, name = '', year] = NAMED.exec(text) ?? []
  const named = dayByWord.get(name)
  return named && { kind: 'named', named, year: year === undefined ? undefined : Number(year) }
}
