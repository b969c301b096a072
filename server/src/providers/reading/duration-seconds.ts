// How long a video lasts, from providers that send seconds, a clock, or now one and now the other.
import { clockSeconds } from './clock-seconds.ts'

const THOUSAND_HOURS = 3_600_000

/** Undefined for 0, which is how a broadcast that is still on is written, and for what no video lasts. */
export const durationSeconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value < THOUSAND_HOURS
    ? Math.round(value) || undefined
    : clockSeconds(value)
