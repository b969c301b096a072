// When the clocks change: `when do the clocks change`, `zeitumstellung 2027`, `when does daylight saving time end in
// canada`. In the place that is named, else the client's zone, else its region; without any, in Europe, and for English in
// the United States too. `daylight saving time history`, `spring forward fall back meaning` are ordinary searches.
import { z } from 'zod'
import { type AnswerContext, defineAnswer } from '../answer.ts'
import type { ClockChange } from '../lib/calendar.ts'
import { countryName } from '../lib/countries.ts'
import { dateLocale, writeDate } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, semicolonIn } from '../lib/write-text.ts'
import { type Language, regionOf } from '../question.ts'
import { findTimedPlace, ownPlace } from './place-time.ts'

const HINT = /clock|daylight|\bdst\b|umstellung|sommerzeit|winterzeit|gestellt|heure|hora\b|\bora\b|klok|tijd/
const PLACE = "(?: (?:in|en|a|au|em|no|na|fur|for) (?<place>[a-z .'-]{2,40}?))?"
const YEAR = '(?: (?:in |im |en |nel |em )?(?<year>20\\d\\d))?'

const patterns = (...sources: string[]): RegExp[] => sources.map((source) => new RegExp(`^${source}${PLACE}${YEAR}$`))

/** `forward` and `back` ask for that change alone. */
const TRIGGERS: Triggers = {
  en: patterns(
    'when (?:do|does|will|did) (?:the |our )?(?:clocks?|time) (?:change|changes)(?: again| next)?',
    'when (?:do|does|will) (?:the |our )?clocks? (?:(?<forward>go forward|spring forward)|(?<back>go back|fall back))',
    'when (?:does|is|do|will) (?:daylight savings? time|daylight savings?|dst)(?: (?:(?<forward>start|begin)|(?<back>end|over)|change))?',
    '(?:next )?(?:clock|time) changes?(?: date)?(?= 20| in )',
    '(?:next )?daylight savings?(?: time)?(?: (?:(?<forward>starts?|begins?)|(?<back>ends?)))?(?= 20)',
    '(?:next clock change|(?<forward>clocks go forward)|(?<back>clocks go back))',
  ),
  fr: patterns(
    "(?:quand (?:est|a lieu|aura lieu) le |date du |date )?(?:prochain )?changement d'heure",
    "quand (?:est-ce qu'on change|change-t-on|on change) (?:d'|l')heure",
    "(?:quand (?:passe-t-on|est-ce qu'on passe|passons-nous) a |passage a )?l'heure d'(?:(?<forward>ete)|(?<back>hiver))",
  ),
  de: patterns(
    '(?:wann ist (?:die )?)?(?:nachste )?(?:zeitumstellung|uhrenumstellung|uhrumstellung)',
    'wann (?:beginnt|fangt|ist|kommt) (?:die )?(?:(?<forward>sommerzeit)|(?<back>winterzeit))(?: an)?',
    'wann endet (?:die )?(?:(?<back>sommerzeit)|(?<forward>winterzeit))',
    'wann (?:wird|werden) die uhr(?:en)? (?:umgestellt|(?<forward>vorgestellt)|(?<back>zuruckgestellt))',
    'wann ist die umstellung auf (?:(?<forward>sommerzeit)|(?<back>winterzeit))',
  ),
  es: patterns(
    '(?:cuando (?:es|sera) el |fecha del )?(?:proximo )?cambio de (?:hora|horario)',
    'cuando (?:cambia|se cambia|cambiamos) (?:de |la )?hora',
    'cuando (?:empieza|es) el horario de (?:(?<forward>verano)|(?<back>invierno))',
  ),
  it: patterns(
    "(?:quando (?:e|c'e) il )?(?:prossimo )?cambio (?:dell'|d'|di )?ora",
    "quando (?:cambia|si cambia) l'ora",
    "quando (?:torna|inizia|scatta|entra) l'ora (?:(?<forward>legale)|(?<back>solare))",
  ),
  pt: patterns(
    '(?:quando e a )?(?:proxima )?mudanca (?:de|da) hora',
    'quando (?:muda|se muda|mudamos) a hora',
    'quando (?:comeca|e) (?:a hora|o horario) de (?:(?<forward>verao)|(?<back>inverno))',
  ),
  nl: patterns(
    'wanneer (?:gaat|wordt) de klok (?:verzet|(?<forward>vooruit)|(?<back>achteruit|terug))',
    'wanneer (?:gaat|begint|is) (?:de |het )?(?:(?<forward>zomertijd)|(?<back>wintertijd))(?: in)?',
    '(?:(?<forward>zomertijd)|(?<back>wintertijd))(?= 20)',
  ),
}

interface Words {
  forward: string
  back: string
  never: string
  europe: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: { forward: 'forward', back: 'back', never: 'the clocks do not change', europe: 'Europe (CET)' },
  fr: { forward: 'on avance', back: 'on recule', never: 'l’heure ne change pas', europe: 'Europe (CET)' },
  de: { forward: 'vor', back: 'zurück', never: 'die Uhren werden nicht umgestellt', europe: 'Europa (MEZ)' },
  es: { forward: 'se adelanta', back: 'se atrasa', never: 'la hora no cambia', europe: 'Europa (CET)' },
  it: { forward: 'avanti', back: 'indietro', never: 'l’ora non cambia', europe: 'Europa (CET)' },
  pt: { forward: 'adianta', back: 'atrasa', never: 'a hora não muda', europe: 'Europa (CET)' },
  nl: { forward: 'vooruit', back: 'achteruit', never: 'de klok wordt niet verzet', europe: 'Europa (CET)' },
}

/** All of the European Union, Norway, Switzerland and the United Kingdom change at the same moment. */
const EUROPEAN_ZONE = 'Europe/Brussels'
const AMERICAN_ZONE = 'America/New_York'
const DAY_MS = 86_400_000
/** The list of changes that is looked through for one in the direction asked for. */
const MAX_CHANGES = 4
const PLACE_POPULATION = 15_000

interface Where {
  label: string
  zone: string
}

export const clockChange = defineAnswer({
  slug: 'clock_change',
  title: 'Clock changes',
  summary: 'When the clocks go forward or back next, or in a year, at a place or where the client is.',
  examples: [
    { q: 'when do the clocks change' },
    { q: 'when does daylight saving time end in canada' },
    { q: 'zeitumstellung 2027', lang: 'de' },
    { q: 'changement d’heure 2027', lang: 'fr' },
  ],
  reply: z.object({
    places: z.array(
      z.object({
        place: z.string(),
        time_zone: z.string(),
        changes: z
          .array(
            z.object({
              date: z.string(),
              before: z.string().describe('Local time at which the clocks are set'),
              after: z.string().describe('What they are set to'),
            }),
          )
          .describe('Empty where clocks don’t change'),
      }),
    ),
  }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ place = '', year = '', forward = '', back = '' }) => ({
      place,
      year: year === '' ? undefined : Number(year),
      direction: forward === '' ? (back === '' ? '' : 'back') : 'forward',
    }))
  },
  async answer({ place, year, direction, language }, context) {
    const { now } = context
    const locale = dateLocale(context.question, language)
    const where = await placesMeant(place, language, context)
    if (where.length === 0) return null
    const { clockChangesAfter, dayOf } = await import('../lib/calendar.ts')
    const start = year === undefined ? now : Date.parse(String(dayOf(year, 1, 1)))
    const isWanted = ({ isForward, date }: ClockChange) =>
      (direction === '' || isForward === (direction === 'forward')) &&
      (year === undefined || date.startsWith(`${year}-`))
    const places = where.map(({ label, zone }) => ({
      place: label,
      time_zone: zone,
      changes: clockChangesAfter(zone, start, MAX_CHANGES)
        .filter(isWanted)
        .slice(0, year === undefined ? 1 : MAX_CHANGES),
    }))
    const write = changeWriter(language, locale, year === undefined ? now : undefined)
    return {
      text: places
        .map(({ place: label, changes }) => {
          const list = changes.length === 0 ? WORDS[language].never : changes.map(write).join(', ')
          return `${label}${colonIn(language)} ${list}`
        })
        .join(semicolonIn(language)),
      places: places.map(({ changes, ...rest }) => ({
        ...rest,
        changes: changes.map(({ date, before, after }) => ({ date, before, after })),
      })),
    }
  },
})

/** The place that is named, else the client's, else those that people usually mean; none: the name is unknown. */
async function placesMeant(name: string, language: Language, context: AnswerContext): Promise<Where[]> {
  const { question, now } = context
  const locale = dateLocale(question, language)
  const search = { language, locale, now, isExplicit: true, minPopulation: PLACE_POPULATION }
  if (name !== '') {
    const found = await findTimedPlace(name, search)
    return found ? [found] : []
  }
  const own = ownPlace(context.zone)
  if (own) return [own]
  const region = regionOf(question.tag)
  const home = region === '' ? undefined : await homeOf(region, search)
  return home ? [home] : unknownPlaces(language, locale)
}

/** `now`: also writes how far away the change is. */
function changeWriter(language: Language, locale: string, now: number | undefined): (change: ClockChange) => string {
  const { forward, back } = WORDS[language]
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return ({ date, before, after, isForward, epochMs }) => {
    const [from, to] = [before, after].map((time) => writeDate(`${date}T${time}`, 'clock', locale))
    const way = isForward ? forward : back
    const when = now === undefined ? way : `${way}, ${relative.format(Math.ceil((epochMs - now) / DAY_MS), 'day')}`
    return `${writeDate(date, 'full', locale)}, ${from} → ${to} (${when})`
  }
}

/** The capital's clocks stand for the region's. */
async function homeOf(region: string, search: Parameters<typeof findTimedPlace>[1]): Promise<Where | undefined> {
  const name = countryName(region, 'en').toLowerCase()
  const found = await findTimedPlace(name, search)
  return found && { label: countryName(region, search.locale), zone: found.zone }
}

function unknownPlaces(language: Language, locale: string): Where[] {
  const europe = { label: WORDS[language].europe, zone: EUROPEAN_ZONE }
  return language === 'en' ? [europe, { label: countryName('US', locale), zone: AMERICAN_ZONE }] : [europe]
}
