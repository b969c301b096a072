import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPathOf, readPattern, readTarget } from './rule-pattern.ts'

const piece = fc.constantFrom('*', '.', '/', '?', '%C3', 'www.', 'https://', 'example', 'Ä', '#', ':80', '1', 'xn--')
const anyText = fc
  .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 8 })
  .map((pieces) => pieces.join(''))

describe('readPattern', () => {
  it.each([
    ['example.org', 'example.org'],
    [' WWW.Example.ORG ', 'example.org'],
    ['https://www.example.org/', 'example.org'],
    ['http://example.org:8080/', 'example.org'],
    ['*://*.example.org/*', 'example.org'],
    ['*.example.org', 'example.org'],
    ['.example.org', 'example.org'],
    ['*.example', '*.example'],
    ['*://*.example/*', '*.example'],
    ['example.org/shop/*', 'example.org/shop/*'],
    ['*://example.org/Shop/**', 'example.org/shop/*'],
    ['https://example.org/page?id=1#part', 'example.org/page?id=1'],
    ['example.org/größe/*', 'example.org/gr%c3%b6%c3%9fe/*'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['192.0.2.7', '192.0.2.7'],
    ['www.org', 'www.org'],
    ['www.www.example.org', 'example.org'],
  ])('%s is %s', (written, pattern) => {
    expect(readPattern(written)).toBe(pattern)
  })

  it.each([
    '',
    'word',
    'localhost',
    '*',
    '*://*/*',
    'example.*',
    'exa mple.org',
    'me@example.org',
    '[::1]',
    'ftp://a.org',
    '0..',
    'a..org',
  ])('%s names no site', (written) => {
    expect(readPattern(written)).toBeUndefined()
  })

  it('is bounded in length and stars', () => {
    expect(readPattern(`example.org/${'a'.repeat(500)}`)).toBeUndefined()
    expect(readPattern(`example.org/${'*a'.repeat(20)}`)).toBeUndefined()
  })

  it('reads what it wrote as the same', () => {
    fc.assert(
      fc.property(anyText, (written) => {
        const pattern = readPattern(written)
        if (pattern !== undefined) expect(readPattern(pattern)).toBe(pattern)
      }),
    )
  })
})

describe('readTarget', () => {
  it.each([
    ['https://front.example/', 'front.example'],
    ['Front.Example:3000', 'front.example:3000'],
    ['192.0.2.7:80', '192.0.2.7'],
    ['localhost:3000', 'localhost:3000'],
  ])('%s is %s', (written, host) => {
    expect(readTarget(written)).toBe(host)
  })

  it.each(['', 'a b', 'front.example/path', 'me@front.example', '*.example'])('%s is no host', (written) => {
    expect(readTarget(written)).toBeUndefined()
  })
})

describe('isPathOf', () => {
  it('means what a regular expression with `.*` for each star means', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 })
    fc.assert(
      fc.property(glob, text, (pattern, path) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(path)
        expect(isPathOf(pattern.split('*'), path)).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })
})
