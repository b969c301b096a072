// Moon phases: `moon phase`, `mondphase heute`, `next full moon`, `moon phase on 2026-12-24`. For today, the
// illumination and the next moons are those of this moment; for another day, those of its noon. Must not answer:
// `moon`, `new moon twilight`, `full moon fever`, `moon phase watch`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { Day, Moment } from '../lib/calendar.ts'
import { dateLocale, type ParsedDate, readDate, writeDate } from '../lib/dates.ts'
import { languageOf } from '../lib/numbers.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'
import { type PhaseMoment, phasesFrom } from './lunar-phases.ts'

const MINUTE_MS = 60_000
const HINT = /moon|lune|mond|luna|lua|maan/
const DAY = "(?<day>[a-z0-9',./ -]{3,30})"

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:what(?:'s| is) the )?(?:current )?(?:moon phase|phase of the moon|moon phases)(?: (?:on |for )?${DAY})?$`,
    ),
    /^(?:what(?:'s| is) the )?(?:current )?(?:moon phase|phase of the moon) (?:right now|tonight)$/,
    /^(?:when is the |date of (?:the )?)?next (?<next>full|new) moon$/,
    /^when is (?:the )?(?<next>full|new) moon$/,
  ],
  fr: [
    new RegExp(`^(?:quelle est la )?phase (?:de la lune|lunaire)(?: (?:du |le )?${DAY})?$`),
    /^(?:quand est la |date de la )?prochaine (?<next>pleine|nouvelle) lune$/,
  ],
  de: [
    new RegExp(`^(?:aktuelle )?mondphase(?: (?:am )?${DAY})?$`),
    /^(?:wann ist (?:der )?)?nachster? (?<next>vollmond|neumond)$/,
    /^wann ist (?:der nachste |wieder )?(?<next>vollmond|neumond)$/,
  ],
  es: [
    new RegExp(`^(?:cual es la )?fase (?:lunar|de la luna)(?: (?:de |del )?${DAY})?$`),
    /^(?:cuando es la )?proxima luna (?<next>llena|nueva)$/,
  ],
  it: [
    new RegExp(`^(?:qual e la )?fase (?:lunare|della luna)(?: (?:di |del )?${DAY})?$`),
    /^(?:quando e la )?prossima luna (?<next>piena|nuova)$/,
  ],
  pt: [
    new RegExp(`^(?:qual e a )?fase (?:da lua|lunar)(?: (?:de |em )?${DAY})?$`),
    /^(?:quando e a )?proxima lua (?<next>cheia|nova)$/,
  ],
  nl: [
    new RegExp(`^(?:huidige )?(?:maanfase|maanstand|stand van de maan)(?: (?:op )?${DAY})?$`),
    /^(?:wanneer is (?:de )?)?volgende (?<next>volle|nieuwe) maan$/,
  ],
}

const NEW_MOON_WORDS = new Set(['new', 'nouvelle', 'neumond', 'nueva', 'nuova', 'nova', 'nieuwe'])

const PHASES = [
  'new_moon',
  'waxing_crescent',
  'first_quarter',
  'waxing_gibbous',
  'full_moon',
  'waning_gibbous',
  'last_quarter',
  'waning_crescent',
] as const
type Phase = (typeof PHASES)[number]

interface Words {
  /** In the order of PHASES. */
  phases: readonly string[]
  lit: string
  nextFull: string
  nextNew: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    phases: [
      'New moon',
      'Waxing crescent',
      'First quarter',
      'Waxing gibbous',
      'Full moon',
      'Waning gibbous',
      'Last quarter',
      'Waning crescent',
    ],
    lit: 'lit',
    nextFull: 'Next full moon',
    nextNew: 'Next new moon',
  },
  fr: {
    phases: [
      'Nouvelle lune',
      'Premier croissant',
      'Premier quartier',
      'Gibbeuse croissante',
      'Pleine lune',
      'Gibbeuse décroissante',
      'Dernier quartier',
      'Dernier croissant',
    ],
    lit: 'éclairée',
    nextFull: 'Prochaine pleine lune',
    nextNew: 'Prochaine nouvelle lune',
  },
  de: {
    phases: [
      'Neumond',
      'Zunehmende Sichel',
      'Erstes Viertel',
      'Zunehmender Mond',
      'Vollmond',
      'Abnehmender Mond',
      'Letztes Viertel',
      'Abnehmende Sichel',
    ],
    lit: 'beleuchtet',
    nextFull: 'Nächster Vollmond',
    nextNew: 'Nächster Neumond',
  },
  es: {
    phases: [
      'Luna nueva',
      'Luna creciente',
      'Cuarto creciente',
      'Gibosa creciente',
      'Luna llena',
      'Gibosa menguante',
      'Cuarto menguante',
      'Luna menguante',
    ],
    lit: 'iluminada',
    nextFull: 'Próxima luna llena',
    nextNew: 'Próxima luna nueva',
  },
  it: {
    phases: [
      'Luna nuova',
      'Luna crescente',
      'Primo quarto',
      'Gibbosa crescente',
      'Luna piena',
      'Gibbosa calante',
      'Ultimo quarto',
      'Luna calante',
    ],
    lit: 'illuminata',
    nextFull: 'Prossima luna piena',
    nextNew: 'Prossima luna nuova',
  },
  pt: {
    phases: [
      'Lua nova',
      'Lua crescente',
      'Quarto crescente',
      'Gibosa crescente',
      'Lua cheia',
      'Gibosa minguante',
      'Quarto minguante',
      'Lua minguante',
    ],
    lit: 'iluminada',
    nextFull: 'Próxima lua cheia',
    nextNew: 'Próxima lua nova',
  },
  nl: {
    phases: [
      'Nieuwe maan',
      'Wassende sikkel',
      'Eerste kwartier',
      'Wassende maan',
      'Volle maan',
      'Afnemende maan',
      'Laatste kwartier',
      'Afnemende sikkel',
    ],
    lit: 'verlicht',
    nextFull: 'Volgende volle maan',
    nextNew: 'Volgende nieuwe maan',
  },
}

interface MoonMatch {
  next: 'full_moon' | 'new_moon' | undefined
  day: ParsedDate | undefined
  language: Language
}

export const moonPhase = defineAnswer({
  slug: 'moon_phase',
  title: 'Phase of the moon',
  summary: 'The phase of the moon today or on a date, and the next full and new moon.',
  examples: [
    { q: 'moon phase' },
    { q: 'next full moon' },
    { q: 'mondphase heute', lang: 'de' },
    { q: 'prochaine pleine lune', lang: 'fr' },
  ],
  reply: z.object({
    date: z.string(),
    phase: z.enum(PHASES),
    illumination: z.number().describe('Illuminated part of the disc, from 0 to 1'),
    next_full_moon: z.string().describe('In UTC'),
    next_new_moon: z.string().describe('In UTC'),
    time_zone: z.string().describe('Whose days are meant: the caller’s if it was given, else UTC'),
  }),
  match(question): MoonMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ day = '', next = '' }, spoken) => {
      const words = readDate(day, spoken, question)
      if (day !== '' && !words) return undefined
      const moon = NEW_MOON_WORDS.has(next) ? ('new_moon' as const) : ('full_moon' as const)
      return { day: words, next: next === '' ? undefined : moon }
    })
  },
  async answer({ next, day: words, language }, context) {
    const { question, now } = context
    const { clientDay, momentIn, readWall, resolveDate } = await import('../lib/calendar.ts')
    const { getMoonIllumination } = await import('suncalc')
    const { today, zone, withRemark } = clientDay(context)
    const day = words ? resolveDate(words, today, 'coming') : today
    if (!day) return null
    const at = day.equals(today) ? now : readWall({ day, hour: 12, minute: 0 }, zone).epochMs
    const coming = phasesFrom(at, 5)
    const nextEpochOf = (phase: PhaseMoment['phase']) => {
      const epochMs = coming.find((moment) => moment.phase === phase)?.epochMs ?? 0
      return Math.round(epochMs / MINUTE_MS) * MINUTE_MS
    }
    const { fraction } = getMoonIllumination(new Date(at))
    const [fullMoon, newMoon] = [nextEpochOf('full_moon'), nextEpochOf('new_moon')]
    const midnight = (of: Day) => readWall({ day: of, hour: 0, minute: 0 }, zone).epochMs
    const phase = phaseBetween(midnight(day), midnight(day.add({ days: 1 })))
    const locale = dateLocale(question, language)
    const shown = {
      next,
      phase,
      fraction,
      date: String(day),
      fullMoon: momentIn(zone, fullMoon),
      newMoon: momentIn(zone, newMoon),
    }
    return {
      text: withRemark(write(shown, WORDS[language], locale)),
      date: String(day),
      phase,
      illumination: Math.round(fraction * 1000) / 1000,
      next_full_moon: isoMinutes(fullMoon),
      next_new_moon: isoMinutes(newMoon),
      time_zone: zone,
    }
  },
})

const isoMinutes = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 16)}Z`

/** The principal phase that falls on the day, else the one in between. */
function phaseBetween(start: number, end: number): Phase {
  const [next] = phasesFrom(start, 1)
  if (!next) return 'new_moon'
  const index = PHASES.indexOf(next.phase)
  return PHASES[next.epochMs < end ? index : (index + 7) % 8] ?? 'new_moon'
}

interface Moon {
  next: MoonMatch['next']
  phase: Phase
  fraction: number
  date: string
  fullMoon: Moment
  newMoon: Moment
}

function write({ next, phase, fraction, date, fullMoon, newMoon }: Moon, words: Words, locale: string): string {
  const colon = colonIn(languageOf(locale))
  if (next) {
    const [label, moment] = next === 'full_moon' ? [words.nextFull, fullMoon] : [words.nextNew, newMoon]
    return `${label}${colon} ${writeDate(moment.date, 'full', locale)}, ≈ ${writeDate(`${moment.date}T${moment.time}`, 'clock', locale)}`
  }
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fraction)
  const name = words.phases[PHASES.indexOf(phase)] ?? ''
  const dated = (day: string) => writeDate(day, 'long', locale)
  return `${name} (${dated(date)}), ${percent} ${words.lit}. ${words.nextFull}${colon} ${dated(fullMoon.date)}. ${words.nextNew}${colon} ${dated(newMoon.date)}`
}
