// Converts a time range to a start date, for providers that take dates instead of names.
import type { DateRange, EngineQuery } from '../engine.ts'

const DAYS: Record<DateRange, number> = { d: 1, w: 7, m: 30, y: 365 }

/** `undefined` if no time range was requested. */
export const rangeStart = ({ date, now }: Pick<EngineQuery, 'date' | 'now'>): Date | undefined =>
  date && new Date(now - DAYS[date] * 86_400_000)
