// What examples.json cannot say of an adapter: rules over many texts, long replies, and what an engine declares.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY } from '../test/engine-query.ts'
import { jina } from './ai-search/jina.ts'
import { langsearch } from './ai-search/langsearch.ts'
import { commons } from './media/commons.ts'
import { gdelt } from './news/gdelt.ts'
import { brave } from './web/brave.ts'
import { kagi } from './web/kagi.ts'
import { searxng } from './web/searxng.ts'
import { staan } from './web/staan.ts'
import { wikipedia } from './web/wikipedia.ts'

const parameter = (path = '', name: string): string => new URL(path, 'https://a.example').searchParams.get(name) ?? ''

it('SearXNG is never sent a command', () => {
  const texts = fc.string({
    minLength: 1,
    unit: fc.constantFrom('!', ':', '<', '"', 'a', ' ', '\t', '\u001d', '\u3000'),
  })
  fc.assert(
    fc.property(texts, (text) => {
      const q = parameter(searxng.tabs.web?.request({ ...ANY, text }, { baseUrl: '' }).path, 'q')
      expect(q.split(/[\s\p{Cc}]+/u).filter((word) => /^[!:<]/.test(word))).toEqual([])
    }),
  )
})

it('the longest query that Commons is asked stays within what it takes', () => {
  const text = 'x'.repeat(commons.maxQueryLength?.characters ?? 0)
  const { path } = commons.tabs.images?.request({ ...ANY, text }, { baseUrl: '' }) ?? {}
  expect(parameter(path, 'gsrsearch')).toHaveLength(300)
})

it.each([
  ['https://en.wikipedia.org', 'ja', 'https://ja.wikipedia.org'],
  ['https://wiki.example/mirror', 'ja', 'https://wiki.example/mirror'],
])('Wikipedia at %s is asked in %s at %s', (baseUrl, edition, address) => {
  expect(wikipedia.addressOf?.(baseUrl, edition)).toBe(address)
})

describe('a provider without pages', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `https://a.example/${index + 1}`)
  const pictures = (count: number) => ({
    type: 'images',
    results: numbers(count).map((url) => ({ url, thumbnail: { src: url } })),
  })
  const articles = (count: number) => ({ articles: numbers(count).map((url) => ({ url })) })

  it.each([
    ['Brave images', brave.tabs.images, pictures],
    ['GDELT', gdelt.tabs.news, articles],
  ])('%s: page 2 of 14 has the last four, and page 3 nothing', (_name, tab, body) => {
    const urlsOn = (page: number) => {
      const reply = { status: 200, headers: {}, body: JSON.stringify(body(14)) }
      return tab?.parse(reply, { ...ANY, page }).hits.map(({ url }) => url)
    }
    expect(urlsOn(1)).toEqual(numbers(10))
    expect(urlsOn(2)).toEqual(numbers(14).slice(10))
    expect(urlsOn(3)).toEqual([])
  })
})

it('an engine declares the last page that its provider has', () => {
  expect(brave.tabs.web?.lastPage).toBe(10)
  expect(brave.tabs.images?.lastPage).toBe(20)
  expect(gdelt.tabs.news?.lastPage).toBe(25)
  expect(kagi.tabs.images?.lastPage).toBe(1)
  expect(staan.tabs.web?.lastPage).toBe(4)
})

it('an engine declares what a call costs beside others', () => {
  expect(brave.suggest?.priceFactor).toBe(0.1)
  expect(jina.tabs.web?.priceFactor).toBe(undefined)
  expect(jina.tabs.news?.priceFactor).toBe(5)
})

it('a 429 of LangSearch does not end the hour', () => {
  expect(langsearch.terms.restSeconds).toBe(0)
})
