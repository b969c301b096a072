// Holds the queries of `promised-queries.txt` to their labels. Almost none may be answered wrongly, and few left in silence: those
// stay in the list as they were promised, so that the share is honest.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStage, openAnswerStage } from '../test/answer-stage.ts'
import { ALL_ANSWERS } from './all.ts'

const SILENCE = 'silence'
const FEWEST_QUERIES = 1_000
const MOST_WRONG = 1
const MOST_SILENT = 0.03

interface Promised {
  lang: string
  q: string
  /** `silence`, or the type of the answer. */
  label: string
  /** What its text contains. */
  part: string
}

const promised = readFileSync(new URL('promised-queries.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line): Promised => {
    const [lang = '', q = '', label = '', part = ''] = line.split('\t')
    return { lang, q, label, part: withPlainSpaces(part) }
  })

/** Intl puts no-break spaces of several kinds into French. */
function withPlainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}

describe('what the pages promise', () => {
  let stage: AnswerStage
  beforeAll(async () => {
    stage = await openAnswerStage()
  })
  afterAll(() => stage.close())

  it('is listed once, with a label that exists', () => {
    expect(promised.length).toBeGreaterThanOrEqual(FEWEST_QUERIES)
    const names = promised.map(({ lang, q }) => `${lang} ${q}`)
    expect(new Set(names).size).toBe(names.length)
    const labels = new Set([SILENCE, ...ALL_ANSWERS.map(({ slug }) => slug)])
    expect(promised.filter(({ label }) => !labels.has(label))).toEqual([])
  })

  it('is answered rightly, and a search that only looks like it is left alone', async () => {
    const wrong: string[] = []
    const silent: string[] = []
    for (const { lang, q, label, part } of promised) {
      const given = await stage.ask({ q, lang })
      const isRight = given?.answer.type === label && withPlainSpaces(given.answer.text).includes(part)
      if (given && !isRight) wrong.push(`[${lang}] ${q}: ${given.answer.type}, ${given.answer.text}`)
      if (!given && label !== SILENCE) silent.push(`[${lang}] ${q}`)
    }
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(MOST_WRONG)
    const answerable = promised.filter(({ label }) => label !== SILENCE).length
    expect(silent.length, silent.join('\n')).toBeLessThanOrEqual(MOST_SILENT * answerable)
    expect(stage.takeBugs()).toEqual([])
  }, 120_000)
})
