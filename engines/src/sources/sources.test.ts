// What examples.json cannot say of a data source: long replies, what they cost, and the addresses that it makes.
import { expect, it } from 'vitest'
import { startCpuTimer } from '../../test/cpu-timer.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { wikipediaEdition } from '../parsing/mediawiki.ts'
import { dailyRates } from './ecb.ts'
import { rateSeries } from './frankfurter.ts'
import { coverAddress } from './openlibrary.ts'
import { stackAnswers } from './stackexchange.ts'
import { articlesByTitle, wikipediaArticles } from './wikipedia-articles.ts'
import { wiktionaryDefinitions, wiktionaryPage } from './wiktionary.ts'

const reply = (body: unknown) => ({ status: 200, headers: {}, body: JSON.stringify(body) })

it('a series of rates has at most 400 days', () => {
  const days = Array.from({ length: 5000 }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
  const rows = days.map((date) => ({ date, base: 'USD', quote: 'EUR', rate: 1 }))
  const query = { base: 'USD', quote: 'EUR', from: '1970-01-01', to: '2026-11-13' }
  expect(rateSeries.parse(reply(rows), { query, now: 0 })).toHaveLength(400)
})

it('a word has a bounded number of entries and senses, of bounded length', () => {
  const definitions = Array.from({ length: 50 }, () => ({ definition: `<p>${'x '.repeat(300)}` }))
  const entries = Array.from({ length: 200 }, () => ({ partOfSpeech: 'y'.repeat(500), language: 'z', definitions }))
  const found = wiktionaryDefinitions.parse(reply({ en: entries }), { query: { word: 'x' }, now: 0 })
  expect(found).toHaveLength(60)
  expect(found[0]?.senses).toHaveLength(10)
  expect(found[0]?.senses[0]?.definition.length).toBeLessThanOrEqual(500)
  expect(found[0]?.partOfSpeech.length).toBeLessThanOrEqual(60)
})

const readAnswer = (body: string) =>
  stackAnswers.parse(reply({ items: [{ answer_id: 1, body }] }), { query: { questionId: 10 }, now: 0 }).answers[0]

it('long code in an answer is cut', () => {
  expect(readAnswer(`<pre>${'x\n'.repeat(100)}</pre>`)?.code.split('\n')).toHaveLength(41)
})

it('a hostile megabyte takes little CPU time', () => {
  const spentMs = startCpuTimer()
  readAnswer('<pre'.repeat(300_000))
  for (const part of ['<Cube ', "<Cube a='", '<Cube a = ', ' = ', "'"]) {
    const body = part.repeat(200_000)
    expect(() => dailyRates.parse({ status: 200, headers: {}, body }, { query: null, now: 0 })).toThrow()
  }
  expect(spentMs()).toBeLessThan(3_000)
})

it.each(['javascript:alert(1)', ''])('an article from the cache with the address %j is refused', (url) => {
  const query = { titles: ['Mercury'], edition: wikipediaEdition('') }
  const [first] = articlesByTitle.parse(readFixture('wikipedia-articles', 'sources'), { query, now: 0 })
  expect(articlesByTitle.schema.safeParse([first]).success).toBe(true)
  expect(articlesByTitle.schema.safeParse([{ ...first, article: { ...first?.article, url } }]).success).toBe(false)
})

it.each([
  ['fr-CA', 'fr', ''],
  ['pt-BR', 'pt', ''],
  ['nb', 'no', ''],
  ['zh-Hant', 'zh', 'zh-tw'],
  ['zh-TW', 'zh', 'zh-tw'],
  ['', '', ''],
  ['xx', '', ''],
  ['evil.example', '', ''],
])('the edition of %j is %j, the variant %j', (lang, code, variant) => {
  expect(wikipediaEdition(lang)).toEqual({ code, variant })
})

it.each([
  ['https://en.wikipedia.org', 'fr', 'https://fr.wikipedia.org'],
  ['https://en.wikipedia.org', 'evil.example/', 'https://en.wikipedia.org'],
  ['https://de.wikipedia.org', 'fr', 'https://de.wikipedia.org'],
  ['http://wiki.internal:8080/kiwix', 'fr', 'http://wiki.internal:8080/kiwix'],
])('Wikipedia at %s in the edition %s is at %s', (baseUrl, edition, address) => {
  expect(wikipediaArticles.addressOf?.(baseUrl, edition)).toBe(address)
})

it('covers and words have addresses', () => {
  expect(coverAddress(7)).toBe('https://covers.openlibrary.org/b/id/7-M.jpg?default=false')
  expect(wiktionaryPage('ice cream')).toBe('https://en.wiktionary.org/wiki/ice_cream')
})
