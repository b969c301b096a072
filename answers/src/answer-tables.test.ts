// Runs the table beside every instant answer. One answer alone: `npx vitest run answer-tables -t units`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStage, openAnswerStage } from '../test/answer-stage.ts'
import { ALL_ANSWERS } from './all.ts'
import { findWrongRows, readAnswerTables } from './answer-table.test-rules.ts'
import { LANGUAGES } from './question.ts'

const FEWEST_ROWS_OF_A_LANGUAGE = 10

const tables = readAnswerTables()

describe('the tables of the instant answers', () => {
  let stage: AnswerStage
  beforeAll(async () => {
    stage = await openAnswerStage()
  })
  afterAll(() => stage.close())

  it.each(ALL_ANSWERS.map((answer) => [answer.slug, answer] as const))(
    '%s answers its rows exactly and stays silent where it must',
    async (slug, answer) => {
      expect(await findWrongRows(stage, answer, tables.get(slug) ?? [])).toEqual([])
    },
    120_000,
  )

  it('every answer has a table, with at least ten rows of each kind and as many silent rows as answers', () => {
    expect([...tables.keys()].toSorted()).toEqual(ALL_ANSWERS.map(({ slug }) => slug).toSorted())
    for (const [slug, rows] of tables) {
      const silent = rows.filter(({ text }) => text === undefined).length
      expect(rows.length - silent, `${slug} answers`).toBeGreaterThanOrEqual(10)
      expect(silent, `${slug} is silent`).toBeGreaterThanOrEqual(Math.max(10, rows.length - silent))
    }
  })

  it('the tables have rows in all seven languages, and none twice', () => {
    const questions = [...tables.values()]
      .flat()
      .filter(({ text }) => text !== undefined)
      .map(({ question }) => question)
    for (const language of LANGUAGES) {
      const rows = questions.filter(({ lang }) => lang?.startsWith(language))
      expect(rows.length, language).toBeGreaterThanOrEqual(FEWEST_ROWS_OF_A_LANGUAGE)
    }
    const names = questions.map((question) => JSON.stringify(question))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
