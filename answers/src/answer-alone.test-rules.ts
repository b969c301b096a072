// Asks a single answer, for properties that a table can't express: for every input, or every random choice.
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { Answer } from './answer.ts'
import { createAnswers, type InstantAnswer } from './answers.ts'

interface Surroundings {
  random?: (below: number) => number
  now?: number
}

/** Returns the answer, or null. Throws if the answer throws. */
export async function answerAlone(
  answer: Answer,
  text: string,
  around: Surroundings = {},
): Promise<InstantAnswer | null> {
  const alone = createAnswers({
    answers: [answer],
    find: () => undefined,
    translate: undefined,
    startDeadline: () => createDeadline(10_000),
    clock: () => around.now ?? Date.parse('2026-11-15T12:00:00Z'),
    random: around.random ?? (() => 0),
    onError(_answer, error) {
      throw error
    },
  })
  const given = await alone.answer({ text, lang: '', client: { ip: '203.0.113.7' } })
  return given?.answer ?? null
}
