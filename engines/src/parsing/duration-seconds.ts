// Reads a video's duration from providers that send seconds, a clock (4:13), or sometimes one and sometimes the other.
import { clockSeconds } from './clock-seconds.ts'

const THOUSAND_HOURS = 3_600_000

/** `undefined` for 0, which marks a live broadcast, and for absurd durations. */
export const durationSeconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value < THOUSAND_HOURS
    ? Math.round(value) || undefined
    : clockSeconds(value)
