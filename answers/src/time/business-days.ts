// Business days, Monday to Friday: `business days until 24 december`, `working days between 2026-12-01 and 2026-12-31`, `10
// business days from today`, `arbeitstage bis 24.12.`. Public holidays differ by country, region and firm, so they
// aren't subtracted, and the text says so. German `werktage` and French `jours ouvrables` include Saturdays, so those
// words stay unanswered, as do `3-5 business days` and `business days calculator`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { Day } from '../lib/calendar.ts'
import { dateLocale, isFixedDay, type ParsedDate, readDate, writeDate } from '../lib/dates.ts'
import { numberLocale } from '../lib/numbers.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, fillIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT =
  /(?:business|working|work|week) ?days?|arbeitstag|jours ouvres|laborable|habil|lavorativ|dias uteis|werkdag/
const DAY = "[a-z0-9',./ -]{3,34}"
const COUNT = '(?<count>\\d{1,4})'
const MAX_COUNT = 5000

interface Words {
  days: string
  /** Before the two days. */
  between: string
  and: string
  /** Before a single day. */
  until: string
  /** After a number of days, before the day they are counted from. */
  from: string
  ask: string
}

const patterns = ({ days, between, and, until, from, ask }: Words): RegExp[] => [
  new RegExp(`^(?:${ask})?(?:${days}) (?:${between}) (?<start>${DAY}?) (?:${and}) (?<end>${DAY})$`),
  new RegExp(`^(?:${ask})?(?:${days}) (?:${until}) (?<end>${DAY})$`),
  new RegExp(`^${COUNT} (?:${days}) (?:${from}) (?<start>${DAY})$`),
]

const TRIGGERS: Triggers = {
  en: [
    ...patterns({
      days: '(?:business|working|work) ?days|weekdays',
      ask: '(?:how many|number of) ',
      between: '(?:are (?:there )?)?(?:between|from)',
      and: 'and|to|until|till',
      until: '(?:are (?:there )?)?(?:left )?(?:until|till|to|before)',
      from: 'from|after',
    }),
    /^in (?<count>\d{1,4}) (?:business|working) days$/,
  ],
  fr: patterns({
    days: 'jours ouvres',
    ask: '(?:combien de|nombre de) ',
    between: 'entre(?: le)?|du',
    and: '(?:et|au)(?: le)?',
    until: "(?:avant|jusqu'au|jusqu'a)(?: le)?",
    from: 'apres(?: le)?|a partir du|a partir de',
  }),
  de: [
    ...patterns({
      days: 'arbeitstagen?',
      ask: '(?:wie ?viele|anzahl) ',
      between: '(?:sind es )?(?:zwischen|vom|von)(?: dem)?',
      and: '(?:und|bis)(?: dem| zum)?',
      until: '(?:sind es )?(?:noch )?bis(?: zum)?',
      from: '(?:nach|ab)(?: dem)?',
    }),
    /^in (?<count>\d{1,4}) arbeitstagen$/,
  ],
  es: patterns({
    days: 'dias (?:laborables|habiles)',
    ask: '(?:cuantos|numero de) ',
    between: '(?:hay )?(?:entre|desde)(?: el)?',
    and: '(?:y|hasta)(?: el)?',
    until: '(?:faltan |quedan )?(?:hasta|para)(?: el)?',
    from: '(?:despues del?|desde)(?: el)?',
  }),
  it: patterns({
    days: 'giorni lavorativi',
    ask: '(?:quanti|numero di) ',
    between: '(?:ci sono )?(?:tra|fra|dal)(?: il)?',
    and: '(?:e|al)(?: il)?',
    until: '(?:mancano )?(?:fino al?|al)',
    from: 'dopo(?: il)?|dal|da',
  }),
  pt: patterns({
    days: 'dias uteis',
    ask: '(?:quantos|numero de) ',
    between: '(?:ha )?(?:entre|de)(?: o)?',
    and: '(?:e|ate|a)(?: o)?',
    until: '(?:faltam )?(?:ate|para)(?: o| a)?',
    from: 'depois de|apos|a partir de',
  }),
  nl: patterns({
    days: 'werkdagen',
    ask: '(?:hoeveel|aantal) ',
    between: '(?:zijn er )?(?:tussen|van)',
    and: 'en|tot',
    until: '(?:zijn er )?(?:nog )?tot',
    from: 'na|vanaf',
  }),
}

interface Sentences {
  /** From a day to another, both counted. */
  range: string
  /** After today, up to and with the day. */
  until: string
  after: string
  remark: string
}

const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: {
    range: '{start} to {end}, both included',
    until: 'After today until {end}, that day included',
    after: '{days} business days after {start}',
    remark: 'Monday to Friday, public holidays not subtracted',
  },
  fr: {
    range: 'Du {start} au {end}, tous deux compris',
    until: 'Après aujourd’hui et jusqu’au {end} compris',
    after: '{days} jours ouvrés après le {start}',
    remark: 'du lundi au vendredi, jours fériés non déduits',
  },
  de: {
    range: '{start} bis {end}, beide eingeschlossen',
    until: 'Nach heute bis einschließlich {end}',
    after: '{days} Arbeitstage nach dem {start}',
    remark: 'Montag bis Freitag, Feiertage nicht abgezogen',
  },
  es: {
    range: 'Del {start} al {end}, ambos incluidos',
    until: 'Después de hoy y hasta el {end} incluido',
    after: '{days} días laborables después del {start}',
    remark: 'de lunes a viernes, sin descontar festivos',
  },
  it: {
    range: 'Dal {start} al {end}, entrambi inclusi',
    until: 'Da domani al {end} incluso',
    after: '{days} giorni lavorativi dopo il {start}',
    remark: 'da lunedì a venerdì, festivi non sottratti',
  },
  pt: {
    range: 'De {start} a {end}, ambos incluídos',
    until: 'Depois de hoje e até {end}, incluído',
    after: '{days} dias úteis depois de {start}',
    remark: 'de segunda a sexta, sem descontar feriados',
  },
  nl: {
    range: '{start} tot en met {end}',
    until: 'Na vandaag tot en met {end}',
    after: '{days} werkdagen na {start}',
    remark: 'maandag tot en met vrijdag, feestdagen niet afgetrokken',
  },
}

interface BusinessDaysMatch {
  /** `undefined`: today. */
  start: ParsedDate | undefined
  end: ParsedDate | undefined
  /** The number of days to add to the start; 0 to count those until the end. */
  count: number
  language: Language
}

export const businessDays = defineAnswer({
  slug: 'business_days',
  title: 'Business days',
  summary: 'The number of days from Monday to Friday between two dates or until one, and the date after some of them.',
  examples: [
    { q: 'business days until 24 december' },
    { q: 'working days between 2026-12-01 and 2026-12-31' },
    { q: '10 business days from today' },
    { q: 'arbeitstage bis 24.12.2026', lang: 'de' },
  ],
  reply: z.object({
    start: z.string().describe('Not counted itself, unless two dates were given'),
    end: z.string(),
    days: z.int(),
    time_zone: z.string().describe('In which today was looked up; empty when that does not matter'),
  }),
  match(question): BusinessDaysMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ start = '', end = '', count = '' }, spoken) => {
      const read = (text: string) => (text === '' ? undefined : readDate(text, spoken, question))
      const [first, last] = [read(start), read(end)]
      if ((start !== '' && !first) || (end !== '' && !last) || Number(count) > MAX_COUNT) return undefined
      if (count === '' ? !last : Number(count) === 0) return undefined
      return { start: first, end: last, count: Number(count) }
    })
  },
  async answer({ start, end, count, language }, context) {
    const { clientDay, resolveDate } = await import('../lib/calendar.ts')
    const dependsOnToday = [start, end].some((words) => words && !isFixedDay(words)) || !start
    const { today, zone, withRemark } = clientDay(dependsOnToday ? context : { now: context.now, zone: 'UTC' })
    const first = start ? resolveDate(start, today, 'thisYear') : today
    if (!first) return null
    const last = end ? resolveDate(end, today, start ? 'thisYear' : 'coming') : addBusinessDays(first, count)
    // A range that ends before it begins is a mistake, and how to count one is a matter of taste.
    if (!last || String(last) < String(first)) return null
    const isRange = start !== undefined && end !== undefined
    const days = end ? businessDaysAfter(isRange ? first.subtract({ days: 1 }) : first, last) : count
    const locale = dateLocale(context.question, language)
    const sentences = SENTENCES[language]
    const sentence = isRange ? sentences.range : end ? sentences.until : sentences.after
    const number = new Intl.NumberFormat(numberLocale(context.question, language)).format(days)
    const asked = fillIn(sentence, {
      start: writeDate(String(first), 'long', locale),
      end: writeDate(String(last), 'full', locale),
      days: number,
    })
    const text = `${asked}${colonIn(language)} ${end ? number : writeDate(String(last), 'full', locale)} (${sentences.remark})`
    return {
      text: dependsOnToday ? withRemark(text) : text,
      start: String(first),
      end: String(last),
      days,
      time_zone: dependsOnToday ? zone : '',
    }
  },
})

const FRIDAY = 5

/** Those of whole weeks, then those of the days that are left. The first day isn't counted, the last one is. */
function businessDaysAfter(first: Day, last: Day): number {
  const { days } = first.until(last, { largestUnit: 'day' })
  const rest = Array.from({ length: days % 7 }, (_, index) => ((first.dayOfWeek + index) % 7) + 1)
  return Math.floor(days / 7) * FRIDAY + rest.filter((weekday) => weekday <= FRIDAY).length
}

function addBusinessDays(first: Day, count: number): Day {
  let day = first.add({ weeks: Math.floor(count / FRIDAY) })
  let left = count % FRIDAY
  // From a weekend, whole weeks end on the weekend too, so the last business day is the Friday before.
  if (left === 0 && day.dayOfWeek > FRIDAY) return day.subtract({ days: day.dayOfWeek - FRIDAY })
  while (left > 0) {
    day = day.add({ days: 1 })
    if (day.dayOfWeek <= FRIDAY) left -= 1
  }
  return day
}
