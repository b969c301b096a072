import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bibtexOf } from './bibtex.ts'

const URL = 'https://papers.example/1'
const PAPER = {
  authors: ['Ada Lovelace', 'Emmy Noether'],
  authorCount: 2,
  venue: 'Journal of Heat & Cold',
  year: 2026,
  doi: '10.5555/heat_1',
}

describe('a BibTeX entry', () => {
  it('names authors, title, journal, year and DOI', () => {
    expect(bibtexOf({ title: 'On 100 % of the heat', url: URL, paper: PAPER })).toBe(`@article{lovelace2026heat,
  author = {Ada Lovelace and Emmy Noether},
  title = {On 100 \\% of the heat},
  journal = {Journal of Heat \\& Cold},
  year = {2026},
  doi = {10.5555/heat_1}
}`)
  })

  it('leaves out what isn’t known, and has the address of a paper without a DOI', () => {
    expect(bibtexOf({ title: 'Wärme', url: 'https://papers.example/{1}', paper: {} })).toBe(`@misc{warme,
  title = {Wärme},
  url = {https://papers.example/%7B1%7D}
}`)
    expect(bibtexOf({ title: '', url: '', paper: {} })).toMatch(/^@misc\{paper,/)
  })

  it.each([
    [['Noether, Emmy'], 1, 'Noether, Emmy'],
    [['Sun and Moon Institute', 'Others'], 2, '{Sun and Moon Institute} and {Others}'],
    [['A, B, C'], 1, '{A, B, C}'],
    [['Ada Lovelace'], 3000, 'Ada Lovelace and others'],
  ])('writes the authors %j of %i as %s', (authors, authorCount, written) => {
    const entry = bibtexOf({ title: 'Heat', url: URL, paper: { ...PAPER, authors, authorCount } })
    expect(entry).toContain(`author = {${written}},`)
  })

  it.each([
    ['Noether, Emmy', 'The age of ice', 'noether2026the'],
    ['Jörg Dvořák', 'Über Wärme', 'dvorak2026uber'],
    ['李明', '热力学', '2026'],
  ])('of %s: %s has the key %s', (author, title, key) => {
    const paper = { ...PAPER, authors: [author], authorCount: 1 }
    expect(bibtexOf({ title, url: URL, paper })).toMatch(new RegExp(`^@article\\{${key},\n`))
  })
})

/** Reads entries as BibTeX does: a value ends with the brace that closes it, and a backslash protects no brace. */
function readEntry(entry: string): { key: string; fields: Record<string, string>; rest: string } {
  const [start, key = ''] = /^@[a-z]+\{([^,]*),\n/.exec(entry) ?? ['']
  const fields: Record<string, string> = {}
  let at = start.length
  for (let name = /^ {2}([a-z]+) = \{/.exec(entry.slice(at)); name; name = /^ {2}([a-z]+) = \{/.exec(entry.slice(at))) {
    const from = at + name[0].length
    let depth = 1
    for (at = from; depth > 0 && at < entry.length; at += 1) depth += { '{': 1, '}': -1 }[entry.charAt(at)] ?? 0
    fields[name[1] ?? ''] = entry.slice(from, at - 1)
    at += entry.startsWith(',\n', at) ? 2 : 1
  }
  return { key, fields, rest: entry.slice(at) }
}

/** Authors as BibTeX tells them apart: by an `and` that stands in no braces. */
function namesIn(authors: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const word of authors.split(' ')) {
    if (depth === 0 && (word.toLowerCase() === 'and' || names.length === 0)) names.push(names.length === 0 ? word : '')
    else names.push([names.pop(), word].filter(Boolean).join(' '))
    for (const character of word) depth += { '{': 1, '}': -1 }[character] ?? 0
  }
  return names.filter(Boolean)
}

const CHARACTERS: Readonly<Record<string, string>> = {
  textbackslash: '\\',
  textbraceleft: '{',
  textbraceright: '}',
  textasciitilde: '~',
  textasciicircum: '^',
}

/** What LaTeX would print. */
const printed = (text: string): string =>
  text.replace(/\\(?:(text[a-z]+)\{\}|([&%$#_]))/g, (_, command: string, character: string) =>
    command === undefined ? character : (CHARACTERS[command] ?? ''),
  )

const hostile = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom('}', '{', '\\', '%', ',\n', '@misc{x,', ' and ', '"', 'Ada', '~', '#', '}\n}\n'), {
      maxLength: 12,
    }),
  )
  .map((part) => (Array.isArray(part) ? part.join('') : part))

const tidy = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

const TEXTS = fc.record({
  title: hostile,
  venue: hostile,
  authors: fc.array(hostile, { maxLength: 4 }),
  doi: hostile,
})

it('whatever the texts are, an entry is one entry with these fields, and prints them as they are', () => {
  fc.assert(
    fc.property(TEXTS, ({ title, venue, authors, doi }) => {
      const paper = { authors, authorCount: authors.length, venue, year: 2026, doi }
      const { key, fields, rest } = readEntry(bibtexOf({ title, url: URL, paper }))
      expect(rest).toBe('}')
      expect(key).toMatch(/^[a-z0-9]+$/)
      expect(
        Object.keys(fields).every((name) => ['author', 'title', 'journal', 'year', 'doi', 'url'].includes(name)),
      ).toBe(true)
      expect(printed(fields['title'] ?? '')).toBe(tidy(title))
      expect(printed(fields['journal'] ?? '')).toBe(tidy(venue))
      expect(fields['doi'] ?? '').not.toMatch(/[{}\\\n]/)
      const names = namesIn(fields['author'] ?? '').map((name) => printed(name.replace(/^\{(.*)\}$/u, '$1')))
      expect(names).toEqual(authors.map(tidy).filter(Boolean))
    }),
  )
})
