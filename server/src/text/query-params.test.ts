import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { hasTooManyParams, parseQueryParams, readDecimal, readWholeNumber } from './query-params.ts'

describe('the parameters of a query string', () => {
  it.each([
    ['', {}],
    ['q=oak+bark&page=2', { q: 'oak bark', page: '2' }],
    ['q=', { q: '' }],
    ['q', { q: '' }],
    ['q=a=b', { q: 'a=b' }],
    ['&&q=a&', { q: 'a' }],
    ['q=a&q=b&q=c', { q: ['a', 'b', 'c'] }],
    ['q=Z%C3%BCrich', { q: 'Zürich' }],
    ['q=Zürich', { q: 'Zürich' }],
    ['q=%E7%8C%AB', { q: '猫' }],
    ['__proto__=x', { ['__proto__']: 'x' }],
  ])('%j', (text, params) => {
    expect({ ...parseQueryParams(text) }).toEqual(params)
  })

  it.each([
    ['caf%E9', 'café'],
    ['Z%FCrich+%80', 'Zürich €'],
    ['%C3%A9t%E9', 'été'],
    ['100%', '100%'],
    ['%ZZ', '%ZZ'],
    ['50%+off+caf%E9', '50% off café'],
    ['%FF%FE', 'ÿþ'],
  ])('%s is read as what was meant: %s', (written, text) => {
    expect(parseQueryParams(`q=${written}`)['q']).toBe(text)
  })

  it('of the same name are read in linear time: 16 KB', () => {
    // The quadratic way took 127 ms and 250 MB of garbage.
    const startedAt = process.cpuUsage()
    expect(parseQueryParams('a&'.repeat(8_000))['a']).toHaveLength(100)
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(10)
  })

  it('that are no UTF-8 are read in little time: 16 KB, forty times', () => {
    // A decoder and an exception for each took 56 ms for 16 KB.
    const spentMs = startCpuTimer()
    for (let round = 0; round < 40; round += 1) {
      expect(parseQueryParams(`q=${'%C3x'.repeat(4_000)}`)['q']).toHaveLength(8_000)
    }
    expect(spentMs()).toBeLessThan(1_000)
  })

  it('any bytes are read as UTF-8, or else as Windows-1252', () => {
    const asUtf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
    const asWindows1252 = new TextDecoder('windows-1252')
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 6 }), (bytes) => {
        const escapes = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        let expected = asWindows1252.decode(bytes)
        try {
          expected = asUtf8.decode(bytes)
        } catch {
          // No UTF-8.
        }
        expect({ ...parseQueryParams(escapes) }).toEqual({ [expected]: '' })
      }),
    )
  })

  it('are at most 100', () => {
    const pairs = Array.from({ length: 100 }, (_, index) => `p${index}=${index}`).join('&')
    expect(Object.keys(parseQueryParams(pairs))).toHaveLength(100)
    expect([hasTooManyParams(`/livez?${pairs}`), hasTooManyParams(`/livez?${pairs}&q=oak`)]).toEqual([false, true])
    expect(hasTooManyParams(`/${'&'.repeat(200)}`)).toBe(false)
  })

  it('whatever is encoded comes back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })),
        (given) => {
          const text = Object.entries(given).map((pair) => pair.map(encodeURIComponent).join('='))
          expect({ ...parseQueryParams(text.join('&')) }).toEqual({ ...given })
        },
      ),
    )
  })
})

describe('a decimal', () => {
  it.each([
    ['48.8584', 48.8584],
    ['.5', 0.5],
    ['1.', 1],
    ['+3', 3],
    ['-0.25', -0.25],
    ['5e-7', 5e-7],
    ['4.88584E1', 48.8584],
    ['007', 7],
  ])('%s is read', (text, value) => {
    expect(readDecimal(text)).toBe(value)
  })

  it.each([
    '',
    ' ',
    '.',
    '+',
    'e5',
    '1e',
    '1,5',
    '1 000',
    '0x1f',
    'Infinity',
    'NaN',
    '1_000',
    '1.2.3',
    '٣',
    '1'.repeat(65),
  ])('%j is none', (text) => {
    expect(readDecimal(text)).toBeUndefined()
  })

  it('whatever JavaScript writes for a number is read as that number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readDecimal(String(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })
})

describe('a whole number', () => {
  it.each([
    ['3', 3],
    ['+3', 3],
    ['3.0', 3],
    ['3.', 3],
    ['-2', -2],
  ])('%s is read', (text, value) => {
    expect(readWholeNumber(text)).toBe(value)
  })

  it.each(['1.5', '1e1', '1e300', 'x', ''])('%j is none', (text) => {
    expect(readWholeNumber(text)).toBeUndefined()
  })
})
