// A rate as operators and key owners write it: '60/min', '5000/day'. A window is always one unit long, so a day is the
// longest.
import type { Rate } from './rate-limiter.ts'

const UNITS: Record<string, number> = {
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
}
const SHORT_NAMES = new Map([
  [1_000, 's'],
  [60_000, 'min'],
  [3_600_000, 'hour'],
  [86_400_000, 'day'],
])
/** Every admission in the burst window takes memory, and a higher limit is a typo anyway. */
const MAX_COUNT = 10_000_000

export function parseRate(text: string): Rate | undefined {
  const [, digits = '', unit = ''] = /^\s*([0-9]{1,9})\s*\/\s*([a-z]+)\s*$/i.exec(text) ?? []
  const count = Number(digits)
  const windowMs = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined
  return count > 0 && count <= MAX_COUNT && windowMs ? { count, windowMs } : undefined
}

export const formatRate = ({ count, windowMs }: Rate): string =>
  `${count}/${SHORT_NAMES.get(windowMs) ?? `${windowMs}ms`}`
