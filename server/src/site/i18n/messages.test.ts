import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DICTIONARIES, LOCALES, localeFor } from './messages.ts'

type Leaf = string | ((...values: never[]) => string)

/** `frame.errors.notFound` → its word, over a whole dictionary. */
function leavesOf(value: unknown, path: string): [string, Leaf][] {
  if (typeof value === 'string') return [[path, value]]
  // A word with values is a function of a few of them.
  if (typeof value === 'function') return [[path, value as Leaf]]
  return Object.entries(value as object).flatMap(([name, part]) =>
    leavesOf(part, path === '' ? name : `${path}.${name}`),
  )
}

const leaves = Object.fromEntries(LOCALES.map((locale) => [locale, new Map(leavesOf(DICTIONARIES[locale], ''))]))

describe.each(LOCALES)('the texts in %s', (locale) => {
  const own = leaves[locale] ?? new Map<string, Leaf>()

  it('has exactly the keys of English, of the same kind', () => {
    const kinds = (words: Map<string, Leaf>) => new Set([...words].map(([path, word]) => `${path} ${typeof word}`))
    const [mine, english] = [kinds(own), kinds(leaves['en'] ?? new Map())]
    expect([...english.difference(mine)]).toEqual([])
    // English has no word for something whose own name is one.
    const named = /^answers\.(?:members|partsOfSpeech|credits)\./
    expect([...mine.difference(english)].filter((path) => !named.test(path))).toEqual([])
  })

  it('has no empty text, and none with surrounding spaces, exclamation marks or markup', () => {
    const wrong = [...own].filter(([, word]) => typeof word === 'string' && !/^\S(?:[^<>!]*\S)?$/.test(word))
    expect(wrong).toEqual([])
  })

  it('names every kind of request that is counted', () => {
    const counted = new URL('../../api/endpoints/', import.meta.url)
    const sources = readdirSync(counted).filter((name) => name.endsWith('endpoint.ts'))
    const names = sources.flatMap((name) => {
      const source = readFileSync(new URL(name, counted), 'utf8')
      return /counts: false/.test(source) ? [] : [...source.matchAll(/\bname: '(\w+)'/g)].map(([, found = '']) => found)
    })
    expect(names).toContain('science_search')
    const { kinds } = DICTIONARIES[locale].settings.usage
    expect(names.filter((name) => !Object.hasOwn(kinds, name))).toEqual([])
  })

  it('sentences contain their values', () => {
    const { frame, search } = DICTIONARIES[locale]
    expect(frame.errors.brokenHelp('abc-123')).toContain('abc-123')
    expect(frame.errors.tooManyHelp(42)).toContain('42')
    expect(frame.errors.tooManyHelp(1)).not.toContain('1')
    expect(frame.someDown(3)).toContain('3')
    expect(search.foundBy('Brave')).toContain('Brave')
    for (const sentence of [...Object.values(search.failures), ...Object.values(search.skips)]) {
      expect(sentence('Mojeek')).toContain('Mojeek')
    }
  })
})

describe('the language of a reader', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['pt-BR,es;q=0.5', 'es'],
    ['en;q=0.1, fr;q=0.9', 'fr'],
    ['FR', 'fr'],
    ['ja', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['de;q=0, es', 'es'],
    ['*', 'en'],
    [';;;,,,q=', 'en'],
    [`${'x,'.repeat(5000)}de`, 'en'],
  ])('Accept-Language %s → %s', (header, locale) => {
    expect(localeFor(header)).toBe(locale)
  })
})
