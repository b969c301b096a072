// Reads a date in seven languages: `2028-02-29`, `29.2.2028`, `2/29/2028`, `29 février 2028`, `February 29th`,
// `tomorrow`, `next friday`, `christmas`. It only parses the words; `calendar.ts` works out the day.
//
// Words such as `may` and `sun` are dates only after a trigger, so don't call this without one. Two numbers that could
// each be the month are read by language; the answer names the month, which shows how they were read.

import type { Language, Question } from '../question.ts'
import { NAMED_DAY_BY_WORD, type NamedDay } from './named-days.ts'

export type DateWords =
  | {
      kind: 'date' /** Left out: to be found from the context. */
      year: number | undefined
      month: number
      day: number
    }
  | { kind: 'days'; fromToday: number }
  | { kind: 'weekday' /** 1 is Monday. */; weekday: number; direction: 'next' | 'last' }
  | { kind: 'named'; named: NamedDay; year: number | undefined }

/** Twelve months; commas separate the names of one month. */
const MONTH_WORDS: Readonly<Record<Language, string>> = {
  en: 'january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sep,sept october,oct november,nov december,dec',
  fr: 'janvier,janv fevrier,fevr,fev mars avril,avr mai juin juillet,juil aout septembre,sept octobre,oct novembre,nov decembre,dec',
  de: 'januar,janner,jan februar,feb marz,maerz april,apr mai juni,jun juli,jul august,aug september,sep,sept oktober,okt november,nov dezember,dez',
  es: 'enero,ene febrero,feb marzo,mar abril,abr mayo junio,jun julio,jul agosto,ago septiembre,sep,sept octubre,oct noviembre,nov diciembre,dic',
  it: 'gennaio,gen febbraio,feb marzo,mar aprile,apr maggio,mag giugno,giu luglio,lug agosto,ago settembre,set ottobre,ott novembre,nov dicembre,dic',
  pt: 'janeiro,jan fevereiro,fev marco,mar abril,abr maio junho,jun julho,jul agosto,ago setembro,set outubro,out novembro,nov dezembro,dez',
  nl: 'januari,jan februari,feb maart,mrt april,apr mei juni,jun juli,jul augustus,aug september,sep,sept oktober,okt november,nov december,dec',
}

/** From Monday. */
const WEEKDAY_WORDS: Readonly<Record<Language, string>> = {
  en: 'monday tuesday wednesday thursday friday saturday sunday',
  fr: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  de: 'montag dienstag mittwoch donnerstag freitag samstag,sonnabend sonntag',
  es: 'lunes martes miercoles jueves viernes sabado domingo',
  it: 'lunedi martedi mercoledi giovedi venerdi sabato domenica',
  pt: 'segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo',
  nl: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
}

/** From the day before yesterday to the day after tomorrow; underscores stand for spaces. */
const DAY_WORDS: Readonly<Record<Language, string>> = {
  en: 'day_before_yesterday yesterday today,now tomorrow day_after_tomorrow',
  fr: "avant-hier hier aujourd'hui,maintenant demain apres-demain",
  de: 'vorgestern gestern heute,jetzt morgen ubermorgen',
  es: 'anteayer ayer hoy,ahora manana pasado_manana',
  it: "l'altro_ieri ieri oggi,adesso domani dopodomani",
  pt: 'anteontem ontem hoje,agora amanha depois_de_amanha',
  nl: 'eergisteren gisteren vandaag,nu morgen overmorgen',
}

type Vocabulary = Readonly<Record<Language, ReadonlyMap<string, number>>>

const numbered = (words: string, first: number): ReadonlyMap<string, number> =>
  new Map(
    words
      .split(' ')
      .flatMap((group, index) => group.split(',').map((word) => [word.replaceAll('_', ' '), first + index])),
  )

const vocabulary = (words: Readonly<Record<Language, string>>, first: number): Vocabulary => {
  const { en, fr, de, es, it, pt, nl } = words
  const of = (text: string) => numbered(text, first)
  return { en: of(en), fr: of(fr), de: of(de), es: of(es), it: of(it), pt: of(pt), nl: of(nl) }
}

const MONTHS = vocabulary(MONTH_WORDS, 1)
const WEEKDAYS = vocabulary(WEEKDAY_WORDS, 1)
const DAYS = vocabulary(DAY_WORDS, -2)

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/
const NO_YEAR = /^(\d{1,2})([/.])(\d{1,2})\.?$/
const DAY_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th|er|o|\.)? ?(?:of |de |di |do )?([a-z]{3,10})\.?(?:,? (?:de |del |di |do )?(\d{4}))?$/
const MONTH_DAY = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/
const WEEKDAY =
  /^(?:(next|last|this|nachsten|nachster|letzten|proximo|ultimo|volgende|vorige) )?([a-z-]{5,13})(?: (prochain|dernier|que viene|pasado|prossimo|scorso|que vem|passado))?$/
const NAMED = /^(.{3,30}?)(?: (?:de )?(\d{4}))?$/
const ARTICLE = /^(?:the|on|le|der|den|dem|am|el|il|lo|l'|o|a|em|op|de|dia|al|la) /
const LAST = new Set(['last', 'letzten', 'ultimo', 'vorige', 'dernier', 'pasado', 'scorso', 'passado'])

/** Regions where English puts the month first; '' is English without a region. */
const MONTH_FIRST_REGIONS = new Set(['', 'US', 'PH'])

/** Whether `3/4/2026` is the 4th of March. */
export const isMonthFirst = ({ tag }: Pick<Question, 'tag'>, spoken: Language): boolean =>
  spoken === 'en' && MONTH_FIRST_REGIONS.has(/^en-([a-z]{2})\b/i.exec(tag)?.[1]?.toUpperCase() ?? '')

export interface DateReading {
  /** The language of the day and month names. */
  spoken: Language
  /** Whether `3/4/2026` is the 4th of March. */
  monthFirst: boolean
}

/** `undefined`: not a date. `text` is folded. */
export function readDate(text: string, reading: DateReading): DateWords | undefined {
  if (text.length > 40) return undefined
  const plain = text.trim()
  return read(plain, reading) ?? (ARTICLE.test(plain) ? read(plain.replace(ARTICLE, ''), reading) : undefined)
}

function read(text: string, reading: DateReading): DateWords | undefined {
  const fromToday = DAYS[reading.spoken].get(text)
  if (fromToday !== undefined) return { kind: 'days', fromToday }
  if (!/\d/.test(text)) return readWeekday(text, reading) ?? readNamed(text)
  return readFigures(text, reading) ?? readMonth(text, MONTHS[reading.spoken]) ?? readNamed(text)
}

function readFigures(text: string, { monthFirst }: DateReading): DateWords | undefined {
  const whole = YEAR_FIRST.exec(text)
  if (whole) return date(whole[1], Number(whole[2]), Number(whole[3]))
  const [, first, mark, second, year] = YEAR_LAST.exec(text) ?? NO_YEAR.exec(text) ?? []
  if (first === undefined) return undefined
  const [left, right] = [Number(first), Number(second)]
  const isMonthDay = mark !== '.' && (monthFirst ? left <= 12 : right > 12)
  return isMonthDay ? date(year, left, right) : date(year, right, left)
}

function readMonth(text: string, months: ReadonlyMap<string, number>): DateWords | undefined {
  const dayMonth = DAY_MONTH.exec(text)
  if (dayMonth) return date(dayMonth[3], months.get(dayMonth[2] ?? '') ?? 0, Number(dayMonth[1]))
  const monthDay = MONTH_DAY.exec(text)
  return monthDay ? date(monthDay[3], months.get(monthDay[1] ?? '') ?? 0, Number(monthDay[2])) : undefined
}

/** Doesn't check that the day exists: 30 February passes here, and the calendar rejects it. */
function date(year: string | undefined, month: number, day: number): DateWords | undefined {
  const isPossible = month >= 1 && month <= 12 && day >= 1 && day <= 31 && (year === undefined || Number(year) >= 1000)
  return isPossible ? { kind: 'date', year: year === undefined ? undefined : Number(year), month, day } : undefined
}

function readWeekday(text: string, { spoken }: DateReading): DateWords | undefined {
  const [, before = '', name = '', after = ''] = WEEKDAY.exec(text) ?? []
  const weekday = WEEKDAYS[spoken].get(name)
  if (weekday === undefined) return undefined
  return { kind: 'weekday', weekday, direction: LAST.has(before) || LAST.has(after) ? 'last' : 'next' }
}

function readNamed(text: string): DateWords | undefined {
  const [, name = '', year] = NAMED.exec(text) ?? []
  const named = NAMED_DAY_BY_WORD.get(name)
  return named && { kind: 'named', named, year: year === undefined ? undefined : Number(year) }
}
