import { describe, expect, it } from 'vitest'
import { paperHit } from './read-paper.ts'

const PAPER = {
  doi: '10.5555/Heat.1',
  title: 'Heat &amp; cold',
  authors: ['Ada Lovelace', 'Emmy Noether'],
  journal: 'Journal of Heat',
  abstract: '<jats:title>Abstract</jats:title><jats:p>We measured <b>heat</b>.</jats:p>',
  publishedAt: undefined,
}

describe('a paper', () => {
  it('links to its DOI; authors and journal precede the abstract', () => {
    expect(paperHit(PAPER)).toEqual({
      kind: 'web',
      title: 'Heat & cold',
      url: 'https://doi.org/10.5555/heat.1',
      description: 'Ada Lovelace, Emmy Noether · Journal of Heat · We measured heat.',
      paper: {
        authors: ['Ada Lovelace', 'Emmy Noether'],
        authorCount: 2,
        venue: 'Journal of Heat',
        doi: '10.5555/heat.1',
        abstract: 'We measured heat.',
      },
      faviconUrl: '',
      publishedAt: undefined,
      sitelinks: [],
    })
  })

  it.each([
    ['10.1000/ABC(1)', 'https://doi.org/10.1000/abc(1)'],
    ['https://doi.org/10.1000/Abc', 'https://doi.org/10.1000/abc'],
    [' doi:10.1000/abc ', 'https://doi.org/10.1000/abc'],
    ['10.1000/a#b?c', 'https://doi.org/10.1000/a%23b%3Fc'],
    ['10.48550/arXiv.2611.01234', 'https://arxiv.org/abs/2611.01234'],
    ['10.1000/two words', undefined],
    ['10.1000/<script>', undefined],
    ['11.1000/abc', undefined],
    [7, undefined],
  ])('with the DOI %j has the address %s', (doi, url) => {
    expect(paperHit({ ...PAPER, doi })?.url).toBe(url)
  })

  it('without a DOI links to the provider’s page, or is dropped', () => {
    expect(paperHit({ ...PAPER, doi: null, url: 'https://papers.example/1' })?.url).toBe('https://papers.example/1')
    expect(paperHit({ ...PAPER, doi: null, url: 'javascript:alert(1)' })).toBe(undefined)
  })

  it('lists three of many authors', () => {
    const authors = ['A. One', '', 'B. Two', null, 'C. Three', 'D. Four']
    expect(paperHit({ ...PAPER, authors, journal: '', abstract: null })?.description).toBe(
      'A. One, B. Two, C. Three et al.',
    )
  })

  it('counts all of many authors, and names the first', () => {
    const authors = Array.from({ length: 3000 }, (_, at) => `A. Author ${at}`)
    const { paper } = paperHit({ ...PAPER, authors }) ?? {}
    expect(paper?.authorCount).toBe(3000)
    expect(paper?.authors).toEqual(authors.slice(0, 25))
  })

  it.each([
    ['2026-05-04', 2026],
    ['1948', 1948],
    [1905, 1905],
    ['2026-05-04T00:00:00Z', 2026],
    ['20260504', undefined],
    ['in 2026', undefined],
    [null, undefined],
    [['2026'], undefined],
  ])('published %j is of the year %s', (published, year) => {
    expect(paperHit({ ...PAPER, published })?.paper?.year).toBe(year)
  })

  it.each([
    [0, 0],
    ['12', 12],
    [-1, undefined],
    [1.5, undefined],
    [1e300, undefined],
    ['many', undefined],
  ])('cited by %j is cited by %s', (citedBy, count) => {
    expect(paperHit({ ...PAPER, citedBy })?.paper?.citedBy).toBe(count)
  })

  it('links to its text if that is an address', () => {
    const links = { PDF: 'https://papers.example/1.pdf', arXiv: 'ftp://arxiv.example/1' }
    expect(paperHit({ ...PAPER, links })?.sitelinks).toEqual([{ title: 'PDF', url: 'https://papers.example/1.pdf' }])
  })

  it('is never longer than any other description', () => {
    const { description = '' } = paperHit({ ...PAPER, abstract: '🐦'.repeat(5000) }) ?? {}
    expect(description.length).toBeLessThanOrEqual(1000)
    expect(description.isWellFormed()).toBe(true)
  })
})
