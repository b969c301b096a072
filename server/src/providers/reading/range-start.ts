// The moment a time range begins, for providers that want to be told a date and not a word.
import type { DateRange, EngineQuery } from '../engine.ts'

const DAYS: Record<DateRange, number> = { d: 1, w: 7, m: 30, y: 365 }

/** Undefined when no time range was asked for. */
export const rangeStart = ({ date, now }: Pick<EngineQuery, 'date' | 'now'>): Date | undefined =>
  date && new Date(now - DAYS[date] * 86_400_000)
