// Sunrise and sunset at a place: `sunrise paris`, `sonnenuntergang in berlin`, `coucher du soleil lyon demain`; or at
// the client's location, if it was shared (`sunset`, `sunrise tomorrow`). The text says so if the sun doesn't rise
// or set that day. Must not answer: `sunset boulevard`, `before sunrise`, `sunrise alarm clock`, `sunset beach tv
// show`: without `in`, only a large city counts.
import { z } from 'zod'
import { type AnswerContext, defineAnswer } from '../answer.ts'
import type { ClientDay } from '../lib/calendar.ts'
import { dateLocale, type ParsedDate, readDate, writeDate } from '../lib/dates.ts'
import { languageOf } from '../lib/numbers.ts'
import { findPlace, type Place, placeAt, placeLabel } from '../lib/places.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn } from '../lib/write-text.ts'
import { type Language, regionOf } from '../question.ts'

/** Minimum population without a preposition: the place must be well known. */
const WELL_KNOWN = 100_000
const HINT = /\bsun\b|sun ?(?:rise|set)|soleil|sonne|sol\b|sole\b|alba|tramonto|amanece|anochece|atardece|zons/

/** A date that needs no preposition, because it has a year. */
const DATE = '(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[. ] ?[a-z]{3,10} \\d{4})'

/** `place` follows a preposition, `known` does not. `when` and `later` are the day, before and after the place. */
const patterns = (sources: { what: string; at: string; when: string; on: string; ask?: string }): RegExp[] => {
  const when = `(?:(?:${sources.when})|${DATE}|${sources.on} [a-z0-9/.,' -]{4,22})`
  const what = `(?:${sources.ask ?? ''})?(?:${sources.what})`
  return [
    new RegExp(`^${what}(?: (?<when>${when}))? (?:${sources.at}) (?<place>.{2,50}?)(?: (?<later>${when}))?$`),
    new RegExp(`^${what}(?: (?<when>${when}))?(?<here>)$`),
    new RegExp(`^${what}(?: (?<when>${when}))? (?<known>[a-zß .'-]{3,40}?)(?: (?<later>${when}))?$`),
  ]
}

const TRIGGERS: Triggers = {
  en: [
    ...patterns({
      what: 'sun ?rise(?: and sun ?set)?(?: times?)?|sun ?set(?: times?)?',
      at: 'in|at|for',
      when: 'today|tomorrow|tonight',
      on: 'on',
      ask: '(?:what time is|when is|what time does) (?:the )?',
    }),
    /^(?:when|what time) does the sun (?:rise|set|go down|come up)(?: (?<when>today|tomorrow))? in (?<place>.{2,50}?)(?: (?<later>today|tomorrow))?$/,
    /^(?<known>[a-z .'-]{3,40}) (?:sunrise|sunset|sunrise and sunset) times?$/,
  ],
  fr: [
    ...patterns({
      what: '(?:le )?lever(?: et(?: le)? coucher)? (?:du|de) soleil|(?:le )?coucher (?:du|de) soleil',
      at: 'a|au|aux|en',
      when: "aujourd'hui|demain|ce soir",
      on: 'le',
      ask: "(?:(?:a )?quelle heure(?: est)?|heure|l'heure) (?:du |le )?",
    }),
    /^(?:a )?quelle heure se (?:leve|couche) le soleil(?: (?<when>aujourd'hui|demain))? (?:a|au|en) (?<place>.{2,50})$/,
  ],
  de: [
    ...patterns({
      what: 'sonnen(?:aufgang|untergang)(?: und sonnen(?:aufgang|untergang))?|sonnenauf- und -?untergang',
      at: 'in|auf',
      when: 'heute|morgen|ubermorgen',
      on: 'am',
      ask: '(?:wann ist (?:der )?|um wie viel uhr ist )',
    }),
    /^wann geht (?<when>heute |morgen )?(?:in (?<place>.{2,40}?) )?die sonne (?:auf|unter)$/,
    /^wann geht die sonne (?<when>heute |morgen )?in (?<place>.{2,40}?) (?:auf|unter)$/,
  ],
  es: [
    ...patterns({
      what: '(?:la )?(?:salida|puesta) (?:del|de) sol',
      at: 'en',
      when: 'hoy|manana',
      on: 'el',
      ask: '(?:a que hora es|hora de) (?:la |el )?',
    }).filter((pattern) => !pattern.source.includes('<known>')),
    /^(?:a )?que hora (?:amanece|anochece|sale el sol|se pone el sol)(?: (?<when>hoy|manana))? en (?<place>.{2,50})$/,
  ],
  it: [
    ...patterns({
      what: 'alba|tramonto|alba e tramonto',
      at: 'a|ad|in',
      when: 'oggi|domani',
      on: 'il',
      ask: "(?:ora|orario) (?:del |dell')?",
    }).filter((pattern) => !pattern.source.includes('<known>')),
    /^(?:a )?che ora (?:sorge|tramonta) il sole(?: (?<when>oggi|domani))? (?:a|ad|in) (?<place>.{2,50})$/,
  ],
  pt: [
    ...patterns({
      what: '(?:nascer|por)[ -]do[ -]sol',
      at: 'em|no|na',
      when: 'hoje|amanha',
      on: 'em',
      ask: '(?:a que horas e o|hora do) ',
    }),
  ],
  nl: [
    ...patterns({
      what: 'zons(?:opgang|opkomst|ondergang)(?: en zons(?:opgang|opkomst|ondergang))?',
      at: 'in|op',
      when: 'vandaag|morgen',
      on: 'op',
      ask: '(?:hoe laat is (?:de )?)',
    }),
    /^hoe laat gaat de zon (?<when>vandaag |morgen )?(?:op|onder) in (?<place>.{2,50})$/,
  ],
}

interface Words {
  rise: string
  set: string
  light: string
  night: string
  day: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    rise: 'sunrise',
    set: 'sunset',
    light: 'daylight',
    night: 'polar night, the sun does not rise',
    day: 'midnight sun, the sun does not set',
  },
  fr: {
    rise: 'lever',
    set: 'coucher',
    light: 'jour',
    night: 'nuit polaire, le soleil ne se lève pas',
    day: 'soleil de minuit, le soleil ne se couche pas',
  },
  de: {
    rise: 'Sonnenaufgang',
    set: 'Sonnenuntergang',
    light: 'Tageslänge',
    night: 'Polarnacht, die Sonne geht nicht auf',
    day: 'Mitternachtssonne, die Sonne geht nicht unter',
  },
  es: {
    rise: 'salida del sol',
    set: 'puesta del sol',
    light: 'luz',
    night: 'noche polar, el sol no sale',
    day: 'sol de medianoche, el sol no se pone',
  },
  it: {
    rise: 'alba',
    set: 'tramonto',
    light: 'luce',
    night: 'notte polare, il sole non sorge',
    day: 'sole di mezzanotte, il sole non tramonta',
  },
  pt: {
    rise: 'nascer do sol',
    set: 'pôr do sol',
    light: 'luz',
    night: 'noite polar, o sol não nasce',
    day: 'sol da meia-noite, o sol não se põe',
  },
  nl: {
    rise: 'zonsopkomst',
    set: 'zonsondergang',
    light: 'daglicht',
    night: 'poolnacht, de zon komt niet op',
    day: 'middernachtzon, de zon gaat niet onder',
  },
}

interface SunMatch {
  name: string
  isExplicit: boolean
  day: ParsedDate | undefined
  language: Language
}

export const sunTimes = defineAnswer({
  slug: 'sun_times',
  title: 'Sunrise and sunset',
  summary: 'When the sun rises and sets at a place, today or on another day.',
  examples: [
    { q: 'sunrise in paris' },
    { q: 'sonnenuntergang berlin', lang: 'de' },
    { q: 'lever du soleil à lyon', lang: 'fr' },
    { q: 'zonsondergang amsterdam morgen', lang: 'nl' },
  ],
  reply: z.object({
    place: z.string(),
    country: z.string().describe('ISO 3166-1 alpha-2, or empty where no city is near'),
    latitude: z.number(),
    longitude: z.number(),
    time_zone: z.string(),
    date: z.string(),
    sunrise: z.string().describe('Local time, or empty when the sun does not rise that day'),
    sunset: z.string().describe('Local time, or empty when the sun does not set that day'),
    daylight_minutes: z.number().int(),
    polar: z.enum(['none', 'day', 'night']),
  }),
  match(question): SunMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ place = '', known = '', when = '', later = '', ...parts }, spoken) => {
      const text = (when || later).replace(/^(?:on|le|am|el|il|em|op) /, '').replace(/^(?:tonight|ce soir)$/, '')
      const day = readDate(text, spoken, question)
      if (place === '' && known === '' && !('here' in parts)) return undefined
      return text !== '' && !day ? undefined : { name: place || known, isExplicit: place !== '', day }
    })
  },
  async answer(match, context) {
    const { day: words, language } = match
    const { question, now } = context
    const found = match.name === '' ? await placeHere(context) : await findNamedPlace(match, context)
    if (!found) return null
    const { place, withRemark } = found
    const [{ momentIn, resolveDate, todayIn }, { getTimes }] = await Promise.all([
      import('../lib/calendar.ts'),
      import('suncalc'),
    ])
    const today = todayIn(place.zone, now)
    const day = words ? resolveDate(words, today, 'coming') : today
    if (!day) return null
    const { zone, latitude, longitude } = place
    // suncalc uses the solar day of the moment it is given, so pass the local solar noon.
    const noon = Date.UTC(day.year, day.month - 1, day.day, 12) - (longitude / 15) * 3_600_000
    const sun = getTimes(new Date(noon), latitude, longitude)
    const polar = sun.alwaysUp ? 'day' : sun.alwaysDown ? 'night' : 'none'
    const [rise, set] = [sun.sunrise?.getTime(), sun.sunset?.getTime()]
    const locale = dateLocale(question, language)
    const clock = (epochMs: number | undefined) => (epochMs === undefined ? '' : momentIn(zone, epochMs).time)
    const daylight =
      polar === 'day' ? 1440 : rise === undefined || set === undefined ? 0 : Math.round((set - rise) / 60_000)
    const figures = { sunrise: clock(rise), sunset: clock(set), daylight_minutes: daylight, polar } as const
    const label = placeLabel(place, locale)
    return {
      text: withRemark(`${label}, ${write({ ...figures, date: String(day) }, WORDS[language], locale)}`),
      place: label,
      country: place.country,
      latitude,
      longitude,
      time_zone: zone,
      date: String(day),
      ...figures,
    }
  },
})

interface SunPlace {
  place: Place
  withRemark: ClientDay['withRemark']
}

async function findNamedPlace(
  { name, isExplicit, language }: SunMatch,
  context: AnswerContext,
): Promise<SunPlace | undefined> {
  const place = await findPlace(name, {
    language,
    minPopulation: isExplicit ? 0 : WELL_KNOWN,
    home: regionOf(context.question.tag),
    ...(isExplicit && { context }),
  })
  return place && { place, withRemark: (text) => text }
}

/** Uses the client's time zone, else that of a nearby city, else UTC. */
async function placeHere(context: AnswerContext): Promise<SunPlace | undefined> {
  if (!context.point) return undefined
  const place = await placeAt(context.point)
  const { clientDay } = await import('../lib/calendar.ts')
  const { zone, withRemark } = clientDay({ now: context.now, zone: context.zone ?? (place.zone || undefined) })
  return { place: { ...place, zone }, withRemark }
}

interface SunFigures {
  date: string
  sunrise: string
  sunset: string
  daylight_minutes: number
  polar: 'none' | 'day' | 'night'
}

function write(
  { date, sunrise, sunset, daylight_minutes: minutes, polar }: SunFigures,
  words: Words,
  locale: string,
): string {
  const head = `${writeDate(date, 'full', locale)}${colonIn(languageOf(locale))}`
  if (polar !== 'none') return `${head} ${polar === 'day' ? words.day : words.night}`
  const at = (time: string) => writeDate(`${date}T${time}`, 'clock', locale)
  const light = `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
  // Near the poles, a day may have a sunrise but no sunset, or the reverse.
  const parts = [
    sunrise && `${words.rise} ${at(sunrise)}`,
    sunset && `${words.set} ${at(sunset)}`,
    sunrise && sunset && `${words.light} ${light}`,
  ]
  return `${head} ${parts.filter(Boolean).join(', ')}`
}
