// Time differences: `time difference london tokyo`, `zeitverschiebung new york` (from where the client is), `difference
// between est and gmt`. Both sides must be places or zones in our own data. `difference between a and b`, `time
// difference calculator` and `zeitverschiebung im flugzeug` are ordinary searches.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { dateLocale } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn } from '../lib/write-text.ts'
import { readZone } from '../lib/zones.ts'
import { type Language, regionOf } from '../question.ts'
import { findTimedPlace, ownPlace, type TimedPlace, writeClock, writeZone } from './place-time.ts'

const HINT = /difference|differenza|diferen|decalage|verschi|unterschied|fuso|\bvs\b|ahead|behind/
const PLACE = "[a-z/_+:0-9 .'ß-]{2,40}"
const MIN_POPULATION = 15_000
const MAX_WORDS = 8

const pair = (opening: string, and: string): RegExp =>
  new RegExp(`^${opening} (?<from>${PLACE}?) (?:${and}) (?<to>${PLACE})$`)
/** Two names with nothing between them, or one. */
const loose = (opening: string): RegExp => new RegExp(`^${opening} (?<places>${PLACE})$`)

const TRIGGERS: Triggers = {
  en: [
    pair('(?:what is the )?(?:time|hour) difference (?:between|from)', 'and|to'),
    pair('(?:what is the )?(?:time|hour) difference', 'and|to|vs|versus|-'),
    pair('(?<zones>difference) between', 'and'),
    pair('time in', 'vs|versus'),
    new RegExp(`^how (?:many hours|far) (?:ahead|behind) is (?<to>${PLACE}?) (?:of|from|to|than) (?<from>${PLACE})$`),
    loose('(?:what is the )?time difference (?:with|to|in|from)'),
    loose('time difference'),
    /^(?<places>[a-z .'-]{3,40}) time difference$/,
  ],
  fr: [
    pair('(?:quel est le )?decalage horaire entre', 'et'),
    loose('(?:quel est le )?decalage horaire(?: avec| a| au| en)?'),
  ],
  de: [
    pair('(?:wie gross ist (?:die|der) )?(?:zeitverschiebung|zeitunterschied) (?:zwischen|von)', 'und|nach|zu'),
    loose('(?:wie gross ist (?:die|der) )?(?:zeitverschiebung|zeitunterschied)(?: nach| zu| in| mit)?'),
  ],
  es: [
    pair('(?:cual es la )?diferencia (?:horaria|de horario|de hora) entre', 'y'),
    loose('diferencia (?:horaria|de horario|de hora)(?: con| en)?'),
  ],
  it: [
    pair('(?:differenza (?:di )?(?:fuso )?orari[ao]|differenza di fuso|fuso orario) (?:tra|fra)', 'e'),
    loose('(?:differenza (?:di )?(?:fuso )?orari[ao]|differenza di fuso)(?: con| a)?'),
  ],
  pt: [
    pair('diferenca (?:de )?(?:fuso(?: horario)?|horaria|de horario|de hora) entre', 'e'),
    loose('diferenca (?:de )?(?:fuso(?: horario)?|horaria|de horario|de hora)(?: com| em| para)?'),
  ],
  nl: [
    pair('(?:wat is het )?tijdsverschil tussen', 'en'),
    pair('(?:wat is het )?tijdverschil tussen', 'en'),
    loose('tijds?verschil(?: met| in)?'),
  ],
}

const Side = z.object({
  place: z.string(),
  time_zone: z.string(),
  utc_offset: z.string(),
  date: z.string(),
  time: z.string(),
})

interface DifferenceMatch {
  from: string
  to: string
  /** Two names without a word between them, or one. */
  places: string
  language: Language
}

export const timeDifference = defineAnswer({
  slug: 'time_difference',
  title: 'Time difference',
  summary: 'How far the clocks of two places are apart now, or those of a place and of the client.',
  examples: [
    { q: 'time difference between london and tokyo' },
    { q: 'time difference london new york' },
    { q: 'décalage horaire entre paris et montréal', lang: 'fr' },
    { q: 'zeitverschiebung zwischen berlin und new york', lang: 'de' },
  ],
  reply: z.object({
    minutes: z.int().describe('By how much `to` is ahead of `from`; negative: behind'),
    from: Side,
    to: Side,
  }),
  match(question): DifferenceMatch | null {
    if (!HINT.test(question.folded) || question.words.length > MAX_WORDS + 4) return null
    return readTriggers(question, TRIGGERS, ({ from = '', to = '', places = '', zones = '' }) => {
      // `difference between` says nothing about time, so both must be zones.
      if (zones !== '' && !(readZone(from) && readZone(to))) return undefined
      return { from, to, places }
    })
  },
  async answer({ from, to, places, language }, context) {
    const { question, now } = context
    const locale = dateLocale(question, language)
    const search = {
      language,
      locale,
      now,
      isExplicit: true,
      minPopulation: MIN_POPULATION,
      home: regionOf(question.tag),
    }
    const find = (name: string) => findTimedPlace(name, search)
    const sides =
      places === '' ? [await find(from), await find(to)] : await twoPlaces(places, find, () => ownPlace(context.zone))
    const [source, target] = sides
    if (!source || !target) return null
    const { momentIn } = await import('../lib/calendar.ts')
    const [here, there] = [momentIn(source.zone, now), momentIn(target.zone, now)]
    const minutes = minutesIn(there.offset) - minutesIn(here.offset)
    const writeSide = async (place: TimedPlace, moment: typeof here) => {
      const zone = await writeZone(place, moment)
      return `${writeClock(moment, locale)} ${place.label}${zone && ` (${zone})`}`
    }
    const times = `${await writeSide(source, here)} = ${await writeSide(target, there)}`
    const sideOf = ({ label, zone }: TimedPlace, { offset, date, time }: typeof here) => ({
      place: label,
      time_zone: zone,
      utc_offset: offset,
      date,
      time,
    })
    return {
      text: `${source.label} → ${target.label}${colonIn(language)} ${writeMinutes(minutes)}; ${times}`,
      minutes,
      from: sideOf(source, here),
      to: sideOf(target, there),
    }
  },
})

/** Splits `london new york` where both parts are places; a single place is held against the client's own. */
async function twoPlaces(
  names: string,
  find: (name: string) => Promise<TimedPlace | undefined>,
  own: () => TimedPlace | undefined,
): Promise<[TimedPlace | undefined, TimedPlace | undefined]> {
  const single = await find(names)
  if (single) return [own(), single]
  const words = names.split(' ')
  if (words.length > MAX_WORDS) return [undefined, undefined]
  for (let at = 1; at < words.length; at += 1) {
    const [first, second] = [await find(words.slice(0, at).join(' ')), await find(words.slice(at).join(' '))]
    if (first && second) return [first, second]
  }
  return [undefined, undefined]
}

function minutesIn(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (hours * 60 + minutes) * (offset.startsWith('-') ? -1 : 1)
}

/** `+9 h`, `−5 h 30 min`, `0 h`. */
function writeMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const sign = minutes === 0 ? '' : minutes < 0 ? '−' : '+'
  return `${sign}${hours} h${rest === 0 ? '' : ` ${rest} min`}`
}
