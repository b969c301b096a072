import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { wikipedia } from './wikipedia.ts'

const { suggest } = wikipedia
const { web } = wikipedia.tabs
const QUERY: EngineQuery = { text: 'oak tree', page: 2, safe: true, date: undefined, lang: '', now: 0 }

const answered =
  (body: string, status = 200) =>
  () =>
    suggest?.parse({ status, headers: {}, body })

describe('wikipedia suggest', () => {
  it('asks for ten titles of articles', () => {
    expect(suggest?.request({ text: 'bower b', lang: 'en' }, { baseUrl: '' }).path).toBe(
      '/w/api.php?action=opensearch&format=json&formatversion=2&search=bower%20b&namespace=0&limit=10',
    )
  })

  it('gives titles, best first', () => {
    expect(suggest?.parse(readFixture('wikipedia-suggest-page'))).toEqual(['Bower', 'Bowerbird', 'Bower Manuscript'])
  })

  it.each([
    ['ratelimited', 'throttled'],
    ['maxlag', 'throttled'],
    ['badvalue', 'rejected'],
  ])('with status 200 and the error %s is %s', (code, kind) => {
    expect(answered(JSON.stringify({ error: { code, info: 'canary' } }))).toThrow(expect.objectContaining({ kind }))
  })

  it('goes by the status when there is one', () => {
    expect(answered('{"error":{"code":"badvalue"}}', 429)).toThrow(expect.objectContaining({ kind: 'throttled' }))
  })
})

describe('wikipedia web', () => {
  const settings = { baseUrl: '' }

  it.each([
    ['', undefined],
    ['de-AT', 'de'],
    ['nb', 'no'],
    ['zh-TW', 'zh'],
  ])('in %j asks the edition %s', (lang, edition) => {
    expect(web?.request({ ...QUERY, lang }, settings).edition).toBe(edition)
    expect(suggest?.request({ text: 'oak', lang }, settings).edition).toBe(edition)
  })

  it('has an address for each language, unless the operator has one of their own', () => {
    expect(wikipedia.addressOf?.('https://en.wikipedia.org', 'ja')).toBe('https://ja.wikipedia.org')
    expect(wikipedia.addressOf?.('https://wiki.example/mirror', 'ja')).toBe('https://wiki.example/mirror')
  })

  it.each([
    ['insource:/[a-z]+/ oak', 'insource /[a-z]+/ oak'],
    ['Talk: oak', 'Talk  oak'],
    ['oak -tree "white oak"', 'oak -tree "white oak"'],
  ])('%j is sent as %j', (text, srsearch) => {
    const { path = '' } = web?.request({ ...QUERY, text }, settings) ?? {}
    const parameters = new URL(path, 'https://a.example').searchParams
    expect([parameters.get('srsearch'), parameters.get('sroffset')]).toEqual([srsearch, '10'])
  })

  it('makes addresses of titles, and drops the text of a page that only leads to another', () => {
    const page = web?.parse(readFixture('wikipedia-web-page'), QUERY)
    expect(page?.correction).toBe('wärmepumpe')
    expect(page?.hits.map(({ url, description }) => [url, description])).toEqual([
      ['https://de.wikipedia.org/wiki/W%C3%A4rmepumpe', 'Eine Wärmepumpe ist eine "Maschine"'],
      ['https://de.wikipedia.org/wiki/Luft/Wasser:_Heizung#Aufbau_und_Betrieb', 'Heizt mit Luft.'],
      ['https://de.wikipedia.org/wiki/W%C3%A4rme_(Physik)', ''],
    ])
  })

  it.each([
    ['cirrussearch-backend-error', 'unreachable', false],
    ['cirrussearch-query-too-long', 'rejected', true],
  ])('with status 200 and the error %s is %s', (code, kind, isQueryFault) => {
    const body = JSON.stringify({ error: { code } })
    expect(() => web?.parse({ status: 200, headers: {}, body }, QUERY)).toThrow(
      expect.objectContaining({ kind, isQueryFault }),
    )
  })
})
