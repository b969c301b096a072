import { describe, expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const nested = (levels: number, opening: string, closing: string) =>
  `${opening.repeat(levels)}1${closing.repeat(levels)}`

describe('parseJson', () => {
  test.each([
    ['lists', '[', ']'],
    ['lists with more in them', '[1,', ']'],
    ['objects', '{"a":', '}'],
    ['objects with more in them', '{"a":1,"b":', '}'],
  ])('reads 500 levels of %s and refuses 501', (_, opening, closing) => {
    expect(parseJson(nested(500, opening, closing))).toEqual(JSON.parse(nested(500, opening, closing)))
    expect(() => parseJson(nested(501, opening, closing))).toThrow(SyntaxError)
  })

  test('survives what ends a process that gives it to JSON.parse', () => {
    for (const opening of ['[1,', '[1,{"a":', '{"a":1,"b":'])
      for (const rest of ['"x', 'tru', '{"a":1'])
        for (let times = 0; times < 100; times++)
          expect(() => parseJson(opening.repeat(60_000) + rest)).toThrow(SyntaxError)
  })

  test('counts no brackets in strings, and nothing that is closed', () => {
    const text = JSON.stringify([`${'['.repeat(2_000)}"\\`, ...Array.from({ length: 2_000 }, () => ({ a: ['"{'] }))])
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  test('throws as JSON.parse does', () => {
    for (const text of ['', '{', 'x', '"\\']) expect(() => parseJson(text)).toThrow(SyntaxError)
  })
})
