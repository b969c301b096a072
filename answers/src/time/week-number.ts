// ISO 8601 week numbers: `week number`, `welche kalenderwoche`, `week number of 2026-12-31`, `kw 47`. Must not answer:
// `week 5 nfl picks`, `week by week pregnancy`, `52 weeks`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { dateLocale, isFixedDay, readDate, writeDateRange } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, fillIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT = /week|woche|\bkw\b|semaine|semana|settimana/
const DAY = "(?<day>[a-z0-9',./ -]{3,34})"
const WEEK = '(?<week>\\d{1,2})(?:[ /,-](?<year>\\d{4}))?'

/** `day` asks for the week of a day, `week` for the days of a week; neither: this week. */
const TRIGGERS: Triggers = {
  en: [
    /^(?:what(?:'s| is) the )?(?:current |iso )?(?:week number|calendar week|week of the year)(?: (?:today|now|this week))?$/,
    /^(?:what|which) (?:calendar )?week (?:number )?(?:is it|are we in)(?: now| today)?$/,
    new RegExp(`^(?:iso |calendar )?week number (?:of|for|on) ${DAY}$`),
    new RegExp(`^(?:what|which) week (?:number )?is ${DAY}$`),
    new RegExp(`^(?:(?:dates of )?(?:iso|calendar) week|dates of week) ${WEEK}$`),
    /^week (?<week>\d{1,2}) (?:of )?(?<year>20\d\d)$/,
  ],
  fr: [
    /^(?:quel est le )?numero de (?:la )?semaine(?: actuelle| aujourd'hui| en cours)?$/,
    /^(?:(?:en |a )?quelle semaine (?:sommes[ -]nous|est[ -]on)|quelle semaine)$/,
    new RegExp(`^(?:numero de )?semaine du ${DAY}$`),
    new RegExp(`^(?:dates? )?semaine ${WEEK}$`),
  ],
  de: [
    /^(?:welche |die )?(?:aktuelle |heutige )?(?:kalenderwoche|kw|wochennummer)(?: (?:heute|aktuell|haben wir|ist heute|haben wir heute|ist es))?$/,
    new RegExp(`^(?:welche )?(?:kalenderwoche|kw) (?:am |vom |ist (?:der )?)?${DAY}$`),
    new RegExp(`^(?:kalenderwoche|kw) ${WEEK}$`),
  ],
  es: [
    /^(?:cual es el )?numero de (?:la )?semana(?: actual| hoy)?$/,
    /^(?:en )?que (?:numero de )?semana (?:estamos|es hoy|es)$/,
    new RegExp(`^numero de semana del ${DAY}$`),
  ],
  it: [
    /^(?:qual e il )?numero (?:della )?settimana(?: attuale| corrente| di oggi)?$/,
    /^(?:in )?che settimana (?:dell'anno )?(?:siamo|e)$/,
    new RegExp(`^numero (?:della )?settimana del ${DAY}$`),
  ],
  pt: [
    /^(?:qual e o )?numero da semana(?: atual| hoje)?$/,
    /^(?:em )?que semana (?:do ano )?(?:estamos|e)$/,
    new RegExp(`^numero da semana de ${DAY}$`),
  ],
  nl: [
    /^(?:wat is het )?(?:huidige )?weeknummer(?: (?:vandaag|nu))?$/,
    /^(?:welke|hoeveelste) week (?:is het|zitten we)(?: nu)?$/,
    new RegExp(`^weeknummer (?:van |op )?${DAY}$`),
  ],
}

const LABELS: Readonly<Record<Language, string>> = {
  en: 'Week {week} of {year}',
  fr: 'Semaine {week} de {year}',
  de: 'KW {week}/{year}',
  es: 'Semana {week} de {year}',
  it: 'Settimana {week} del {year}',
  pt: 'Semana {week} de {year}',
  nl: 'Week {week} van {year}',
}

export const weekNumber = defineAnswer({
  slug: 'week_number',
  title: 'Week number',
  summary: 'The ISO 8601 number of this week or of the week of a date, and the days of a numbered week.',
  examples: [
    { q: 'week number' },
    { q: 'week number of 2026-12-31' },
    { q: 'aktuelle kalenderwoche', lang: 'de' },
    { q: 'weeknummer', lang: 'nl' },
  ],
  reply: z.object({
    week: z.number().int(),
    year: z.number().int().describe('The year the week belongs to, which may differ from that of the date'),
    start: z.string().describe('Monday'),
    end: z.string().describe('Sunday'),
    time_zone: z.string().describe('In which today was looked up; empty when that does not matter'),
  }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ day = '', week = '', year = '' }, spoken) => {
      const words = day === '' ? undefined : readDate(day, spoken, question)
      if (day !== '' && !words) return undefined
      const number = { number: Number(week), year: year === '' ? undefined : Number(year) }
      return { day: words, week: week === '' ? undefined : number }
    })
  },
  async answer({ language, day, week }, context) {
    const { question, now } = context
    const { clientDay, mondayOf, resolveDate } = await import('../lib/calendar.ts')
    const dependsOnToday = week ? week.year === undefined : !day || !isFixedDay(day)
    const { today, zone, withRemark } = clientDay(dependsOnToday ? context : { now, zone: 'UTC' })
    const dayInWeek = day ? resolveDate(day, today, 'thisYear') : today
    const monday = week
      ? mondayOf(week.year ?? today.year, week.number)
      : dayInWeek?.subtract({ days: dayInWeek.dayOfWeek - 1 })
    const [number, year] = [monday?.weekOfYear, monday?.yearOfWeek]
    if (!monday || number === undefined || year === undefined) return null
    const [start, end] = [String(monday), String(monday.add({ days: 6 }))]
    const label = fillIn(LABELS[language], { week: String(number), year: String(year) })
    const text = `${label}${colonIn(language)} ${writeDateRange(start, end, dateLocale(question, language))}`
    return { text: withRemark(text), week: number, year, start, end, time_zone: dependsOnToday ? zone : '' }
  },
})
