// Facts that documents repeat are those of the code: counts, defaults and limits. `npm run docs` fills them in.
import { expect, it } from 'vitest'
import { FACT_PAGES, readPage, withFacts } from './support/facts.ts'

const MARKED = FACT_PAGES.filter((page) => readPage(page).includes('<!-- fact'))

it('some documents have facts', () => {
  expect(MARKED.length).toBeGreaterThanOrEqual(1)
})

it.each(MARKED)('%s: every fact is current: npm run docs writes the same text', (page) => {
  const text = readPage(page)
  expect(text).toBe(withFacts(text))
})

it.each(MARKED)('%s: every marker is complete', (page) => {
  const text = readPage(page)
  const whole = text.match(/<!-- fact: [^>]+ -->[^<\n]+<!-- \/fact -->/g) ?? []
  expect([text.split('<!-- fact').length - 1, text.split('<!-- /fact').length - 1]).toEqual([
    whole.length,
    whole.length,
  ])
})
