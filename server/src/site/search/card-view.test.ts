import { describe, expect, it } from 'vitest'
import { mapsPage } from '../maps/maps-page.ts'
import { type BesideStage, cardIn, openAnswerBox } from './answer-box.test-harness.ts'
import { resultsPage } from './results-page.ts'

const HOSTILE = '<script>alert(1)</script>" onload="x'

const attribution = {
  text: 'Wikipedia contributors',
  url: 'https://en.wikipedia.org/wiki/Tower',
  licence: 'CC BY-SA 4.0',
  licence_url: 'https://creativecommons.org/licenses/by-sa/4.0/',
}

const wikipedia = {
  title: 'Glass Tower',
  description: 'tower in Lützenbrück',
  summary: 'A tower of glass.',
  url: 'https://en.wikipedia.org/wiki/Tower',
  lang: 'en',
  image: {
    url: 'https://upload.example/a.jpg',
    width: 100,
    height: 80,
    page_url: 'https://en.wikipedia.org/wiki/File:A',
  },
  facts: [
    {
      property: 'P84',
      label: 'architect',
      values: [
        { text: 'Ada', url: 'https://www.wikidata.org/wiki/Q1' },
        { text: 'Bo', url: '' },
      ],
    },
    {
      property: 'P856',
      label: 'official website',
      values: [{ text: 'https://tower.example/', url: 'https://tower.example/' }],
    },
  ],
  sources: [],
  attribution,
}

const dictionary = {
  word: 'tower',
  lang: 'en',
  language: 'English',
  entries: [{ part_of_speech: 'Noun', senses: [{ definition: 'A tall building.', examples: [] }] }],
  url: 'https://en.wiktionary.org/wiki/tower',
  attribution: { ...attribution, text: 'Wiktionary contributors' },
}

const map = {
  name: 'Glass Tower',
  display_name: 'Glass Tower, Lützenbrück',
  osm_url: 'https://www.openstreetmap.org/way/77',
  directions_url: 'https://www.openstreetmap.org/directions?route=1',
  embed_url: 'https://www.openstreetmap.org/export/embed.html?bbox=1',
  attribution: { ...attribution, text: 'OpenStreetMap contributors' },
}

const book = {
  title: 'Towers',
  subtitle: 'A history',
  authors: [
    { name: 'Ada Bower', url: 'https://openlibrary.org/authors/1' },
    { name: 'Bo', url: '' },
  ],
  first_published: 1987,
  editions: 1200,
  languages: ['eng', 'fre', '???'],
  cover_url: 'https://covers.example/1.jpg',
  url: 'https://openlibrary.org/works/1',
  attribution: { ...attribution, text: 'Open Library' },
}

const stackexchange = {
  title: 'How to sort?',
  url: 'https://stackoverflow.com/q/1',
  answer: { text: 'Like so.', code: 'a.sort()\n// <done>', url: 'https://stackoverflow.com/a/2' },
  attribution: { ...attribution, text: 'Bo on Stack Overflow' },
}

async function railOf(cards: Record<string, unknown>, rest: BesideStage = {}, q = 'tower'): Promise<string> {
  const stage = await openAnswerBox({ cards, ...rest })
  return cardIn((await stage.browser().get(`/search?q=${encodeURIComponent(q)}`)).body)
}

describe('the card beside results', () => {
  it('shows description, picture, facts, source and licence', async () => {
    const rail = await railOf({ wikipedia })
    expect(rail).toContain('<a href="https://en.wikipedia.org/wiki/Tower">Glass Tower</a></h2>')
    expect(rail).toContain('Tower in Lützenbrück')
    expect(rail).toContain('lang="en">A tower of glass.</p>')
    expect(rail).toContain('src="/picture/thumbnail/signed" alt=""')
    expect(rail).toContain('<dt>Architect</dt><dd dir="auto">Ada, Bo</dd>')
    expect(rail).toContain('<a href="https://tower.example/">tower.example</a>')
    expect(rail).toMatch(
      /Wikipedia contributors<\/a> · <a [^>]*>CC BY-SA 4.0<\/a> · <a href="[^"]*File:A">Picture<\/a>/,
    )
  })

  it('pictures come only from this site, and without one there is no credit for it', async () => {
    const image = { ...wikipedia.image, url: 'data:image/png;base64,AAAA' }
    const rail = await railOf({ wikipedia: { ...wikipedia, image } })
    expect(rail).not.toContain('<img')
    expect(rail).not.toContain('>Picture</a>')
  })

  it('other cards are below the first, each with its own source', async () => {
    const rail = await railOf({ wikipedia, dictionary, book, stackexchange, map })
    expect(rail.match(/<article class="card">/g)).toHaveLength(5)
    const order = [
      'Wikipedia contributors',
      'Wiktionary contributors',
      'Open Library',
      'Bo on Stack',
      'OpenStreetMap contr',
    ]
    const places = order.map((name) => rail.indexOf(name))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  })

  it('shows a word’s senses, a question’s accepted answer, a book’s authors', async () => {
    const rail = await railOf({ dictionary, book, stackexchange })
    expect(rail).toContain('<h3>Noun</h3><ol class="senses" lang="en"><li><bdi>A tall building.</bdi></li></ol>')
    expect(rail).toContain('<code>a.sort()\n// &lt;done&gt;</code>')
    expect(rail).toContain('<a href="https://openlibrary.org/authors/1">Ada Bower</a>, Bo')
    expect(rail).toContain('<dt>First published</dt><dd dir="auto">1987</dd>')
    expect(rail).toContain('<dt>Editions</dt><dd dir="auto">1,200</dd>')
    expect(rail).toContain('<dd dir="auto">English, French, ???</dd>')
  })

  it('a map is a link to our maps page, not a frame', async () => {
    const rail = await railOf({ map }, { pages: [resultsPage, mapsPage] })
    expect(rail).toContain('href="/maps?q=Glass+Tower&amp;show=1#place-1">Show map</a>')
    expect(rail).not.toContain('iframe')
    expect(await railOf({ map })).not.toContain('Show map')
  })

  it('a definition shown above the results is not repeated', async () => {
    const senses = [{ definition: 'A tall building.', examples: [] }]
    const sayings = { 'wiktionary definitions': [{ lang: 'en', language: 'English', partOfSpeech: 'Noun', senses }] }
    expect(await railOf({ dictionary }, { sayings }, 'define tower')).toBe('')
    expect(await railOf({ dictionary }, {}, 'tower')).toContain('A tall building.')
  })

  it('all content is escaped, and only http(s) addresses are linked', async () => {
    const rail = await railOf({
      wikipedia: {
        ...wikipedia,
        title: HOSTILE,
        description: HOSTILE,
        summary: HOSTILE.repeat(1_000),
        url: 'javascript:alert(1)',
        lang: '"><b>',
        facts: [{ property: 'P1', label: HOSTILE, values: [{ text: HOSTILE, url: 'javascript:alert(1)' }] }],
        attribution: { text: HOSTILE, url: 'data:text/html,x', licence: HOSTILE, licence_url: 'javascript:1' },
      },
      dictionary: {
        ...dictionary,
        word: HOSTILE,
        entries: [{ part_of_speech: HOSTILE, senses: [{ definition: HOSTILE, examples: [] }] }],
      },
      stackexchange: {
        ...stackexchange,
        answer: { ...stackexchange.answer, text: HOSTILE, code: HOSTILE.repeat(1_000) },
      },
      book: { ...book, authors: [{ name: HOSTILE, url: 'javascript:1' }], languages: [HOSTILE] },
    })
    expect(rail).not.toContain('<script')
    expect(rail).not.toContain('" onload')
    expect(rail).not.toMatch(/href="(?:javascript|data):/)
    expect(rail).not.toContain('<b>')
    expect(rail.length).toBeLessThan(12_000)
  })
})
