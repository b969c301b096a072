import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { elementsIn } from '../parsing/xml.ts'
import { arxiv, atomEntries, linkIn } from './arxiv.ts'

const { science } = arxiv.tabs
const expressionFor = (text: string, query = ANY): string | null =>
  new URL(science?.request({ ...query, text }, { baseUrl: '' }).path ?? '', 'https://a.example').searchParams.get(
    'search_query',
  )

describe('arxiv', () => {
  it('asks for every word, for a page and from a minute on', () => {
    expect(science?.request(QUERY, { baseUrl: '' })).toEqual({
      path:
        '/api/query?search_query=all%3Aoak%20AND%20all%3Atree%20AND%20submittedDate%3A%5B202611080000%20TO%20202611150000%5D' +
        '&start=10&max_results=10&sortBy=relevance&sortOrder=descending',
      headers: { accept: 'application/atom+xml' },
    })
  })

  it.each([
    ['heat AND (cold OR "ice age")', 'all:heat AND all:cold AND all:ice AND all:age'],
    ['au:noether', 'all:au AND all:noether'],
    ['c++ and rust', 'all:c++ AND all:and AND all:rust'],
    ['()', 'all:()'],
  ])('takes %s for words', (text, expression) => {
    expect(expressionFor(text)).toBe(expression)
  })

  it('reads a paper with its journal, and its own page and text as links', () => {
    const { hits } = science?.parse(readFixture('arxiv-science-page'), ANY) ?? { hits: [] }
    expect(hits[0]).toEqual({
      title: 'Heat & entropy of invented systems',
      url: 'https://doi.org/10.5555/ijp.1',
      description: 'Ada Lovelace, Emmy Noether · Inv. J. Phys. 1 (2027) 1 · We show that $S > 0$.',
      // The journal's year, not that of the preprint.
      paper: expect.objectContaining({ abstract: 'We show that $S > 0$.', year: 2027 }),
      faviconUrl: '',
      publishedAt: Date.UTC(2026, 10, 5, 8),
      sitelinks: [
        { title: 'arXiv', url: 'https://arxiv.org/abs/2611.01234' },
        { title: 'PDF', url: 'https://arxiv.org/pdf/2611.01234v2' },
      ],
    })
    expect(hits.slice(1).map(({ url }) => url)).toEqual([
      'https://arxiv.org/abs/hep-th/9901001',
      'https://arxiv.org/abs/2611.00007',
    ])
  })

  it.each([
    ['ACM, 2020', 2020],
    ['Phys. Rev. D 1999, 1 (2020)', 2020],
    ['Proc. Invented Conf. 2021, pp. 12-20', 2021],
    ['Inv. J. 12, 1950-1962', undefined],
    ['to appear', undefined],
  ])('of a printed paper, finds the year in the journal reference %j', (reference, year) => {
    const { body } = readFixture('arxiv-science-page')
    const changed = body.replace(/(<arxiv:journal_ref[^>]*>)[^<]*/, `$1${reference}`)
    expect(science?.parse({ status: 200, headers: {}, body: changed }, ANY).hits[0]?.paper?.year).toBe(year)
  })

  it('takes an error for one, even with status 200', () => {
    expect(() => science?.parse({ ...readFixture('arxiv-science-refusal'), status: 200 }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })
})

const reply = (body: string, status = 200) => ({ status, headers: {}, body })

describe('a feed', () => {
  it('is read as the contents of its entries', () => {
    const body =
      '<?xml version="1.0"?>\n<feed xmlns="x"><title>T</title><entry><id>1</id></entry><entry/>\n<entry a="b"><id>2</id></entry></feed>\n'
    expect(atomEntries(reply(body), { now: 0 })).toEqual(['<id>1</id>', '<id>2</id>'])
  })

  it.each(['<feed><entry></entry>', '<feed', '', '{}', '<html></feed>', '<!doctype html><feed></feed>'])(
    'that is not whole is malformed: %s',
    (body) => {
      expect(() => atomEntries(reply(body), { now: 0 })).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  it('with an error status is that error, whatever the body', () => {
    expect(() => atomEntries(reply('<feed></feed>', 429), { now: 0 })).toThrow(
      expect.objectContaining({ kind: 'throttled' }),
    )
  })

  it('finds elements with exactly this name', () => {
    expect(elementsIn('<idea>no</idea><id>a</id><id lang="en">b</id><id/><id>open', 'id')).toEqual(['a', 'b'])
  })

  it('has links by title', () => {
    const xml =
      '<link href="https://a.example/1" rel="alternate"/><link title="pdf" href="https://a.example/1?x=1&amp;y=2"/>'
    expect(linkIn(xml, 'pdf')).toBe('https://a.example/1?x=1&y=2')
    expect(linkIn(xml, 'doi')).toBe('')
  })

  it('takes no longer than its length deserves', () => {
    const started = performance.now()
    for (const part of ['<entry', '<entry ', '<entry>', '<link ', '<link title="']) {
      elementsIn(part.repeat(200_000), 'entry')
      linkIn(part.repeat(200_000), 'pdf')
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
