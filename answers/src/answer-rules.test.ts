// Rules for every instant answer: it answers its own examples and no others, and it stays silent where people want web
// pages. `answer-speed.test.ts` measures speed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStage, openAnswerStage } from '../test/answer-stage.ts'
import { ALL_ANSWERS } from './all.ts'
import { readJustified, readOrdinaryQueries } from './ordinary-queries.test-rules.ts'
import { LANGUAGES, readQuestion } from './question.ts'

const LONGEST_TEST_MS = 240_000
const MOST_ANSWERED_SHARE = 0.003

/** A failed source counts as an answer: the query was taken for a question. */
async function typeOf(asking: Promise<{ answer: { type: string } } | null>): Promise<string> {
  try {
    return (await asking)?.answer.type ?? ''
  } catch (error) {
    return String(error)
  }
}

describe('every instant answer', () => {
  let stage: AnswerStage
  beforeAll(async () => {
    stage = await openAnswerStage()
  })
  afterAll(() => stage.close())

  it('is listed under a unique slug; there are at least the 40 promised kinds', () => {
    const slugs = ALL_ANSWERS.map(({ slug }) => slug)
    expect(slugs.length).toBeGreaterThanOrEqual(40)
    expect(new Set(slugs).size).toBe(slugs.length)
    expect(slugs.filter((slug) => !/^[a-z\d]+(?:_[a-z\d]+)*$/.test(slug))).toEqual([])
  })

  it('has a summary of one sentence', () => {
    expect(ALL_ANSWERS.filter(({ summary }) => !/^[A-Z].+\.$/.test(summary)).map(({ slug }) => slug)).toEqual([])
  })

  it('answers its own examples, and the reply matches its schema exactly', async () => {
    const wrong: string[] = []
    for (const { slug, examples, reply } of ALL_ANSWERS) {
      for (const example of examples) {
        const type = await typeOf(stage.ask(example))
        if (type !== slug) {
          wrong.push(`${slug}: ${example.q} is answered by ${type || 'no answer'}`)
          continue
        }
        const given = await stage.ask(example)
        const { type: _type, query, text, ...members } = JSON.parse(JSON.stringify(given?.answer))
        const judged = reply.strict().safeParse(members)
        if (!judged.success) wrong.push(`${slug}: ${example.q}: ${judged.error.message}`)
        if (typeof text !== 'string' || text === '' || /[\r\n]/.test(text))
          wrong.push(`${slug}: ${example.q} has no line`)
        if (query !== example.q) wrong.push(`${slug}: ${example.q} came back as ${query}`)
      }
    }
    expect(wrong).toEqual([])
    expect(stage.takeBugs()).toEqual([])
  })

  it(
    'leaves the examples of other answers alone, even if it is tried first',
    async () => {
      const taken: string[] = []
      for (const { slug } of ALL_ANSWERS) {
        for (const other of ALL_ANSWERS.filter((answer) => answer.slug !== slug)) {
          for (const example of other.examples) {
            const type = await typeOf(stage.askOnly(slug, example))
            if (type !== '') taken.push(`${slug} takes ${example.q}, which is for ${other.slug}`)
          }
        }
      }
      expect(taken).toEqual([])
    },
    LONGEST_TEST_MS,
  )

  it(
    'stays silent on ordinary searches, except for the few that are justified one by one',
    async () => {
      const queries = readOrdinaryQueries()
      expect(queries.length).toBeGreaterThanOrEqual(3_000)
      expect(LANGUAGES.filter((language) => !queries.some(({ lang }) => lang === language))).toEqual([])
      const answered = new Map<string, string>()
      for (const { q, lang } of queries) {
        for (const asked of ['', lang]) {
          const type = await typeOf(stage.ask({ q, lang: asked }))
          if (type !== '') answered.set(q, type)
        }
      }
      const justified = readJustified()
      expect(justified.filter(({ why }) => !why.endsWith('.'))).toEqual([])
      expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(justified.map(({ q, type }) => [q, type])))
      expect(answered.size).toBeLessThanOrEqual(queries.length * MOST_ANSWERED_SHARE)
      expect(stage.takeBugs()).toEqual([])
    },
    LONGEST_TEST_MS,
  )

  it('stays silent on empty, meaningless and overlong queries', async () => {
    for (const q of ['', ' ', '?', '-', '()', 'a'.repeat(501), 'sha256 '.repeat(100)]) {
      expect(await typeOf(stage.ask({ q }))).toBe('')
    }
    expect(readQuestion('a'.repeat(501), '')).toBeUndefined()
  })
})
