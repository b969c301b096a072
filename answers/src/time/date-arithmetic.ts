// Date arithmetic: `2024-01-31 + 1 month`, `30 days from today`, `days between 2024-01-01 and 2024-03-01`, `what day is
// 29 february 2028`, `age of someone born 1990-05-17`. Both sides of a sum must parse: as dates, or one as a length of
// time. Must not answer: `28 days later`, `what day is garbage collected`, `2024-2025`, `seven days`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { Day, Span } from '../lib/calendar.ts'
import { dateLocale, isFixedDay, type ParsedDate, readDate, writeCount, writeDate } from '../lib/dates.ts'
import { type Parts, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, fillIn, semicolonIn } from '../lib/write-text.ts'
import type { Language, Question } from '../question.ts'

type Sum =
  | { operation: 'add' | 'subtract'; base: ParsedDate; span: Partial<Span> }
  | { operation: 'between'; start: ParsedDate; end: ParsedDate }
  | { operation: 'weekday'; which: ParsedDate }
  | { operation: 'age'; born: ParsedDate }

const HINT =
  /\d|day|date|jour|tag\b|prochain|proxim|prossim|viene|volgende|nachste|datum|dia\b|fecha|giorno|data|dag\b|week|mon[ad]|born|jahr/
const TODAY: ParsedDate = { kind: 'days', fromToday: 0 }

/** Roughly a date; `readDate` is stricter. */
const DAY = "[a-z0-9',./ -]{3,34}"

/** Roughly a length of time; `readSpan` is stricter. */
const SPAN = '(?:\\d{1,6}|[a-z]{1,5}) ?[a-z]{2,9}(?:(?:,| and| et| und| y| e| en)? \\d{1,6} ?[a-z]{2,9}){0,3}'

/** `<name:D>` is a group that captures a day, `<name:S>` one that captures a length of time. */
const patterns = (...sources: string[]): RegExp[] =>
  sources.map(
    (source) =>
      new RegExp(`^${source.replace(/<(\w+):D>/g, `(?<$1>${DAY}?)`).replace(/<(\w+):S>/g, `(?<$1>${SPAN})`)}$`),
  )

/**
 * The groups determine the operation:
 *   base with later or earlier   a day, and a length of time to add or subtract; no base: today
 *   start and end                the time between two days; no end: today
 *   which                        the weekday of a day
 *   today                        today's date
 *   born                         a person's age
 */
const TRIGGERS: Triggers = {
  en: patterns(
    '(?:what is )?<base:D> ?(?:\\+|plus) ?<later:S>',
    '(?:what is )?<base:D> ?(?:[-−–]|minus) ?<earlier:S>',
    "(?:what(?:'s| is)? (?:the )?(?:date|day) (?:is |will it be )?)?<later:S> (?:from|after) <base:D>",
    '(?:what(?: is| was)? (?:the )?(?:date|day) (?:is |was )?)?<earlier:S> (?:before|prior to) <base:D>',
    "(?:what(?:'s| is)? (?:the )?(?:date|day) (?:is it |will it be )?|date )in <later:S>",
    '(?:what (?:date|day) was(?: it)? |(?:the )?date )<earlier:S> ago',
    '(?<earlier>\\d{1,5} (?:days|weeks)) ago(?: from (?:today|now))?',
    'in (?<later>\\d{1,4} (?:days|weeks))',
    '(?:when is |what date is |date )?(?<which>next (?:mon|tues|wednes|thurs|fri|satur|sun)day)',
    'age (?:of |if )?(?:born )?(?:on )?<born:D>',
    '(?:how many |number of )?(?:days|weeks|months|years|time) (?:are |is )?(?:there )?between <start:D> and <end:D>',
    '(?:how many |number of )?(?:days|weeks|months|years) (?:is it |are there )?from <start:D> (?:to|until|till) <end:D>',
    '(?:how many )?(?:days|weeks|months|years) (?:is it |has it been )?since <start:D>',
    'how long (?:ago was|since|is it since|has it been since) <start:D>',
    '(?:what|which) (?:day|weekday|day of the week) (?:is|was|will be|does)(?: it)?(?: on)? <which:D>(?: fall on| on)?',
    '(?:day of the week|weekday)(?: of| on| for)? <which:D>',
    "(?<today>what day is it(?: today)?|what(?:'s| is) (?:the date|today's date|the date today)|today's date|date today|current date)",
    '(?:how old is (?:someone|somebody|a person) (?:who was )?born|age of (?:someone|somebody|a person) born|age if born|how old (?:am i|is he|is she) if (?:i was |he was |she was )?born)(?: on| in)? <born:D>',
    'born(?: on)? <born:D> (?:age|how old)',
  ),
  fr: patterns(
    '<base:D> ?(?:\\+|plus) ?<later:S>',
    '<base:D> ?(?:[-−–]|moins) ?<earlier:S>',
    '(?:quelle date (?:sera-t-on )?|date |quel jour (?:serons-nous )?)?<later:S> (?:apres|a partir de|a partir du) <base:D>',
    '(?:quelle date |date |quel jour )?<earlier:S> avant <base:D>',
    '(?:quelle date (?:sera-t-on |serons-nous )?|date |quel jour (?:sera-t-on |serons-nous )?)dans <later:S>',
    'dans (?<later>\\d{1,4} (?:jours|semaines))',
    '(?:quelle date est )?(?<which>(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) prochain)',
    'age(?: de)?(?: nee?)?(?: le)? <born:D>',
    '(?:quelle date |date |quel jour )?(?:il y a) (?<earlier>\\d{1,5} (?:jours|semaines))',
    '(?:combien de |nombre de )?(?:jours|semaines|mois|annees) (?:y a-t-il )?entre (?:le )?<start:D> et (?:le )?<end:D>',
    '(?:combien de |nombre de )?(?:jours|semaines|mois|annees) depuis (?:le )?<start:D>',
    'quel jour (?:de la semaine )?(?:est|etait|sera|tombe)(?: le)? <which:D>',
    "(?<today>(?:quelle est la )?date (?:d'aujourd'hui|aujourd'hui|du jour)|quel jour (?:sommes[ -]nous|est[ -]on)(?: aujourd'hui)?|on est quel jour)",
    "(?:quel age a|age de|age d') ?(?:quelqu'un|une personne)(?: qui est)? nee? le <born:D>",
  ),
  de: patterns(
    '<base:D> ?(?:\\+|plus) ?<later:S>',
    '<base:D> ?(?:[-−–]|minus) ?<earlier:S>',
    '(?:welches datum ist |welcher tag ist |datum )?<later:S> (?:nach|ab) (?:dem )?<base:D>',
    '(?:welches datum ist |datum )?<earlier:S> vor (?:dem )?<base:D>',
    '(?:welches datum ist |welcher tag ist |datum |heute )in <later:S>',
    'in (?<later>\\d{1,4} (?:tagen|wochen))',
    '(?:wann ist |datum )?(?<which>nachste[nr] (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag))',
    'alter (?:geboren )?(?:am )?<born:D>',
    '(?:welches datum war |welcher tag war |datum |heute )?vor (?<earlier>\\d{1,5} (?:tagen|wochen))',
    '(?:wie ?viele |anzahl )?(?:tage|wochen|monate|jahre) (?:sind |liegen )?(?:es )?zwischen (?:dem )?<start:D> und (?:dem )?<end:D>',
    '(?:wie ?viele )?(?:tage|wochen|monate|jahre) (?:sind es )?(?:vom|von) <start:D> (?:bis|bis zum) <end:D>',
    '(?:wie ?viele )?(?:tage|wochen|monate|jahre) seit (?:dem )?<start:D>',
    '(?:welcher wochentag|was fur ein (?:wochen)?tag|welcher tag) (?:ist|war|wird)(?: der| am)? <which:D>',
    'wochentag (?:am |vom |der )?<which:D>',
    '(?<today>(?:welches |das )?(?:datum|tag) (?:ist |haben wir )?heute|(?:heutiges|aktuelles) datum|welcher tag ist heute)',
    '(?:wie alt ist jemand,? der am|alter von jemandem,? der am) <born:D> geboren (?:ist|wurde)',
    'alter (?:bei )?geburt(?:sdatum)?(?: am)? <born:D>',
  ),
  es: patterns(
    '<base:D> ?(?:\\+|mas) ?<later:S>',
    '<base:D> ?(?:[-−–]|menos) ?<earlier:S>',
    '(?:que fecha (?:es|sera) |fecha )?<later:S> (?:despues de|a partir de|desde) <base:D>',
    '(?:que fecha (?:es|era) |fecha )?<earlier:S> antes (?:de|del) <base:D>',
    '(?:que fecha (?:es|sera) |que dia (?:es|sera) |fecha )(?:en|dentro de) <later:S>',
    'dentro de (?<later>\\d{1,4} (?:dias|semanas))',
    '(?<which>proximo (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo))',
    '(?<which>(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo) que viene)',
    'edad (?:nacido )?(?:el )?<born:D>',
    '(?:que fecha (?:era|fue) |que dia (?:era|fue) |fecha )?hace (?<earlier>\\d{1,5} (?:dias|semanas))',
    '(?:cuantos |cuantas |numero de )?(?:dias|semanas|meses|anos) (?:hay )?(?:entre|desde) (?:el )?<start:D> (?:y|hasta)(?: el)? <end:D>',
    '(?:cuantos |cuantas )?(?:dias|semanas|meses|anos) desde (?:el )?<start:D>',
    'que dia (?:de la semana )?(?:es|era|fue|sera|cae|cayo)(?: el)? <which:D>',
    '(?<today>fecha de hoy|fecha actual|que dia es hoy|que fecha es hoy)',
    '(?:edad de|cuantos anos tiene) (?:alguien|una persona) (?:nacid[oa]|que nacio) el <born:D>',
  ),
  it: patterns(
    '<base:D> ?(?:\\+|piu) ?<later:S>',
    '<base:D> ?(?:[-−–]|meno) ?<earlier:S>',
    '(?:che data e |data )?<later:S> (?:dopo|a partire da|da) (?:il )?<base:D>',
    '(?:che data e |data )?<earlier:S> prima (?:di|del) <base:D>',
    '(?:che data (?:e|sara) |che giorno (?:e|sara) |data )(?:tra|fra) <later:S>',
    '(?:tra|fra) (?<later>\\d{1,4} (?:giorni|settimane))',
    '(?<which>(?:lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica) (?:prossimo|prossima))',
    'eta (?:nato )?(?:il )?<born:D>',
    '(?:che data era |che giorno era |data )?(?<earlier>\\d{1,5} (?:giorni|settimane)) fa',
    '(?:quanti |quante |numero di )?(?:giorni|settimane|mesi|anni) (?:ci sono )?(?:tra|fra) (?:il )?<start:D> e (?:il )?<end:D>',
    '(?:quanti |quante )?(?:giorni|settimane|mesi|anni) dal <start:D>(?: al <end:D>)?',
    'che giorno (?:della settimana )?(?:e|era|sara|cade|fu)(?: il)? <which:D>',
    '(?<today>data di oggi|data odierna|che giorno e oggi|che data e oggi)',
    '(?:eta di|quanti anni ha) (?:chi e|qualcuno|una persona)(?: che e)? nat[oa] il <born:D>',
  ),
  pt: patterns(
    '<base:D> ?(?:\\+|mais) ?<later:S>',
    '<base:D> ?(?:[-−–]|menos) ?<earlier:S>',
    '(?:que data (?:e|sera) |data )?<later:S> (?:depois de|a partir de|apos) <base:D>',
    '(?:que data (?:e|era) |data )?<earlier:S> antes (?:de|do) <base:D>',
    '(?:que data (?:e|sera) |que dia (?:e|sera) |data )?daqui a <later:S>',
    '(?<which>proxima (?:segunda|terca|quarta|quinta|sexta)-feira)',
    'idade (?:nascido )?(?:em )?<born:D>',
    '(?:que data era |que dia era |data )?(?:ha (?<earlier>\\d{1,5} (?:dias|semanas))(?: atras)?)',
    '(?:quantos |quantas |numero de )?(?:dias|semanas|meses|anos) (?:ha )?entre (?:o dia )?<start:D> e (?:o dia )?<end:D>',
    '(?:quantos |quantas )?(?:dias|semanas|meses|anos) desde (?:o dia )?<start:D>',
    'que dia (?:da semana )?(?:e|era|foi|sera|cai)(?: o dia| em| o)? <which:D>',
    '(?<today>data de hoje|data atual|que dia e hoje|qual e a data de hoje)',
    '(?:idade de|quantos anos tem) (?:quem|alguem que|uma pessoa que) nasceu em <born:D>',
  ),
  nl: patterns(
    '<base:D> ?(?:\\+|plus) ?<later:S>',
    '<base:D> ?(?:[-−–]|min) ?<earlier:S>',
    '(?:welke datum is |datum )?<later:S> (?:na|vanaf) <base:D>',
    '(?:welke datum is |datum )?<earlier:S> voor <base:D>',
    '(?:welke datum is het |welke dag is het |datum )over <later:S>',
    'over (?<later>\\d{1,4} (?:dagen|weken))',
    '(?<which>volgende (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag))',
    'leeftijd (?:geboren )?(?:op )?<born:D>',
    '(?:welke datum was |welke dag was |datum )?(?<earlier>\\d{1,5} (?:dagen|weken)) geleden',
    '(?:hoeveel |aantal )?(?:dagen|weken|maanden|jaren) (?:zitten er |zijn er )?tussen <start:D> en <end:D>',
    '(?:hoeveel )?(?:dagen|weken|maanden|jaren) sinds <start:D>',
    'welke (?:week)?dag (?:is|was|valt)(?: het)?(?: op)? <which:D>',
    '(?<today>datum vandaag|huidige datum|welke dag is het(?: vandaag)?|welke datum is het(?: vandaag)?)',
    '(?:leeftijd van|hoe oud is) iemand(?: die)? geboren (?:is )?op <born:D>',
  ),
}

const BORN: Readonly<Record<Language, string>> = {
  en: 'Born on {date}: {age}',
  fr: 'Né(e) le {date} : {age}',
  de: 'Geboren am {date}: {age}',
  es: 'Nacido el {date}: {age}',
  it: 'Nato il {date}: {age}',
  pt: 'Nascido em {date}: {age}',
  nl: 'Geboren op {date}: {age}',
}

const NO_SUCH_DAY: Readonly<Record<Language, string>> = {
  en: '{date} does not exist: {month} has {days}',
  fr: 'Le {date} n’existe pas : {month} compte {days}',
  de: 'Den {date} gibt es nicht: {month} hat {days}',
  es: 'El {date} no existe: {month} tiene {days}',
  it: 'Il {date} non esiste: {month} ha {days}',
  pt: '{date} não existe: {month} tem {days}',
  nl: '{date} bestaat niet: {month} heeft {days}',
}

export const dateArithmetic = defineAnswer({
  slug: 'date_arithmetic',
  title: 'Date calculator',
  summary: 'Adds to a date, counts the days between two dates, names the weekday of a date, and computes an age.',
  examples: [
    { q: '2024-01-31 + 1 month' },
    { q: '30 days from today' },
    { q: 'days between 2024-01-01 and 2024-03-01' },
    { q: 'what day is 29 february 2028' },
    { q: 'age of someone born 1990-05-17' },
    { q: 'jours entre 1.1.2024 et 1.3.2024', lang: 'fr' },
    { q: 'welcher wochentag war der 20.7.1969', lang: 'de' },
  ],
  reply: z.object({
    operation: z.enum(['add', 'subtract', 'between', 'weekday', 'age', 'no_such_date']),
    start: z.string().describe('ISO date, or empty'),
    end: z.string().describe('ISO date: the result of a sum'),
    weekday: z.string().describe('The weekday of `end`, in the language of `text`'),
    days: z.number().int().describe('From start to end'),
    years: z.number().int(),
    months: z.number().int().describe('Beyond whole years'),
    rest_days: z.number().int().describe('Beyond whole months'),
    time_zone: z.string().describe('In which today was looked up; empty when that does not matter'),
  }),
  match(question) {
    if (!HINT.test(question.folded) || question.folded.length > 120) return null
    return readTriggers(question, TRIGGERS, (parts, spoken) => {
      const sum = readSum(parts, spoken, question)
      return sum && { sum }
    })
  },
  async answer({ sum, language }, context) {
    const { ageBetween, clientDay, daysBetween } = await import('../lib/calendar.ts')
    const day = clientDay(dependsOnToday(sum) ? context : { now: context.now, zone: 'UTC' })
    const resolved = await resolveSum(sum, day.today)
    if (resolved === undefined) return null
    const locale = dateLocale(context.question, language)
    if ('missing' in resolved) return noSuchDate(resolved.missing, language, locale)
    const { start, end } = resolved
    const { years, months, days } = ageBetween(start, end)
    if (sum.operation === 'age' && daysBetween(start, end) < 0) return null
    const figures = { days: daysBetween(start, end), years, months, rest_days: days }
    return {
      text: day.withRemark(write(sum, { start: String(start), end: String(end), figures, language, locale })),
      operation: sum.operation,
      start: String(start),
      end: String(end),
      weekday: writeDate(String(end), 'weekday', locale),
      ...figures,
      time_zone: dependsOnToday(sum) ? day.zone : '',
    }
  },
})

function readSum(parts: Parts, spoken: Language, question: Question): Sum | undefined {
  const day = (name: string) => readDate(parts[name] ?? '', spoken, question)
  const { later = '', earlier = '', base = '', start: from = '', end: to = '', today = '' } = parts
  if (later !== '' || earlier !== '') {
    const span = readSpan(later || earlier, spoken)
    const baseWords = base === '' ? TODAY : day('base')
    return span && baseWords && { operation: later !== '' ? 'add' : 'subtract', base: baseWords, span }
  }
  if (from !== '') {
    const [start, end] = [day('start'), to === '' ? TODAY : day('end')]
    return start && end && { operation: 'between', start, end }
  }
  const [which, born] = [today === '' ? day('which') : TODAY, day('born')]
  if (which) return { operation: 'weekday', which }
  // An age needs the year of birth.
  return born && isFixedDay(born) ? { operation: 'age', born } : undefined
}

const SPAN_UNITS = ['day', 'week', 'month', 'year'] as const

/** In the order of SPAN_UNITS. */
const UNIT_WORDS: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  en: ['day days', 'week weeks', 'month months', 'year years'],
  fr: ['jour jours', 'semaine semaines', 'mois', 'an ans annee annees'],
  de: ['tag tage tagen', 'woche wochen', 'monat monate monaten', 'jahr jahre jahren'],
  es: ['dia dias', 'semana semanas', 'mes meses', 'ano anos'],
  it: ['giorno giorni', 'settimana settimane', 'mese mesi', 'anno anni'],
  pt: ['dia dias', 'semana semanas', 'mes meses', 'ano anos'],
  nl: ['dag dagen', 'week weken', 'maand maanden', 'jaar jaren'],
}

/** One, two and three. */
const NUMBER_WORDS: Readonly<Record<Language, readonly [string, string, string]>> = {
  en: ['a an one', 'two', 'three'],
  fr: ['un une', 'deux', 'trois'],
  de: ['ein eine einem einer', 'zwei', 'drei'],
  es: ['un una', 'dos', 'tres'],
  it: ['un una uno', 'due', 'tre'],
  pt: ['um uma', 'dois duas', 'tres'],
  nl: ['een', 'twee', 'drie'],
}

const hasWord = (words: string, word: string): boolean => words.split(' ').includes(word)

const PIECE = /^(\d{1,6}|[a-z]{1,5}) ?([a-z]{2,9})$/
const JOINT = /(?:,| and| et| und| y| e| en)? (?=\d)/

/** `1 month`, `2 weeks and 3 days`. `undefined`: not a length of time in this language. */
function readSpan(text: string, spoken: Language): Partial<Span> | undefined {
  const span: Partial<Span> = {}
  for (const piece of text.split(JOINT)) {
    const [, count = '', word = ''] = PIECE.exec(piece) ?? []
    const unit = SPAN_UNITS[UNIT_WORDS[spoken].findIndex((words) => hasWord(words, word))]
    const number = /^\d/.test(count)
      ? Number(count)
      : 1 + NUMBER_WORDS[spoken].findIndex((words) => hasWord(words, count))
    if (unit === undefined || number === 0 || span[`${unit}s`] !== undefined) return undefined
    span[`${unit}s`] = number
  }
  return span
}

type MissingDate = Extract<ParsedDate, { kind: 'date' }>

/** `undefined`: outside the calendar. `missing`: a day that doesn't exist. */
async function resolveSum(
  sum: Sum,
  today: Day,
): Promise<{ start: Day; end: Day } | { missing: MissingDate } | undefined> {
  const { addSpan, resolveDate } = await import('../lib/calendar.ts')
  const allWords = wordsOf(sum)
  const days = allWords.map((words) => resolveDate(words, today, 'coming'))
  const missing = allWords.find(
    (words, index): words is MissingDate => words.kind === 'date' && days[index] === undefined,
  )
  if (missing) return { missing }
  const [first, second] = days
  if (!first) return undefined
  if (sum.operation === 'between') {
    if (!second) return undefined
    return String(first) <= String(second) ? { start: first, end: second } : { start: second, end: first }
  }
  if (sum.operation === 'weekday') return { start: first, end: first }
  if (sum.operation === 'age') return { start: first, end: today }
  const end = addSpan(first, sum.span, sum.operation === 'add' ? 1 : -1)
  return end && { start: first, end }
}

/** Whether the result depends on today. */
const dependsOnToday = (sum: Sum): boolean => sum.operation === 'age' || !wordsOf(sum).every(isFixedDay)

function wordsOf(sum: Sum): ParsedDate[] {
  if (sum.operation === 'between') return [sum.start, sum.end]
  if (sum.operation === 'weekday') return [sum.which]
  return [sum.operation === 'age' ? sum.born : sum.base]
}

interface ResolvedText {
  start: string
  end: string
  figures: { days: number; years: number; months: number; rest_days: number }
  language: Language
  locale: string
}

function write(sum: Sum, { start, end, figures, language, locale }: ResolvedText): string {
  const from = writeDate(start, 'long', locale)
  const [colon, also] = [colonIn(language), semicolonIn(language)]
  if (sum.operation === 'weekday') return `${from}${colon} ${writeDate(end, 'weekday', locale)}`
  if (sum.operation === 'add' || sum.operation === 'subtract') {
    const sign = sum.operation === 'add' ? '+' : '−'
    return `${from} ${sign} ${writeSpan(sum.span, locale)} = ${writeDate(end, 'full', locale)}`
  }
  const { days, years, months, rest_days: restDays } = figures
  const inDays = writeCount(days, 'day', locale)
  const inAll = writeSpan({ years, months, days: restDays }, locale)
  if (sum.operation === 'age') {
    const age = `${writeCount(years, 'year', locale)} (${[...new Set([inAll, inDays])].join(also)})`
    return fillIn(BORN[language], { date: from, age })
  }
  const inWeeks = writeSpan({ weeks: Math.floor(days / 7), days: days % 7 }, locale)
  const others = [...new Set([days >= 7 ? inWeeks : inDays, inAll])].filter((other) => other !== inDays)
  return `${from} – ${writeDate(end, 'long', locale)}${colon} ${inDays}${others.length > 0 ? ` (${others.join(also)})` : ''}`
}

function writeSpan(span: Partial<Span>, locale: string): string {
  const counts = SPAN_UNITS.toReversed().flatMap((unit) => {
    const count = span[`${unit}s`]
    return count ? [writeCount(count, unit, locale)] : []
  })
  return counts.length > 0 ? counts.join(', ') : writeCount(0, 'day', locale)
}

function noSuchDate({ year, month, day }: MissingDate, language: Language, locale: string) {
  // Without a year, only a day that exists in no year is missing, so any leap year will do.
  const inYear = year ?? 2024
  const days = new Date(Date.UTC(inYear, month, 0)).getUTCDate()
  const style: Intl.DateTimeFormatOptions = year === undefined ? { month: 'long' } : { month: 'long', year: 'numeric' }
  const name = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })
  const iso = `${inYear}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const text = fillIn(NO_SUCH_DAY[language], {
    date: year === undefined ? iso.slice(5) : iso,
    month: name.format(Date.UTC(inYear, month - 1, 1)),
    days: writeCount(days, 'day', locale),
  })
  return {
    text,
    operation: 'no_such_date' as const,
    start: '',
    end: '',
    weekday: '',
    days: 0,
    years: 0,
    months: 0,
    rest_days: 0,
    time_zone: '',
  }
}
