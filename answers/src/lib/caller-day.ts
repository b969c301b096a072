// Today in the caller's time zone. Callers who don't give one get the UTC day, and a text that notes it.
import type { AnswerContext } from '../answer.ts'
import type { Day } from './calendar.ts'
import type { DateWords } from './read-date.ts'

export interface CallerDay {
  today: Day
  zone: string
  /** The text unchanged, or with a remark that its days are in UTC. */
  said: (text: string) => string
}

export async function callerDay({ zone, now }: Pick<AnswerContext, 'zone' | 'now'>): Promise<CallerDay> {
  const { todayIn } = await import('./calendar.ts')
  const name = zone ?? 'UTC'
  return { today: todayIn(name, now), zone: name, said: zone === undefined ? inUtc : (text) => text }
}

/** `Sunday (UTC)`; joins an existing remark at the end of the text. */
const inUtc = (text: string): string => (text.endsWith(')') ? `${text.slice(0, -1)}, UTC)` : `${text} (UTC)`)

/** Whether the words mean the same day no matter when they're asked. */
export const isFixedDay = (words: DateWords): boolean =>
  (words.kind === 'date' || words.kind === 'named') && words.year !== undefined
