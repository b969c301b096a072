import fc from 'fast-check'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { argumentsOf } from './message-format.test-harness.ts'
import { compileMessage, type Values } from './message-format.ts'
import { hasValues, LANGUAGES, readTexts, type TextTree } from './messages.ts'

const byFormatJs = (text: string, locale: string, values: Values): string =>
  String(new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).format(values))

const textsIn = (texts: TextTree): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : textsIn(text)))

/** Every plural form of every language that CLDR knows comes up among these. */
const COUNTS = [0, 1, 2, 3, 5, 6, 11, 12, 21, 22, 100, 101, 1234, 1_000_000]

function valuesFor(text: string, count: number): Values {
  const names = argumentsOf(text).split(', ')
  return Object.fromEntries(
    names.map((name) => name.split(' ')).map(([name, kind]) => [name, kind === 'number' ? count : `<${name}>`]),
  )
}

describe('a message', () => {
  it.each(LANGUAGES)('of the website in %s is what FormatJS makes of it', (locale) => {
    const messages = textsIn(readTexts(locale)).filter(hasValues)
    expect(messages.length).toBeGreaterThan(0)
    for (const text of messages) {
      const message = compileMessage(text, locale)
      for (const count of COUNTS) {
        const values = valuesFor(text, count)
        expect(message(values)).toBe(byFormatJs(text, locale, values))
      }
    }
  })

  it.each([
    ["it's {name}'s", 'en', { name: 'Ada' }, "it's Ada's"],
    ["'{'{name}'}' ''quoted''", 'en', { name: 'Ada' }, "{Ada} 'quoted'"],
    ["{count, plural, one {'#' #} other {'{#}' # of {all, number}}}", 'en', { count: 2, all: 3000 }, '{#} 2 of 3,000'],
    ['{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}', 'pl', { count: 22 }, '22 pliki'],
    ['{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}', 'pl', { count: 12 }, '12 plików'],
    ['{n, plural, =0 {none} one {one} other {#}}', 'de', { n: 0 }, 'none'],
    ['{rank, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', 'en', { rank: 113 }, '113th'],
    ['{ who , select , a {A} other {O {who}} }', 'en', { who: 'b' }, 'O b'],
    ['# {n, number}', 'de', { n: 1234.5 }, '# 1.234,5'],
  ])('%s', (...[text, locale, values, expected]) => {
    expect(compileMessage(text, locale)(values)).toBe(expected)
    expect(byFormatJs(text, locale, values)).toBe(expected)
  })

  it.each(['{', '{}', '{a', '{a, plural}', '{a, plural, one {x}}', '{a, plural, other x}', '{a b}'])(
    '%s is refused, as by FormatJS',
    (text) => {
      expect(() => compileMessage(text, 'en')).toThrow(SyntaxError)
      expect(() => byFormatJs(text, 'en', { a: 1 })).toThrow()
    },
  )

  it.each(['}', '{a}}', '{a, date}'])('%s is refused, which FormatJS would take', (text) => {
    expect(() => compileMessage(text, 'en')).toThrow(SyntaxError)
  })

  it.each(['{name}', '{name, number}', '{name, plural, other {#}}', '{name, select, other {x}}'])(
    '%s without its value is an error',
    (text) => {
      expect(() => compileMessage(text, 'en')({ names: 1 })).toThrow('A text lacks its value “name”')
    },
  )

  it('is refused or made in bounded time, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '#', "'", 'a', ', plural, ', 'other', ' ', '=1', 'select'), {
          maxLength: 200,
        }),
        (parts) => {
          try {
            compileMessage(parts.join(''), 'en')({ a: 1 })
          } catch (error) {
            expect(String(error)).toMatch(/^(?:SyntaxError|TypeError: A text lacks its value)/)
          }
        },
      ),
    )
  })
})
