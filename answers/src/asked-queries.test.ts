// Holds the queries of `asked-queries.txt` to their labels. A query that changes from silence to an answer, or to
// another text, is a decision: change its line with the code.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStage, openAnswerStage } from '../test/answer-stage.ts'
import { ALL_ANSWERS } from './all.ts'

const SILENCE = 'silence'
const FEWEST_QUERIES = 1_300

interface Asked {
  lang: string
  q: string
  /** `silence`, or the type of the answer. */
  label: string
  /** Omitted: any. */
  text: string | undefined
}

const asked = readFileSync(new URL('asked-queries.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line): Asked => {
    const [lang = '', q = '', label = '', text] = line.split('\t')
    return { lang, q, label, text }
  })

describe('what people were seen to ask', () => {
  let stage: AnswerStage
  beforeAll(async () => {
    stage = await openAnswerStage()
  })
  afterAll(() => stage.close())

  it('is listed once, with a label that exists', () => {
    expect(asked.length).toBeGreaterThanOrEqual(FEWEST_QUERIES)
    const names = asked.map(({ lang, q }) => `${lang} ${q}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const labels = new Set([SILENCE, ...ALL_ANSWERS.map(({ slug }) => slug)])
    expect(asked.filter(({ label }) => !labels.has(label))).toEqual([])
  })

  it('gets the answer, the text or the silence of its label', async () => {
    const wrong: string[] = []
    for (const { lang, q, label, text } of asked) {
      const given = await stage.ask({ q, lang })
      const type = given?.answer.type ?? SILENCE
      if (type !== label || (text !== undefined && text !== given?.answer.text))
        wrong.push(`[${lang}] ${q}: ${type}${given ? `, ${given.answer.text}` : ''}`)
    }
    expect(wrong).toEqual([])
    expect(stage.takeBugs()).toEqual([])
  }, 120_000)
})
