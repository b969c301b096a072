// A timer for the client to run: `timer 5 minutes`, `set a timer for 1 hour 30 minutes`, `minuteur 10 min`. The answer
// only states the length; the service doesn't run timers. Must not answer: `timer`, `timer 555 circuit`, `kitchen
// timer`, `set timer alexa not working`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { type CountedUnit, dateLocale, writeCount } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import type { Language } from '../question.ts'

const MAX_SECONDS = 86_400
const HINT = /time[rz]|minut|tempori[sz]|kookwekker|compte a rebours|cuenta atras|alarm/

/** A length of time: `5 minutes`, `1 h 30`, `90s`, `1:30:00`. */
const LENGTH =
  '(?<length>\\d{1,2}:\\d{2}(?::\\d{2})?|\\d{1,5} ?[a-z]{1,10}(?:(?:,| and| et| und| y| e| en)? ?\\d{1,4} ?[a-z]{0,10}){0,2})'

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:(?:set|start) )?(?:an? )?(?:timer|countdown|countdown timer|alarm)(?: (?:for|of|to|in))? ${LENGTH}$`,
    ),
    new RegExp(`^(?:(?:set|start) )?(?:an? )?${LENGTH} (?:timer|countdown)$`),
  ],
  fr: [new RegExp(`^(?:minuteur|minuterie|compte a rebours|timer)(?: (?:de|pour))? ${LENGTH}$`)],
  de: [
    new RegExp(
      `^(?:(?:stelle?|starte?) (?:einen )?)?(?:timer|countdown|kurzzeitwecker)(?: (?:auf|fur|von))? ${LENGTH}$`,
    ),
    new RegExp(`^${LENGTH} timer$`),
  ],
  es: [new RegExp(`^(?:temporizador|cuenta atras|timer)(?: (?:de|para))? ${LENGTH}$`)],
  it: [new RegExp(`^(?:timer|conto alla rovescia)(?: (?:di|per|da))? ${LENGTH}$`)],
  pt: [new RegExp(`^(?:temporizador|contagem regressiva|timer)(?: (?:de|para))? ${LENGTH}$`)],
  nl: [new RegExp(`^(?:timer|kookwekker)(?: (?:van|voor|op))? ${LENGTH}$`)],
}

const NAMES: Readonly<Record<Language, string>> = {
  en: 'Timer:',
  fr: 'Minuteur :',
  de: 'Timer:',
  es: 'Temporizador:',
  it: 'Timer:',
  pt: 'Temporizador:',
  nl: 'Timer:',
}

/** Seconds in a unit. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ...'s sec secs second seconds seconde secondes sekunde sekunden segundo segundos secondo secondi seconden'
    .split(' ')
    .map((word) => [word, 1] as const),
  ...'m min mins mn minute minutes minuten minuto minutos minuti minuut'.split(' ').map((word) => [word, 60] as const),
  ...'h hr hrs hour hours heure heures stunde stunden hora horas ora ore uur'
    .split(' ')
    .map((word) => [word, 3600] as const),
])

const PARTS: readonly [number, CountedUnit][] = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

export const timer = defineAnswer({
  slug: 'timer',
  title: 'Timer',
  summary: 'The duration of a timer, for the client to run.',
  examples: [
    { q: 'timer 5 minutes' },
    { q: 'set a timer for 1 hour 30 minutes' },
    { q: 'minuteur 10 min', lang: 'fr' },
  ],
  reply: z.object({ seconds: z.number().int() }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ length = '' }) => {
      const seconds = readLength(length)
      return seconds !== undefined && seconds > 0 && seconds <= MAX_SECONDS ? { seconds } : undefined
    })
  },
  answer({ seconds, language }, { question }) {
    const locale = dateLocale(question, language)
    const counts = PARTS.flatMap(([size, unit], index) => {
      const larger = PARTS[index - 1]?.[0] ?? Number.POSITIVE_INFINITY
      const count = Math.floor((seconds % larger) / size)
      return count > 0 ? [writeCount(count, unit, locale)] : []
    })
    return { text: `${NAMES[language]} ${counts.join(', ')}`, seconds }
  },
})

/** `undefined`: not a length of time. */
function readLength(text: string): number | undefined {
  if (text.includes(':')) {
    const [first = 0, second = 0, third] = text.split(':').map(Number)
    if (second > 59 || (third ?? 0) > 59) return undefined
    return third === undefined ? first * 60 + second : first * 3600 + second * 60 + third
  }
  let seconds = 0
  let smallest = Number.POSITIVE_INFINITY
  for (const [, count, word = ''] of text.matchAll(/(\d{1,5}) ?([a-z]{0,10})/g)) {
    // `1 h 30`: a number without a unit is in the next smaller unit.
    const size = word === '' ? smallest / 60 : UNITS.get(word)
    if (size === undefined || size >= smallest || size < 1) return undefined
    seconds += Number(count) * size
    smallest = size
  }
  return seconds
}
