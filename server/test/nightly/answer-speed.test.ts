// The cost of matching. Every query passes all the match functions, including hostile ones; `npm run fuzz` invents more. Each time is the best of
// several rounds: another process may slow a round down, none can speed one up.
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { readAnswerTables } from '@bowerbird/answers/answer-table.test-rules.ts'
import { readOrdinaryQueries } from '@bowerbird/answers/ordinary-queries.test-rules.ts'
import { fold, type Question, readQuestion } from '@bowerbird/answers/question.ts'
import { describe, expect, it } from 'vitest'

const AVERAGE_MS = 0.2
const WORST_MS = 2
const HOSTILE_MS = 5
const TOO_LONG_MS = 1
const LONGEST_TEST_MS = 240_000

function matchAll(text: string): void {
  const question = readQuestion(text, '')
  if (question) for (const answer of ALL_ANSWERS) answer.match(question)
}

function timeOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** The best of several rounds; stops after the first round that is fast enough. */
function bestOf(rounds: number, goodEnoughMs: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && best > goodEnoughMs; round += 1) best = Math.min(best, timeOf(work))
  return best
}

/** The slowest answers for a query, for the error message. */
function slowestFor(text: string): string {
  const question = readQuestion(text, '')
  const times = ALL_ANSWERS.map(({ slug, ...answer }) => {
    const ms = bestOf(3, 0, () => void (question && answer.match(question)))
    return { slug, ms }
  })
  return JSON.stringify(times.sort((one, other) => other.ms - one.ms).slice(0, 3))
}

const PIECES = [...Array.from(`019.,()[{"'-+*/%!#:;&=\t \u00a0éß٣🦜\u0301`), '1.', '1,', '9^', '2**', '  ']
const LONGEST = 500

/** Queries that are answered: the examples and the rows of the tables. */
const queries = [
  ...ALL_ANSWERS.flatMap(({ examples }) => examples.map(({ q }) => q)),
  ...[...readAnswerTables().values()]
    .flat()
    .filter(({ text }) => text !== undefined)
    .map(({ question }) => question.q),
]
/** Prefixes of those queries, word by word. */
const beginnings = [
  ...new Set(
    queries.flatMap((q) => {
      const parts = q.split(' ').slice(0, 4)
      return parts.map((_part, index) => parts.slice(0, index + 1).join(' '))
    }),
  ),
]

describe('the match functions together', () => {
  it(
    'take less than 200 µs for an ordinary query on average, and less than 2 ms at worst',
    () => {
      const ordinary = readOrdinaryQueries().map(({ q }) => q)
      const best = new Map<string, number>()
      for (let round = 0; round < 5; round += 1) {
        for (const q of ordinary)
          best.set(
            q,
            Math.min(
              best.get(q) ?? Number.POSITIVE_INFINITY,
              timeOf(() => matchAll(q)),
            ),
          )
      }
      const times = [...best.values()]
      expect(times.reduce((sum, ms) => sum + ms, 0) / times.length).toBeLessThan(AVERAGE_MS)
      expect([...best].filter(([, ms]) => ms >= WORST_MS)).toEqual([])
    },
    LONGEST_TEST_MS,
  )

  it(
    'never take more than 5 ms for a query that begins as one of theirs and has a long repetitive tail',
    () => {
      const slow: string[] = []
      for (const beginning of beginnings) {
        for (const piece of [...PIECES, 'a', 'a ', '1 ', `${beginning} `]) {
          const tail = piece.repeat(LONGEST).slice(0, LONGEST - beginning.length - 2)
          const query = `${beginning} ${tail}\\`
          if (bestOf(3, HOSTILE_MS, () => matchAll(query)) > HOSTILE_MS) slow.push(`${query}: ${slowestFor(query)}`)
        }
      }
      expect(slow).toEqual([])
    },
    LONGEST_TEST_MS,
  )

  it.each(['2^200', '9^9^9^9', '99999999999!', '2^2^2^2^2^2^2', '1e999999999', '((((((((((((((((((((1))))'])(
    'are not slowed down by %s',
    (q) => {
      expect(bestOf(5, 1, () => matchAll(q))).toBeLessThan(WORST_MS)
    },
  )

  it('refuse a query of 2,000 characters within 1 ms, and so does each on its own', () => {
    const slow: string[] = []
    for (const text of [...PIECES, 'word ', '12 ', 'sha256 ', 'in '].map((piece) =>
      piece.repeat(2_000).slice(0, 2_000),
    )) {
      if (bestOf(5, TOO_LONG_MS, () => matchAll(text)) >= TOO_LONG_MS) slow.push(text.slice(0, 20))
      const folded = fold(text)
      const question: Question = { asked: text, text, folded, words: folded.split(' '), lang: '', tag: '' }
      for (const answer of ALL_ANSWERS) {
        const best = bestOf(5, TOO_LONG_MS, () => void answer.match(question))
        if (best >= TOO_LONG_MS) slow.push(`${answer.slug}: ${text.slice(0, 20)}`)
      }
    }
    expect(slow).toEqual([])
  })
})
