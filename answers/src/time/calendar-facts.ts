// Facts of the calendar: `is 2028 a leap year`, `how many days in february 2028`, `what day of the year is it`, `how many
// days left in the year`. `leap year movie`, `day of the dead`, `days of the year podcast` are ordinary searches.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { dateLocale, monthNamed, writeCount, writeDate, writeMonth } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, fillIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT =
  /leap year|bissextile|schaltjahr|bisiesto|bisestile|bissexto|schrikkeljaar|day of |day number|vielte tag|^(?:how many |combien de |wie ?viele |cuantos |quanti |quantos |hoeveel )?(?:days|tage|jours|dias|giorni|dagen) /
const YEAR = '(?<year>\\d{4})'
const MONTH = '(?<month>[a-z]{3,10})(?: (?:of |de |di |del )?(?<year>\\d{4}))?'
/** The calendar before that had other leap years. */
const FIRST_YEAR = 1583

/** `leap` asks about a year, `month` for its length, `left` for the days after today; none of them: the day's number. */
const TRIGGERS: Triggers = {
  en: [
    new RegExp(`^(?:is|was|will) (?:the year )?${YEAR} (?:be )?(?<leap>a leap year)$`),
    new RegExp(`^(?<leap>leap year) ${YEAR}$`),
    new RegExp(`^how many days (?:are (?:there )?|does )?(?:in )?${MONTH}(?: have)?$`),
    new RegExp(`^(?:how many )?days (?:are )?in ${MONTH}$`),
    new RegExp(`^how many days (?:are (?:there )?)?in (?:the year )?${YEAR}$`),
    /^(?:what|which) day (?:number )?of the year (?:is it|is today)(?: today| now)?$/,
    /^(?:current )?(?:day of (?:the )?year|day number)(?: today)?$/,
    /^(?:what|which) day number is (?:it|today)(?: today)?$/,
    /^(?:how many )?(?<left>days (?:are )?(?:left|remaining) (?:(?:in|until the end of) (?:the|this)|this) year)$/,
  ],
  fr: [
    new RegExp(`^(?:l'annee )?${YEAR} (?<leap>est[ -](?:elle |ce )?(?:une annee )?bissextile)$`),
    new RegExp(`^(?<leap>annee bissextile) ${YEAR}$`),
    new RegExp(`^combien de jours (?:y a-t-il )?(?:en|dans|au mois de) ${MONTH}$`),
    /^(?:combien de )?(?<left>jours (?:restants|restant|il reste)(?: dans| avant la fin de| cette) ?(?:l'annee|annee)?)$/,
  ],
  de: [
    new RegExp(`^(?:ist|war) (?:das jahr )?${YEAR} (?<leap>ein schaltjahr)$`),
    new RegExp(`^(?<leap>schaltjahr) ${YEAR}$`),
    new RegExp(`^wie ?viele tage hat (?:der )?${MONTH}$`),
    new RegExp(`^wie ?viele tage hat (?:das jahr )?${YEAR}$`),
    /^(?:der )?wie ?vielte tag (?:im|des) jahre?s? ist heute$/,
    /^(?:wie ?viele )?(?<left>tage (?:noch )?(?:bis (?:zum )?jahresende|(?:hat|bis ende) dieses jahr(?: noch)?))$/,
  ],
  es: [
    new RegExp(`^(?:es |fue )?(?:el ano )?${YEAR} (?<leap>(?:es |fue )?(?:un ano )?bisiesto)$`),
    new RegExp(`^(?<leap>ano bisiesto) ${YEAR}$`),
    new RegExp(`^cuantos dias tiene ${MONTH}$`),
    /^(?:cuantos )?(?<left>dias (?:faltan|quedan) (?:para (?:el )?fin (?:de|del) ano|de(?:l)? ano|del ano))$/,
  ],
  it: [
    new RegExp(`^(?:il )?${YEAR} (?<leap>e (?:un anno )?bisestile)$`),
    new RegExp(`^(?<leap>anno bisestile) ${YEAR}$`),
    new RegExp(`^quanti giorni ha ${MONTH}$`),
    /^(?:quanti )?(?<left>giorni (?:mancano|restano) alla fine dell'anno)$/,
  ],
  pt: [
    new RegExp(`^(?:o ano )?(?:de )?${YEAR} (?<leap>e (?:um ano )?bissexto)$`),
    new RegExp(`^(?<leap>ano bissexto) ${YEAR}$`),
    new RegExp(`^quantos dias tem ${MONTH}$`),
    /^(?:quantos )?(?<left>dias (?:faltam|restam) (?:para o (?:fim|final) do|para acabar o|para terminar o) ano)$/,
  ],
  nl: [
    new RegExp(`^is (?:het jaar )?${YEAR} (?<leap>een schrikkeljaar)$`),
    new RegExp(`^(?<leap>schrikkeljaar) ${YEAR}$`),
    new RegExp(`^hoeveel dagen heeft ${MONTH}$`),
    /^(?:hoeveel )?(?<left>dagen (?:nog )?tot (?:het )?einde? van het jaar)$/,
  ],
}

interface Sentences {
  leap: string
  common: string
  dayOfYear: string
  left: string
}

const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: {
    leap: '{year} is a leap year: {days}',
    common: '{year} is not a leap year: {days}',
    dayOfYear: '{date}: day {n} of {total}',
    left: '{days} left in {year} after today',
  },
  fr: {
    leap: '{year} est bissextile : {days}',
    common: '{year} n’est pas bissextile : {days}',
    dayOfYear: '{date} : jour {n} sur {total}',
    left: 'Après aujourd’hui, il reste {days} en {year}',
  },
  de: {
    leap: '{year} ist ein Schaltjahr: {days}',
    common: '{year} ist kein Schaltjahr: {days}',
    dayOfYear: '{date}: Tag {n} von {total}',
    left: 'Nach heute noch {days} in {year}',
  },
  es: {
    leap: '{year} es bisiesto: {days}',
    common: '{year} no es bisiesto: {days}',
    dayOfYear: '{date}: día {n} de {total}',
    left: 'Después de hoy quedan {days} en {year}',
  },
  it: {
    leap: '{year} è bisestile: {days}',
    common: '{year} non è bisestile: {days}',
    dayOfYear: '{date}: giorno {n} di {total}',
    left: 'Dopo oggi restano {days} nel {year}',
  },
  pt: {
    leap: '{year} é bissexto: {days}',
    common: '{year} não é bissexto: {days}',
    dayOfYear: '{date}: dia {n} de {total}',
    left: 'Depois de hoje restam {days} em {year}',
  },
  nl: {
    leap: '{year} is een schrikkeljaar: {days}',
    common: '{year} is geen schrikkeljaar: {days}',
    dayOfYear: '{date}: dag {n} van {total}',
    left: 'Na vandaag nog {days} in {year}',
  },
}

/** `month` without a year is this year's. */
type Fact =
  | { kind: 'year'; year: number }
  | { kind: 'month'; month: number; year: number | undefined }
  | { kind: 'today' | 'left' }

export const calendarFacts = defineAnswer({
  slug: 'calendar_facts',
  title: 'Calendar facts',
  summary: 'Leap years, the lengths of months, the number of a day in its year, and the days left in the year.',
  examples: [
    { q: 'is 2028 a leap year' },
    { q: 'how many days in february 2028' },
    { q: 'what day of the year is it' },
    { q: 'schaltjahr 2028', lang: 'de' },
  ],
  reply: z.object({
    year: z.int(),
    month: z.int().describe('1 to 12; 0 if the answer is about the year'),
    days: z.int().describe('Of the year or month, or left in the year'),
    is_leap_year: z.boolean(),
    day_of_year: z.int().describe('Today’s, in `time_zone`; 0 if it wasn’t asked for'),
    time_zone: z.string().describe('In which today was looked up; empty when that does not matter'),
  }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ year = '', month = '', left, ...rest }, spoken) => {
      const number = year === '' ? undefined : Number(year)
      if (number !== undefined && number < FIRST_YEAR) return undefined
      const fact = factOf({ year: number, month, left: left ?? '', spoken })
      return fact && ('leap' in rest || fact.kind !== 'year' || number !== undefined) ? { fact } : undefined
    })
  },
  async answer({ fact, language }, context) {
    const { clientDay, dayOf } = await import('../lib/calendar.ts')
    const isFixed = (fact.kind === 'year' || fact.kind === 'month') && fact.year !== undefined
    const { today, zone, withRemark } = clientDay(isFixed ? { now: context.now, zone: 'UTC' } : context)
    const year = (fact.kind === 'year' || fact.kind === 'month' ? fact.year : undefined) ?? today.year
    const first = dayOf(year, fact.kind === 'month' ? fact.month : 1, 1)
    if (!first) return null
    const locale = dateLocale(context.question, language)
    const sentences = SENTENCES[language]
    const total = first.daysInYear
    const left = total - today.dayOfYear
    const days = fact.kind === 'month' ? first.daysInMonth : fact.kind === 'left' ? left : total
    const date = writeDate(String(today), 'long', locale)
    const text = {
      year: fillIn(first.inLeapYear ? sentences.leap : sentences.common, {
        year: String(year),
        days: writeCount(total, 'day', locale),
      }),
      month: `${writeMonth(year, first.month, locale)}${colonIn(language)} ${writeCount(days, 'day', locale)}`,
      today: fillIn(sentences.dayOfYear, { date, n: String(today.dayOfYear), total: String(total) }),
      left: fillIn(sentences.left, { year: String(year), days: writeCount(left, 'day', locale) }),
    }[fact.kind]
    const isAboutToday = fact.kind === 'today' || fact.kind === 'left'
    return {
      text: isFixed ? text : withRemark(text),
      year,
      month: fact.kind === 'month' ? fact.month : 0,
      days,
      is_leap_year: first.inLeapYear,
      day_of_year: isAboutToday ? today.dayOfYear : 0,
      time_zone: isFixed ? '' : zone,
    }
  },
})

interface FactParts {
  year: number | undefined
  month: string
  left: string
  spoken: Language
}

function factOf({ year, month, left, spoken }: FactParts): Fact | undefined {
  if (left !== '') return { kind: 'left' }
  if (month !== '') {
    const number = monthNamed(month, spoken)
    return number === undefined ? undefined : { kind: 'month', month: number, year }
  }
  return year === undefined ? { kind: 'today' } : { kind: 'year', year }
}
