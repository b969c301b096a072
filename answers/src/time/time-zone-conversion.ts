// Converts a time of day from one place or zone to another: `3pm new york in berlin`, `15:00 utc to pst`. The text
// notes times that the clocks skip or show twice. `2pm est` is converted to the client's zone, if that is known. Must not
// answer: `3pm`, `9:00 to 17:00 jobs`. Both sides must be places or zones in our own data; the geocoder isn't queried.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { Moment, WallReading } from '../lib/calendar.ts'
import { CLOCK_TIME_PATTERN, dateLocale, readClockTime, readDate, writeDate } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { fillIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'
import { findTimedPlace, ownPlace, type TimedPlace, writeClock, writeZone } from './place-time.ts'

const DATE =
  '(?:(?<date>\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}|today|tomorrow|heute|morgen|demain|manana|domani|amanha),? )?'
const TIME = `(?<time>${CLOCK_TIME_PATTERN})`

/** Between two places, in any language: then there is a second place. */
const LINK = / (?:in|into|to|as|a|au|en|vers|nach|zu|em|no|para|naar) /

/** Every language uses the same order, with its own small words. */
const pattern = (words: { at: string; to: string; on: string; start?: string }): RegExp =>
  new RegExp(
    `^(?:${words.start ?? 'convert '})?${DATE}${TIME} (?:${words.at} )?(?<from>[a-z/_+:0-9 .'ß-]{1,40}?)(?: time)?` +
      ` (?:${words.to}) (?<to>[a-z/_+:0-9 .'ß-]{1,40}?)(?: time)?(?: ${words.on} (?<on>[a-z0-9/. -]{5,25}))?$`,
  )

const TRIGGERS: Triggers = {
  en: [
    pattern({ at: 'in|at', to: 'to|in|into|as', on: 'on', start: 'what time is |when is |convert |what is ' }),
    new RegExp(`^when it(?:'s| is) ${TIME} in (?<from>.{2,40}?),? what time is it in (?<to>.{2,40})$`),
    new RegExp(`^${TIME} (?:in )?(?<from>[a-z/_+:0-9 .'-]{2,40})(?: time)?$`),
    new RegExp(`^what time is it in (?<to>.{2,40}?) (?:when|if) it(?:'s| is) ${TIME} in (?<from>.{2,40})$`),
  ],
  fr: [
    pattern({ at: 'a|au|en', to: 'a|au|en|vers', on: 'le', start: 'convertir |il est ' }),
    new RegExp(
      `^quelle heure est[ -]il (?:a|au|en) (?<to>.{2,40}?) (?:quand|s'|lorsqu')? ?il est ${TIME} (?:a|au|en) (?<from>.{2,40})$`,
    ),
  ],
  de: [
    pattern({ at: 'in', to: 'in|nach|zu', on: 'am', start: 'um |wie spat ist ' }),
    new RegExp(`^${TIME} (?:in )?(?<from>[a-z/_+:0-9 .'ß-]{2,40})$`),
    new RegExp(`^wie spat ist es in (?<to>.{2,40}?),? wenn es in (?<from>.{2,40}?) ${TIME} ist$`),
  ],
  es: [pattern({ at: 'en|de', to: 'en|a', on: 'el', start: 'convertir |las ' })],
  it: [pattern({ at: 'a|di', to: 'a|in', on: 'il', start: 'convertire |le ' })],
  pt: [pattern({ at: 'em|no|de', to: 'em|no|para', on: 'em', start: 'converter |as ' })],
  nl: [pattern({ at: 'in', to: 'in|naar', on: 'op', start: 'om ' })],
}

const Side = z.object({
  place: z.string(),
  time_zone: z.string().describe('IANA name or offset'),
  utc_offset: z.string(),
  date: z.string(),
  time: z.string().describe('24 hours'),
})

export const timeZoneConversion = defineAnswer({
  slug: 'time_zone_conversion',
  title: 'Time zone converter',
  summary: 'Converts a time of day between cities or time zones.',
  examples: [
    { q: '3pm new york in berlin' },
    { q: '15:00 utc to pst' },
    { q: '15h Paris à New York', lang: 'fr' },
    { q: '15 uhr berlin in tokio', lang: 'de' },
  ],
  reply: z.object({
    from: Side,
    to: Side,
    daylight_saving: z
      .enum(['none', 'gap', 'overlap'])
      .describe('gap: clocks skip the time; overlap: they show it twice'),
    second: Side.nullable().describe('In an overlap: what the second time is in the other place'),
  }),
  match(question) {
    if (!/\d|no+n|mid|mit|med|mez|mei/.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, (parts, spoken) => {
      const { from = '', to = '', date = '', on = '' } = parts
      const time = readClockTime(parts['time'] ?? '')
      const words = readDate(date || on, spoken, question)
      if (!time || ((date || on) !== '' && !words) || (to === '' && LINK.test(from))) return undefined
      return { from, to, time, date: words }
    })
  },
  async answer({ from, to, time, date, language }, context) {
    const locale = dateLocale(context.question, language)
    const search = { language, locale, now: context.now, isExplicit: true, minPopulation: 0 }
    const known = to === '' ? { ...search, isExplicit: false, minPopulation: WELL_KNOWN } : search
    const source = await findTimedPlace(from, known)
    // A time alone, in a zone or a large city, is converted to the client's: `2pm est`.
    const target = to === '' ? source && ownPlace(context.zone) : await findTimedPlace(to, search)
    if (!source || !target) return null
    const { momentIn, readWall, resolveDate, todayIn } = await import('../lib/calendar.ts')
    const today = todayIn(source.zone, context.now)
    const day = date ? resolveDate(date, today, 'coming') : today
    if (!day) return null
    const sourceTime = readWall({ day, ...time }, source.zone)
    const targetTime = momentIn(target.zone, sourceTime.epochMs)
    const second = sourceTime.later && momentIn(target.zone, sourceTime.later.epochMs)
    if (to === '' && sourceTime.offset === targetTime.offset) return null
    const hasDates = sourceTime.date !== targetTime.date || date !== undefined
    const writeSide = async (place: TimedPlace, moment: Moment) => {
      const zone = await writeZone(place, moment)
      const when = hasDates ? `, ${writeDate(moment.date, 'short', locale)}` : ''
      return `${writeClock(moment, locale)} ${place.label}${zone && ` (${zone})`}${when}`
    }
    const askedTime = writeDate(`${String(day)}T${pad(time.hour)}:${pad(time.minute)}`, 'clock', locale)
    const remark = dstRemark(sourceTime, { language, locale, askedTime, source, target, second })
    return {
      text: `${await writeSide(source, sourceTime)} = ${await writeSide(target, targetTime)}${remark}`,
      from: sideOf(source, sourceTime),
      to: sideOf(target, targetTime),
      daylight_saving: sourceTime.dst,
      second: second ? sideOf(target, second) : null,
    }
  },
})

/** Minimum population for a city in `15 uhr new york`. */
const WELL_KNOWN = 400_000

const pad = (figure: number): string => String(figure).padStart(2, '0')

const sideOf = ({ label, zone }: TimedPlace, { offset, date, time }: Moment): z.output<typeof Side> => ({
  place: label,
  time_zone: zone,
  utc_offset: offset,
  date,
  time,
})

interface RemarkParts {
  language: Language
  locale: string
  askedTime: string
  source: TimedPlace
  target: TimedPlace
  second: Moment | undefined
}

/** `{asked}` is the requested time. `{other}` is the time that is used instead. */
const GAP: Readonly<Record<Language, string>> = {
  en: '{asked} does not exist in {place} on {date}: the clocks go forward, so it is read as {other}',
  fr: '{asked} n’existe pas à {place} le {date} : on avance les horloges, donc lu comme {other}',
  de: '{asked} gibt es in {place} am {date} nicht: Die Uhren werden vorgestellt, gelesen als {other}',
  es: 'las {asked} no existen en {place} el {date}: los relojes se adelantan, se lee como {other}',
  it: 'le {asked} non esistono a {place} il {date}: gli orologi vanno avanti, letto come {other}',
  pt: '{asked} não existe em {place} em {date}: os relógios adiantam-se, lido como {other}',
  nl: '{asked} bestaat niet in {place} op {date}: de klok gaat vooruit, gelezen als {other}',
}

/** `{other}` is the second occurrence of `{asked}`, in the time of the other place. */
const OVERLAP: Readonly<Record<Language, string>> = {
  en: '{asked} comes twice in {place} on {date}: this is the first, the second is {other}',
  fr: '{asked} existe deux fois à {place} le {date} : voici la première, la seconde est {other}',
  de: '{asked} gibt es in {place} am {date} zweimal: Dies ist das erste Mal, das zweite ist {other}',
  es: 'las {asked} se repiten en {place} el {date}: esta es la primera vez, la segunda es {other}',
  it: 'le {asked} si ripetono a {place} il {date}: questa è la prima volta, la seconda è {other}',
  pt: '{asked} repete-se em {place} em {date}: esta é a primeira vez, a segunda é {other}',
  nl: '{asked} komt tweemaal voor in {place} op {date}: dit is de eerste keer, de tweede is {other}',
}

function dstRemark(
  sourceTime: WallReading,
  { language, locale, askedTime, source, target, second }: RemarkParts,
): string {
  if (sourceTime.dst === 'none') return ''
  const secondTime = second && `${writeClock(second, locale)} ${target.label}`
  const sentence = (secondTime === undefined ? GAP : OVERLAP)[language]
  const date = writeDate(sourceTime.date, 'long', locale)
  return `; ${fillIn(sentence, { asked: askedTime, place: source.label, date, other: secondTime ?? writeClock(sourceTime, locale) })}`
}
