// Days until a day, and the dates of holidays: `days until christmas`, `wie viele tage bis weihnachten`, `days until
// 2027-06-01`, `when is easter 2027`, `when is mother's day`. Only a day may follow. Must not answer: `how many days
// until christmas movie`, `7 days to die`, `100 days of code`, `when is christmas dinner`. Dates that differ between
// countries are given with their country.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { countryName } from '../lib/countries.ts'
import { dateLocale, type ParsedDate, readDate, writeCount, writeDate } from '../lib/dates.ts'
import { readMovableDay } from '../lib/movable-days.ts'
import { daysByCountry, type NamedDay, type ParsedRegionalDay, readRegionalDay } from '../lib/named-days.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, fillIn, semicolonIn } from '../lib/write-text.ts'
import { type Language, regionOf } from '../question.ts'

const HINT =
  /days|weeks|semaines|wochen|semanas|settimane|weken|sleeps|long|jours|tage|dias|giorni|dagen|nachte|dodos|countdown|faltan|falta|whe?n|manca|quand|wann|cuando|date|datum|fecha|\bdata\b|what day|que dia|che giorno|quel jour|welke dag|20\d\d$/
/** A movable feast with a year, which can only ask for the date. */
const withYear = (names: string): RegExp => new RegExp(`^(?<when>)(?<day>(?:${names}|ramadan|diwali) 20\\d\\d)$`)
const DAY = "(?<day>[a-z0-9',./ -]{3,40})"
/** Matches as little as possible, because other words may follow the day. */
const DAY_LAZILY = "(?<day>[a-z0-9',./ -]{3,40}?)"

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:how many |number of )?(?:days|sleeps|(?<weeks>weeks)) (?:are (?:there )?|is it )?(?:left )?(?:until|till|til|to|before) ${DAY}$`,
    ),
    new RegExp(`^how (?:long|many days) (?:is it )?(?:until|till|til|to) ${DAY}$`),
    new RegExp(`^(?:countdown to|days to go until) ${DAY}$`),
    new RegExp(
      `^(?<when>when(?:'s| is| was| does)|what (?:date|day) (?:is|does)|(?:the )?date of) (?:the )?${DAY_LAZILY}(?: fall)?(?<now> this year)?$`,
    ),
    withYear(
      'easter|easter sunday|good friday|ash wednesday|palm sunday|thanksgiving|black friday|eid al-fitr|eid al-adha|chinese new year|hanukkah|passover|rosh hashanah|yom kippur',
    ),
  ],
  fr: [
    new RegExp(
      `^(?:combien de |nombre de )?(?:jours|dodos|(?<weeks>semaines)) (?:reste-t-il |il reste )?(?:avant|jusqu'a|jusqu'au) ${DAY}$`,
    ),
    new RegExp(`^(?:dans )?combien de (?:temps|jours) (?:avant|jusqu'a|est) ${DAY}$`),
    new RegExp(`^dans combien de jours ${DAY}$`),
    new RegExp(
      `^(?<when>quand (?:est|tombe)|c'est quand|(?:quelle est la )?date d[eu]|quel jour (?:est|tombe)) ${DAY_LAZILY}(?<now> cette annee)?$`,
    ),
    withYear('paques|nouvel an chinois|mardi gras'),
  ],
  de: [
    new RegExp(
      `^(?:wie ?viele? )?(?:tage|nachte|(?<weeks>wochen)) (?:sind es )?(?:noch )?bis (?:zu |zum |zur )?${DAY}$`,
    ),
    new RegExp(`^(?:wie lange (?:ist es )?(?:noch )?|countdown )bis (?:zu |zum |zur )?${DAY}$`),
    new RegExp(
      `^(?<when>wann (?:ist|war|fallt)|datum von|an welchem tag (?:ist|fallt)) ${DAY_LAZILY}(?<now> dieses jahr)?$`,
    ),
    withYear('ostern|ostersonntag|karfreitag|aschermittwoch|pfingsten|zuckerfest|opferfest|chinesisches neujahr'),
  ],
  es: [
    new RegExp(`^(?:cuant[oa]s )?(?:dias|(?<weeks>semanas)) (?:faltan |quedan )?(?:para|hasta) (?:el |la )?${DAY}$`),
    new RegExp(`^cuanto (?:falta|queda) para (?:el |la )?${DAY}$`),
    new RegExp(`^(?<when>cuando (?:es|cae)|que dia (?:es|cae)|fecha del?) ${DAY_LAZILY}(?<now> este ano)?$`),
    withYear('pascua|ano nuevo chino'),
  ],
  it: [
    new RegExp(`^(?:quant[ie] )?(?:giorni|(?<weeks>settimane)) (?:mancano )?(?:a|al|alla|all'|fino a) ?${DAY}$`),
    new RegExp(`^quanto manca (?:a|al|alla|all') ?${DAY}$`),
    new RegExp(
      `^(?<when>quando (?:e|cade)|quand'e|che giorno (?:e|cade)|data di) (?!o |a |pascoa|natal\\b|dia d)${DAY_LAZILY}(?<now> quest'anno)?$`,
    ),
    withYear('pasqua|capodanno cinese'),
  ],
  pt: [
    new RegExp(`^(?:quant[oa]s )?(?:dias|(?<weeks>semanas)) (?:faltam )?(?:para|ate) (?:o |a |ao )?${DAY}$`),
    new RegExp(`^quanto (?:tempo )?falta para (?:o |a )?${DAY}$`),
    new RegExp(
      `^(?<when>quando (?:e|cai)|que dia (?:e|cai)|em que dia cai|data d[ao]) ${DAY_LAZILY}(?<now> d?este ano)?$`,
    ),
    withYear('pascoa|carnaval'),
  ],
  nl: [
    new RegExp(`^(?:nog )?(?:hoeveel )?(?:dagen|nachtjes|(?<weeks>weken)) (?:is het )?(?:nog )?(?:tot|voor) ${DAY}$`),
    new RegExp(`^hoe ?lang (?:duurt het )?(?:nog )?tot ${DAY}$`),
    new RegExp(
      `^(?<when>wanneer (?:is|valt)(?: het)?|op welke dag (?:is|valt)|datum van) ${DAY_LAZILY}(?<now> dit jaar)?$`,
    ),
    withYear('pasen|pinksteren|suikerfeest|offerfeest|chinees nieuwjaar'),
  ],
}

interface Sentences {
  ahead: string
  /** For exactly one day, if it differs. */
  one?: string
  today: string
  past: string
}

/** `{day}` is the date, or a name with the date in brackets. */
const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: { ahead: '{days} until {day}', today: '{day} is today', past: '{day} was {days} ago' },
  fr: { ahead: '{days} avant {day}', today: 'C’est aujourd’hui : {day}', past: '{day} : il y a {days}' },
  de: { ahead: 'Noch {days} bis {day}', today: 'Heute ist {day}', past: '{day}: {days} vorbei' },
  es: {
    ahead: 'Faltan {days} para {day}',
    one: 'Falta {days} para {day}',
    today: 'Hoy es {day}',
    past: '{day}: hace {days}',
  },
  it: { ahead: 'Mancano {days} a {day}', one: 'Manca {days} a {day}', today: 'Oggi è {day}', past: '{day}: {days} fa' },
  pt: {
    ahead: 'Faltam {days} para {day}',
    one: 'Falta {days} para {day}',
    today: 'Hoje é {day}',
    past: '{day}: há {days}',
  },
  nl: { ahead: 'Nog {days} tot {day}', today: 'Vandaag is het {day}', past: '{day}: {days} geleden' },
}

interface UntilMatch {
  /** A day that is the same everywhere, or one that varies by country. */
  words: ParsedDate | ParsedRegionalDay
  /** The query asks when it is, not how long until then. */
  isWhen: boolean
  /** Use this year's, even if it is past. */
  isThisYear: boolean
  /** Count in weeks and days. */
  inWeeks: boolean
  language: Language
}

export const daysUntil = defineAnswer({
  slug: 'days_until',
  title: 'Days until',
  summary: 'The date of a holiday, and the number of days until a date or a holiday.',
  examples: [
    { q: 'days until christmas' },
    { q: 'when is easter 2027' },
    { q: 'when is mother’s day' },
    { q: 'jours avant noël', lang: 'fr' },
    { q: 'wie viele tage bis weihnachten', lang: 'de' },
    { q: 'cuántos días faltan para navidad', lang: 'es' },
    { q: 'quanti giorni mancano a natale', lang: 'it' },
    { q: 'quantos dias faltam para o natal', lang: 'pt' },
    { q: 'hoeveel dagen tot kerst', lang: 'nl' },
  ],
  reply: z.object({
    name: z.string().describe('The name of the holiday, or empty'),
    date: z.string(),
    today: z.string().describe('The date in `time_zone`'),
    days: z.number().int().describe('Negative for a past day'),
    time_zone: z.string().describe('`tz` if it was sent, otherwise UTC'),
    by_country: z
      .array(z.object({ country: z.string().describe('ISO 3166-1 alpha-2'), date: z.string() }))
      .describe('For a holiday that countries keep on different dates; the first is `date`'),
  }),
  match(question): UntilMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ day = '', ...parts }, spoken) => {
      const asked = { isWhen: 'when' in parts, isThisYear: Boolean(parts['now']), inWeeks: Boolean(parts['weeks']) }
      const regional = readRegionalDay(day)
      if (regional) return { words: regional, ...asked }
      const words = readDate(day, spoken, question) ?? newYearOf(day) ?? readMovableDay(day)
      // People who ask how long it is until tomorrow want something else.
      const isAnswerable = words && (asked.isWhen ? words.kind === 'named' : words.kind !== 'days')
      return isAnswerable ? { words, ...asked } : undefined
    })
  },
  async answer({ words, isWhen, isThisYear, inWeeks, language }, context) {
    const { question } = context
    const { clientDay, daysBetween, resolveDate } = await import('../lib/calendar.ts')
    const { today, zone, withRemark } = clientDay(context)
    const candidates = daysMeant(words, regionOf(question.tag), language)
    const occurrences = candidates.flatMap(([country, one]): Occurrence[] => {
      const day = resolveDate(one, today, isThisYear ? 'thisYear' : 'coming')
      const named = one.kind === 'named' ? one.named : undefined
      return day ? [{ country, named, date: String(day), days: daysBetween(today, day) }] : []
    })
    const [first] = occurrences
    if (!first) return null
    const locale = dateLocale(question, language)
    const text = isWhen ? writeWhen(occurrences, language, locale) : writeUntil(first, { language, locale, inWeeks })
    return {
      text: withRemark(text),
      name: first.named?.names[language] ?? '',
      date: first.date,
      today: String(today),
      days: first.days,
      time_zone: zone,
      by_country: occurrences.flatMap(({ country, date }) => (country === '' ? [] : [{ country, date }])),
    }
  },
})

/** `days until 2027`: until it begins. */
const newYearOf = (text: string): ParsedDate | undefined =>
  /^20\d\d$/.test(text) ? { kind: 'date', year: Number(text), month: 1, day: 1 } : undefined

interface Occurrence {
  /** '' if the date is the same everywhere. */
  country: string
  named: NamedDay | undefined
  date: string
  /** From today. */
  days: number
}

/** The day in each country that may be meant; under '' if it is the same everywhere. */
function daysMeant(words: UntilMatch['words'], home: string, language: Language): [string, ParsedDate][] {
  if ('kind' in words) return [['', words]]
  const { day, year } = words
  return daysByCountry(day, home, language).map(([country, named]) => [country, { kind: 'named', named, year }])
}

interface UntilStyle {
  language: Language
  locale: string
  inWeeks: boolean
}

function writeUntil({ named, country, date, days }: Occurrence, { language, locale, inWeeks }: UntilStyle): string {
  const full = writeDate(date, 'full', locale)
  const place = country === '' ? '' : `, ${countryName(country, locale)}`
  const mark = named?.isEstimate ? '≈ ' : ''
  return fillIn(sentenceFor(SENTENCES[language], days), {
    days: `${mark}${inWeeks ? writeWeeks(Math.abs(days), locale) : writeCount(Math.abs(days), 'day', locale)}`,
    day: named ? `${named.names[language]} (${full}${place}${noteOf(named, language)})` : full,
  })
}

const noteOf = (named: NamedDay | undefined, language: Language): string =>
  named?.note ? `${semicolonIn(language)}${named.note[language]}` : ''

/** `5 weeks, 5 days`. */
function writeWeeks(days: number, locale: string): string {
  const [weeks, rest] = [Math.floor(days / 7), days % 7]
  const parts = [weeks > 0 ? writeCount(weeks, 'week', locale) : '', rest > 0 ? writeCount(rest, 'day', locale) : '']
  return parts.filter(Boolean).join(', ') || writeCount(0, 'day', locale)
}

/** `Easter: Sunday, 28 March 2027 (in 133 days)`, followed by the dates in other countries, after semicolons. */
function writeWhen(occurrences: readonly Occurrence[], language: Language, locale: string): string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const dates = occurrences.map(({ country, named, date, days }) => {
    const place = country === '' ? '' : `${countryName(country, locale)}, `
    const mark = named?.isEstimate ? '≈ ' : ''
    return `${mark}${writeDate(date, 'full', locale)} (${place}${relative.format(days, 'day')}${noteOf(named, language)})`
  })
  const name = occurrences[0]?.named?.names[language] ?? ''
  return `${name.charAt(0).toLocaleUpperCase(locale)}${name.slice(1)}${colonIn(language)} ${dates.join(semicolonIn(language))}`
}

function sentenceFor({ ahead, one = ahead, today, past }: Sentences, days: number): string {
  if (days === 0) return today
  if (days < 0) return past
  return days === 1 ? one : ahead
}
