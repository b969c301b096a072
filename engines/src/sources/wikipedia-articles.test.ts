import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { wikipediaEdition } from '../parsing/mediawiki.ts'
import { articlesBySearch, articlesByTitle, wikipediaArticles } from './wikipedia-articles.ts'

const OPEN = wikipediaEdition('')
const asked = (titles: string[]) => ({ query: { titles, edition: OPEN }, now: 0 })
const searched = { query: { text: 'x', edition: OPEN }, now: 0 }
const reply = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const parametersOf = (path: string) => Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?'))))

describe('articles by title', () => {
  it('asks one question for all that a card shows', () => {
    const { path, ...rest } = articlesByTitle.request(
      { titles: ['glass tower', 'Glass Tower'], edition: OPEN },
      { baseUrl: '' },
    )
    expect(parametersOf(path)).toEqual({
      action: 'query',
      format: 'json',
      formatversion: '2',
      redirects: '1',
      converttitles: '1',
      titles: 'glass tower|Glass Tower',
      prop: 'extracts|pageimages|pageprops|info|description|coordinates',
      exintro: '1',
      explaintext: '1',
      exsentences: '3',
      exlimit: 'max',
      piprop: 'thumbnail|name',
      pithumbsize: '330',
      pilicense: 'free',
      ppprop: 'wikibase_item|disambiguation',
      inprop: 'url',
    })
    expect(rest).toEqual({ headers: { accept: 'application/json' } })
  })

  it('asks the edition of a language, and Chinese in the right characters', () => {
    const french = articlesByTitle.request({ titles: ['x'], edition: wikipediaEdition('fr-CA') }, { baseUrl: '' })
    expect([french.edition, parametersOf(french.path)['uselang']]).toEqual(['fr', 'fr'])
    const taiwanese = articlesByTitle.request({ titles: ['x'], edition: wikipediaEdition('zh-TW') }, { baseUrl: '' })
    expect([taiwanese.edition, parametersOf(taiwanese.path)['variant']]).toEqual(['zh', 'zh-tw'])
  })

  it('finds the article of each title, as plain text, through redirects; missing ones are left out', () => {
    const titles = ['glass tower', 'Zxqv', 'A[b', 'Special:Random', 'Tower lift', 'Mercury']
    const found = articlesByTitle.parse(readFixture('wikipedia-articles', 'sources'), asked(titles))
    expect(found.map(({ asked: at, isSection, article }) => [titles[at], isSection, article.title])).toEqual([
      ['glass tower', false, 'Glass Tower'],
      ['Tower lift', true, 'Glass Tower'],
      ['Mercury', false, 'Mercury'],
    ])
    expect(JSON.stringify(found)).not.toContain('glass tower')
    const [first] = found
    for (const url of ['javascript:alert(1)', '']) {
      expect(articlesByTitle.schema.safeParse([{ ...first, article: { ...first?.article, url } }]).success).toBe(false)
    }
    expect(found[0]?.article).toEqual({
      title: 'Glass Tower',
      url: 'https://en.wikipedia.org/wiki/Glass_Tower',
      extract: 'The Glass Tower is a tower of glass & steel.',
      description: 'tower in an invented city',
      lang: 'en',
      picture: {
        url: 'https://upload.wikimedia.org/wikipedia/commons/thumb/a/a1/Glass.jpg/330px-Glass.jpg',
        width: 330,
        height: 495,
        file: 'Glass_Tower_at_noon.jpg',
      },
      item: 'Q990001',
      isDisambiguation: false,
      coordinates: { lat: 48.5, lon: 2.25 },
    })
    expect(found[2]?.article).toMatchObject({ isDisambiguation: true, picture: null, coordinates: null })
    expect(articlesByTitle.schema.parse(found)).toEqual(found)
  })

  it('redirects that lead in a circle end', () => {
    const redirects = [
      { from: 'A', to: 'B' },
      { from: 'B', to: 'A' },
    ]
    expect(articlesByTitle.parse(reply({ query: { redirects, pages: [] } }), asked(['A']))).toEqual([])
  })

  it('a title of another wiki is no article', () => {
    const interwiki = [{ title: 'fr:Paris', iw: 'fr' }]
    expect(articlesByTitle.parse(reply({ batchcomplete: true, query: { interwiki } }), asked(['fr:Paris']))).toEqual([])
  })
})

describe('articles by search', () => {
  it('asks for three articles', () => {
    const { path } = articlesBySearch.request({ text: 'glass tower', edition: OPEN }, { baseUrl: '' })
    expect(parametersOf(path)).toMatchObject({
      generator: 'search',
      gsrsearch: 'glass tower',
      gsrnamespace: '0',
      gsrlimit: '3',
    })
  })

  it('gives them by rank; a place on the moon has no coordinates', () => {
    const found = articlesBySearch.parse(readFixture('wikipedia-search', 'sources'), searched)
    expect(found.map(({ title }) => title)).toEqual(['Crater', 'Second'])
    expect(found[0]).toMatchObject({
      coordinates: null,
      picture: { url: 'https://upload.wikimedia.org/x/330px-X.jpg' },
    })
  })

  it('nothing found is an answer', () => {
    expect(articlesBySearch.parse(reply({ batchcomplete: true }), searched)).toEqual([])
  })
})

describe('unusable replies', () => {
  it.each([
    ['ratelimited', 'throttled', false],
    ['maxlag', 'unreachable', false],
    ['internal_api_error_DBQueryError', 'unreachable', false],
    ['badvalue', 'rejected', false],
    ['cirrussearch-query-too-long', 'rejected', true],
  ])('status 200 with the error %s is %s', (code, kind, isQueryFault) => {
    for (const parse of [
      () => articlesByTitle.parse(reply({ error: { code, info: 'canary' } }), asked(['x'])),
      () => articlesBySearch.parse(reply({ error: { code, info: 'canary' } }), searched),
    ]) {
      expect(parse).toThrow(expect.objectContaining({ kind, isQueryFault }))
      expect(parse).not.toThrow(/canary/)
    }
  })

  it.each([
    ['a web page', '<!doctype html>'],
    ['half a reply', '{"query":{"pages":[{"ns":0'],
    ['an empty object', {}],
    ['pages that are no list', { query: { pages: 'not a list' } }],
    ['pages of a wrong type', { query: { pages: [{ ns: 'seven', title: 7 }] } }],
    ['a query of a wrong type', { query: [7], batchcomplete: true }],
  ])('malformed: %s', (_what, body) => {
    const malformed = expect.objectContaining({ kind: 'malformed' })
    expect(() => articlesByTitle.parse(reply(body), asked(['x']))).toThrow(malformed)
    expect(() => articlesBySearch.parse(reply(body), searched)).toThrow(malformed)
  })

  it.each([
    [429, 'throttled'],
    [403, 'blocked'],
    [503, 'unreachable'],
  ])('status %i is %s', (status, kind) => {
    expect(() => articlesBySearch.parse(reply('{}', status), searched)).toThrow(expect.objectContaining({ kind }))
  })
})

describe('editions', () => {
  it.each([
    ['fr', 'fr'],
    ['pt-BR', 'pt'],
    ['nb', 'no'],
    ['zh-Hant', 'zh'],
    ['', ''],
    ['xx', ''],
    ['evil.example', ''],
  ])('the edition of %j is %j', (lang, code) => {
    expect(wikipediaEdition(lang).code).toBe(code)
  })

  it('only the public Wikipedia has an address for each, and only for one that is known', () => {
    const addressOf = (baseUrl: string, edition: string) => wikipediaArticles.addressOf?.(baseUrl, edition)
    expect(addressOf('https://en.wikipedia.org', 'fr')).toBe('https://fr.wikipedia.org')
    expect(addressOf('https://en.wikipedia.org', 'evil.example/')).toBe('https://en.wikipedia.org')
    expect(addressOf('https://de.wikipedia.org', 'fr')).toBe('https://de.wikipedia.org')
    expect(addressOf('http://wiki.internal:8080/kiwix', 'fr')).toBe('http://wiki.internal:8080/kiwix')
  })
})
