import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { html } from '../http/html.ts'
import { argumentsOf, pluralsIn } from './message-format.test-harness.ts'
import { LANGUAGES, languageOf, localeFor, readTexts, type TextTree, wordsIn, wordsOf } from './messages.ts'

/** `frame.errors.notFound` → its text, over a whole language. */
const leavesOf = (texts: TextTree, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${path}${name}`, text] as [string, string]] : leavesOf(text, `${path}${name}.`),
  )

const english = new Map(leavesOf(readTexts('en')))

const valuesOf = (texts: Map<string, string>) => [...texts].map(([path, text]) => `${path} ${argumentsOf(text)}`)
const valuesOfEnglish = new Set(valuesOf(english))

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const own = new Map(leavesOf(readTexts(language)))

  it('are texts of English, each with the same values', () => {
    expect(valuesOf(own).filter((text) => !valuesOfEnglish.has(text))).toEqual([])
  })

  it('have every plural form that a count needs', () => {
    const counts = Array.from({ length: 200 }, (_, count) => count)
    const missing = [...own].flatMap(([path, text]) =>
      pluralsIn(text).flatMap(({ forms, type }) => {
        const rules = new Intl.PluralRules(language, { type })
        const needed = new Set(counts.map((count) => rules.select(count)))
        return [...needed].filter((form) => !forms.includes(form)).map((form) => `${path}: ${form}`)
      }),
    )
    expect(missing).toEqual([])
  })

  it('name no file of the repository, which the reader may not have', () => {
    expect([...own.values()].filter((text) => /\.md\b/.test(text))).toEqual([])
  })

  it('are not empty, and have no surrounding spaces, exclamation marks or markup', () => {
    expect([...own].filter(([, text]) => !/^\S(?:[^<>!]*\S)?$/.test(text))).toEqual([])
  })
})

it.each([
  ['de', 'du|dich|dir|dein(?:e[mnrs]?)?'],
  ['es', 'tú|tus?|tuy[oa]s?|ti|contigo'],
] as const)('the texts in %s address people formally', (language, words) => {
  const familiar = new RegExp(`(?<![\\p{L}_])(?:${words})(?!\\p{L})`, 'iu')
  expect(leavesOf(readTexts(language)).filter(([, text]) => familiar.test(text))).toEqual([])
})

describe.each(LANGUAGES)('the words in %s', (language) => {
  it('name every kind of request that is counted', () => {
    const counted = new URL('../../api/endpoints/', import.meta.url)
    const sources = readdirSync(counted).filter((name) => name.endsWith('endpoint.ts'))
    const names = sources.flatMap((name) => {
      const source = readFileSync(new URL(name, counted), 'utf8')
      return /counts: false/.test(source) ? [] : [...source.matchAll(/\bname: '(\w+)'/g)].map(([, found = '']) => found)
    })
    expect(names).toContain('science_search')
    const { kinds } = wordsIn(language).settings.usage
    expect(names.filter((name) => !Object.hasOwn(kinds, name))).toEqual([])
  })

  it('contain their values', () => {
    const { frame, search } = wordsIn(language)
    expect(frame.errors.brokenHelp({ id: 'abc-123' })).toContain('abc-123')
    expect(frame.errors.tooManyHelp({ seconds: 42 })).toContain('42')
    expect(frame.errors.tooManyHelp({ seconds: 1 })).not.toContain('1')
    expect(frame.someDown({ down: 3 })).toContain('3')
    expect(search.foundBy({ engines: 'Brave' })).toContain('Brave')
  })
})

it('every folder of texts is a language that readers can choose', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...LANGUAGES].sort())
})

it('a text that is missing is shown in English', () => {
  const english = { frame: { search: 'Search', settings: 'Settings' }, setup: { title: 'Welcome' } }
  const own = { frame: { search: 'Buscar' } }
  expect(wordsOf(english, { locale: 'es', own })).toEqual({ ...english, frame: { ...english.frame, search: 'Buscar' } })
})

it('a text with values that a page shows without them is an error', () => {
  const { foundBy } = wordsIn('en').search
  expect(html`<p>${foundBy({ engines: 'Brave' })}</p>`.text).toContain('Brave')
  expect(() => html`<p>${foundBy}</p>`).toThrow('a text without its values')
  expect(() => foundBy({ engine: 'Brave' })).toThrow('A text lacks its value “engines”')
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
    ['pl, it;q=0.9', 'en'],
  ])('Accept-Language %s → %s', (header, language) => {
    expect(languageOf(localeFor(header))).toBe(language)
  })
})

describe('the region of a reader', () => {
  it.each([
    ['de-CH,de;q=0.9', '', 'de-CH'],
    ['en-us', '', 'en-US'],
    ['en', '', 'en-GB'],
    ['en-ZZ', '', 'en-GB'],
    ['es-419', '', 'es-419'],
    ['fr-CA-x-hostile, fr;q=0.5', '', 'fr'],
    ['en-US,de-CH;q=0.8', 'de', 'de-CH'],
    ['en-US', 'de', 'de'],
    ['es-AR', 'es', 'es-AR'],
    [undefined, 'en', 'en-GB'],
  ] as const)('Accept-Language %s, with “%s” chosen → %s', (header, chosen, locale) => {
    expect(localeFor(header, chosen)).toBe(locale)
  })

  it('decides how numbers in texts are written', () => {
    expect(wordsIn('de').frame.page({ page: 12_345 })).toBe('Seite 12.345')
    expect(wordsIn('de-CH').frame.page({ page: 12_345 })).toBe(`Seite ${new Intl.NumberFormat('de-CH').format(12_345)}`)
    expect(wordsIn('es-MX').frame.page({ page: 12_345 })).toContain('12,345')
  })

  it('has words of its own only if it writes numbers in its own way', () => {
    expect(wordsIn('en-US')).toBe(wordsIn('en-GB'))
    expect(wordsIn('de-CH')).not.toBe(wordsIn('de'))
  })
})
