// Today, where the caller is. Who does not say where that is gets the day in UTC, and a text that says so.
import type { AnswerContext } from '../answer.ts'
import type { Day } from './calendar.ts'
import type { DateWords } from './read-date.ts'

export interface CallerDay {
  today: Day
  zone: string
  /** The text as it is, or with a remark that its days are UTC's. */
  said: (text: string) => string
}

export async function callerDay({ zone, now }: Pick<AnswerContext, 'zone' | 'now'>): Promise<CallerDay> {
  const { todayIn } = await import('./calendar.ts')
  const name = zone ?? 'UTC'
  return { today: todayIn(name, now), zone: name, said: zone === undefined ? inUtc : (text) => text }
}

/** `Sunday (UTC)`; a text that ends with a remark takes it into that. */
const inUtc = (text: string): string => (text.endsWith(')') ? `${text.slice(0, -1)}, UTC)` : `${text} (UTC)`)

/** It means the same day whenever it is asked. */
export const isFixedDay = (words: DateWords): boolean =>
  (words.kind === 'date' || words.kind === 'named') && words.year !== undefined
