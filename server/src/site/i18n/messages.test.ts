import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { argumentsOf } from './message-format.test-harness.ts'
import { LOCALES, localeFor, readTexts, type TextTree, wordsIn } from './messages.ts'

/** `frame.errors.notFound` → its text, over a whole language. */
const leavesOf = (texts: TextTree, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${path}${name}`, text] as [string, string]] : leavesOf(text, `${path}${name}.`),
  )

const english = new Map(leavesOf(readTexts('en')))

describe.each(LOCALES)('the texts in %s', (locale) => {
  const own = new Map(leavesOf(readTexts(locale)))

  it('are those of English, each with the same values', () => {
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort())
    const valuesOf = (texts: Map<string, string>) =>
      [...texts].map(([path, text]) => `${path} ${argumentsOf(text)}`).sort()
    expect(valuesOf(own)).toEqual(valuesOf(english))
  })

  it('are not empty, and have no surrounding spaces, exclamation marks or markup', () => {
    expect([...own].filter(([, text]) => !/^\S(?:[^<>!]*\S)?$/.test(text))).toEqual([])
  })

  it('name every kind of request that is counted', () => {
    const counted = new URL('../../api/endpoints/', import.meta.url)
    const sources = readdirSync(counted).filter((name) => name.endsWith('endpoint.ts'))
    const names = sources.flatMap((name) => {
      const source = readFileSync(new URL(name, counted), 'utf8')
      return /counts: false/.test(source) ? [] : [...source.matchAll(/\bname: '(\w+)'/g)].map(([, found = '']) => found)
    })
    expect(names).toContain('science_search')
    const { kinds } = wordsIn(locale).settings.usage
    expect(names.filter((name) => !Object.hasOwn(kinds, name))).toEqual([])
  })

  it('contain their values', () => {
    const { frame, search } = wordsIn(locale)
    expect(frame.errors.brokenHelp({ id: 'abc-123' })).toContain('abc-123')
    expect(frame.errors.tooManyHelp({ seconds: 42 })).toContain('42')
    expect(frame.errors.tooManyHelp({ seconds: 1 })).not.toContain('1')
    expect(frame.someDown({ down: 3 })).toContain('3')
    expect(search.foundBy({ engines: 'Brave' })).toContain('Brave')
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
