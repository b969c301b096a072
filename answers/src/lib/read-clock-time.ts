// Reads a time of day: `3pm`, `3:30 pm`, `15:00`, `15h30`, `15 uhr`, `noon`. A bare number isn't one.

export interface ClockTime {
  hour: number
  minute: number
}

/** For use in larger patterns. Pass what it matches to `readClockTime`, which is stricter. */
export const CLOCK_TIME_PATTERN =
  '(?:\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m\\.?|uhr|uur|heures?|h\\d{0,2})|\\d{1,2}:\\d{2}|noon|midnight|midi|minuit|mittags?|mitternacht|mediodia|medianoche|mezzogiorno|mezzanotte|meio[- ]dia|meia[- ]noite|middernacht)'

const FIGURES = /^(\d{1,2})(?:[:.](\d{2}))? ?(?:([ap])\.?m\.?|uhr|uur|heures?|h(\d{2})?)?$/
const NOON = new Set(['noon', 'midi', 'mittag', 'mittags', 'mediodia', 'mezzogiorno', 'meio-dia', 'meio dia'])
const MIDNIGHT = new Set([
  'midnight',
  'minuit',
  'mitternacht',
  'medianoche',
  'mezzanotte',
  'meia-noite',
  'meia noite',
  'middernacht',
])

/** `undefined`: not a time of day. `text` is folded. */
export function readClockTime(text: string): ClockTime | undefined {
  if (NOON.has(text)) return { hour: 12, minute: 0 }
  if (MIDNIGHT.has(text)) return { hour: 0, minute: 0 }
  const [, hours = '', minutes, half, french] = FIGURES.exec(text) ?? []
  if (hours === '') return undefined
  const minute = Number(minutes ?? french ?? 0)
  const hour = half === undefined ? Number(hours) : twelveHours(Number(hours), half)
  return hour >= 0 && hour < 24 && minute < 60 ? { hour, minute } : undefined
}

/** 12 am is midnight and 12 pm is noon; 13 pm is invalid. */
function twelveHours(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return -1
  return (hour % 12) + (half === 'p' ? 12 : 0)
}
