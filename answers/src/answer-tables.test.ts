// Runs the table beside every instant answer. One answer alone: `npx vitest run answer-tables -t units`.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStage, openAnswerStage } from '../test/answer-stage.ts'
import { ALL_ANSWERS } from './all.ts'
import { type AnswerTable, wrongRows } from './answer-table.test-rules.ts'
import { LANGUAGES } from './question.ts'

const ENDING = '.test-table.ts'
const FEWEST_ANSWER_ROWS = 400
const FEWEST_ROWS_OF_A_LANGUAGE = 10

const tables = new Map<string, AnswerTable>()
for (const file of globSync(`**/*${ENDING}`, { cwd: import.meta.dirname })) {
  // Every file with this ending exports a table.
  const { table } = (await import(join(import.meta.dirname, file))) as { table: AnswerTable }
  tables.set(basename(file, ENDING).replaceAll('-', '_'), table)
}

describe('the tables of the instant answers', () => {
  let stage: AnswerStage
  beforeAll(async () => {
    stage = await openAnswerStage()
  })
  afterAll(() => stage.close())

  it.each(ALL_ANSWERS.map((answer) => [answer.slug, answer] as const))(
    '%s answers its rows exactly and stays silent where it must',
    async (slug, answer) => {
      const table = tables.get(slug)
      if (!table) throw new Error(`${slug} has no table: write ${slug.replaceAll('_', '-')}${ENDING} next to it.`)
      expect(await wrongRows(stage, answer, table)).toEqual([])
    },
    120_000,
  )

  it('every table belongs to an answer, with at least ten rows of each kind and as many silent rows as answers', () => {
    const slugs = ALL_ANSWERS.map(({ slug }) => slug)
    const strays = [...tables.keys()].filter((slug) => !slugs.includes(slug))
    expect(strays, 'Name the table after the slug, and list the answer in all.ts').toEqual([])
    const thin = [...tables].filter(
      ([, { answers, silent }]) => answers.length < 10 || silent.length < Math.max(10, answers.length),
    )
    expect(thin.map(([slug, { answers, silent }]) => `${slug}: ${answers.length} and ${silent.length}`)).toEqual([])
  })

  it(`have at least ${FEWEST_ANSWER_ROWS} answers together, in all seven languages, and no duplicate row`, () => {
    const rows = [...tables.values()].flatMap(({ answers }) => answers)
    expect(rows.length).toBeGreaterThanOrEqual(FEWEST_ANSWER_ROWS)
    const rare = LANGUAGES.filter(
      (language) => rows.filter(({ lang }) => lang?.startsWith(language)).length < FEWEST_ROWS_OF_A_LANGUAGE,
    )
    expect(rare).toEqual([])
    const names = rows.map(({ q, lang, client, zone, point }) => JSON.stringify([q, lang, client, zone, point]))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
