// Holds two lists of queries to their labels. What people were seen to ask gets exactly what its line says: a query that changes
// from silence to an answer, or to another text, is a decision, so change its line with the code. Of what the pages promise,
// almost nothing may be answered wrongly and little left in silence; those lines stay as they were promised, so that the share
// is honest.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerStage, openAnswerStage } from '../test/answer-stage.ts'
import { ALL_ANSWERS } from './all.ts'

const SILENCE = 'silence'
const LABELS = new Set([SILENCE, ...ALL_ANSWERS.map(({ slug }) => slug)])

const LISTS = [
  { file: 'asked-queries.txt', fewest: 1_300, mostWrong: 0, mostSilent: 0, isExact: true },
  { file: 'promised-queries.txt', fewest: 1_000, mostWrong: 1, mostSilent: 0.03, isExact: false },
]

/** Intl puts no-break spaces of several kinds into French. */
const withPlainSpaces = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

describe.each(LISTS)('$file', ({ file, fewest, mostWrong, mostSilent, isExact }) => {
  const queries = readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [lang = '', q = '', label = '', text = ''] = line.split('\t')
      return { lang, q, label, text }
    })
  let stage: AnswerStage
  beforeAll(async () => {
    stage = await openAnswerStage()
  })
  afterAll(() => stage.close())

  it('each query is listed once, with a label that exists', () => {
    expect(queries.length).toBeGreaterThanOrEqual(fewest)
    const names = queries.map(({ lang, q }) => `${lang} ${q}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(queries.filter(({ label }) => !LABELS.has(label))).toEqual([])
  })

  it('each query gets the answer, the text or the silence of its label', async () => {
    const hasText = (given: string, text: string) =>
      isExact && text !== '' ? given === text : withPlainSpaces(given).includes(withPlainSpaces(text))
    const wrong: string[] = []
    const silent: string[] = []
    for (const { lang, q, label, text } of queries) {
      const given = await stage.ask({ q, lang })
      if (!given && label !== SILENCE) silent.push(`[${lang}] ${q}`)
      if (given && (given.answer.type !== label || !hasText(given.answer.text, text)))
        wrong.push(`[${lang}] ${q}: ${given.answer.type}, ${given.answer.text}`)
    }
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(mostWrong)
    const answerable = queries.filter(({ label }) => label !== SILENCE).length
    expect(silent.length, silent.join('\n')).toBeLessThanOrEqual(mostSilent * answerable)
    expect(stage.takeBugs()).toEqual([])
  }, 120_000)
})
