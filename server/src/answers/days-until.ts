// Days until a day: `days until christmas`, `wie viele tage bis weihnachten`, `jours avant noël`, `days until 2027-06-01`.
// What follows must be a day and nothing else. Must not answer: `how many days until christmas movie`, `7 days to die`,
// `100 days of code`. "Today" is UTC's.
import { z } from 'zod'
import { defineAnswer } from './answer.ts'
import { dateLocale, writeCount, writeDate } from './lib/date-words.ts'
import type { Language } from './question.ts'
import { type DateWords, isMonthFirst, readDate } from './lib/read-date.ts'
import { readTriggers, type Triggers } from './lib/read-triggers.ts'

const HINT = /days|sleeps|long|jours|tage|dias|giorni|dagen|nachte|dodos|countdown|faltan|falta/
const DAY = "(?<day>[a-z0-9',./ -]{3,40})"

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:how many |number of )?(?:days|sleeps) (?:are (?:there )?|is it )?(?:left )?(?:until|till|til|to|before) ${DAY}$`,
    ),
    new RegExp(`^how (?:long|many days) (?:is it )?(?:until|till|til|to) ${DAY}$`),
    new RegExp(`^(?:countdown to|days to go until) ${DAY}$`),
  ],
  fr: [
    new RegExp(
      `^(?:combien de |nombre de )?(?:jours|dodos) (?:reste-t-il |il reste )?(?:avant|jusqu'a|jusqu'au) ${DAY}$`,
    ),
    new RegExp(`^(?:dans )?combien de (?:temps|jours) (?:avant|jusqu'a) ${DAY}$`),
  ],
  de: [
    new RegExp(`^(?:wie ?viele? )?(?:tage|nachte) (?:sind es )?(?:noch )?bis (?:zu |zum |zur )?${DAY}$`),
    new RegExp(`^(?:wie lange (?:ist es )?(?:noch )?|countdown )bis (?:zu |zum |zur )?${DAY}$`),
  ],
  es: [
    new RegExp(`^(?:cuantos )?dias (?:faltan |quedan )?(?:para|hasta) (?:el |la )?${DAY}$`),
    new RegExp(`^cuanto (?:falta|queda) para (?:el |la )?${DAY}$`),
  ],
  it: [
    new RegExp(`^(?:quanti )?giorni (?:mancano )?(?:a|al|alla|all'|fino a) ?${DAY}$`),
    new RegExp(`^quanto manca (?:a|al|alla|all') ?${DAY}$`),
  ],
  pt: [
    new RegExp(`^(?:quantos )?dias (?:faltam )?(?:para|ate) (?:o |a |ao )?${DAY}$`),
    new RegExp(`^quanto (?:tempo )?falta para (?:o |a )?${DAY}$`),
  ],
  nl: [
    new RegExp(`^(?:hoeveel )?(?:dagen|nachtjes) (?:is het )?(?:nog )?(?:tot|voor) ${DAY}$`),
    new RegExp(`^hoe ?lang (?:duurt het )?(?:nog )?tot ${DAY}$`),
  ],
}

interface Sentences {
  ahead: string
  /** With one day only. */
  one: string
  today: string
  past: string
}

/** `{day}` is the date, or a name with the date in brackets. */
const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: { ahead: '{days} until {day}', one: '{days} until {day}', today: '{day} is today', past: '{day} was {days} ago' },
  fr: {
    ahead: '{days} avant {day}',
    one: '{days} avant {day}',
    today: 'C’est aujourd’hui : {day}',
    past: '{day} : il y a {days}',
  },
  de: {
    ahead: 'Noch {days} bis {day}',
    one: 'Noch {days} bis {day}',
    today: 'Heute ist {day}',
    past: '{day}: {days} vorbei',
  },
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
  nl: {
    ahead: 'Nog {days} tot {day}',
    one: 'Nog {days} tot {day}',
    today: 'Vandaag is het {day}',
    past: '{day}: {days} geleden',
  },
}

interface UntilMatch {
  words: DateWords
  language: Language
}

export const daysUntil = defineAnswer({
  slug: 'days_until',
  title: 'Days until',
  summary: 'How many days it is until a date or a feast.',
  examples: [
    { q: 'days until christmas' },
    { q: 'jours avant noël', lang: 'fr' },
    { q: 'wie viele tage bis weihnachten', lang: 'de' },
    { q: 'cuántos días faltan para navidad', lang: 'es' },
    { q: 'quanti giorni mancano a natale', lang: 'it' },
    { q: 'quantos dias faltam para o natal', lang: 'pt' },
    { q: 'hoeveel dagen tot kerst', lang: 'nl' },
  ],
  reply: z.object({
    name: z.string().describe('Of the feast, or empty'),
    date: z.string(),
    today: z.string().describe('The date in UTC'),
    days: z.number().int().describe('Negative for a day that is past'),
  }),
  match(question): UntilMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ day = '' }, spoken) => {
      const words = readDate(day, { spoken, monthFirst: isMonthFirst(question, spoken) })
      // Whoever asks how long it is until tomorrow asks for something else.
      return words && words.kind !== 'days' ? { words } : undefined
    })
  },
  async answer({ words, language }, { question, now }) {
    const { daysBetween, resolveDate, todayIn } = await import('./lib/calendar.ts')
    const today = todayIn('UTC', now)
    const day = resolveDate(words, today, 'coming')
    if (!day) return null
    const locale = dateLocale(question, language)
    const days = daysBetween(today, day)
    const name = words.kind === 'named' ? words.named.names[language] : ''
    const full = writeDate(String(day), 'full', locale)
    const text = sentence(SENTENCES[language], days)
      .replace('{days}', writeCount(Math.abs(days), 'day', locale))
      .replace('{day}', name === '' ? full : `${name} (${full})`)
    return { text, name, date: String(day), today: String(today), days }
  },
})

function sentence({ ahead, one, today, past }: Sentences, days: number): string {
  if (days === 0) return today
  if (days < 0) return past
  return days === 1 ? one : ahead
}
