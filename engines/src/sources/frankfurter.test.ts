import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { euroRates, frankfurter } from './frankfurter.ts'

const NOW = Date.UTC(2026, 10, 15)
const asked = { query: ['KWD', 'VND'], now: NOW }
const parse = (body: unknown, status = 200) =>
  euroRates.parse({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }, asked)
const ROW = { date: '2026-11-13', base: 'EUR', quote: 'KWD', rate: 0.3521 }

describe('frankfurter', () => {
  it('requests all currencies in one call, sorted', () => {
    const path = '/v2/rates?base=EUR&quotes=KWD%2CVND'
    expect(euroRates.request(['VND', 'KWD'], { baseUrl: '' })).toEqual({
      path,
      headers: { accept: 'application/json' },
    })
    expect(euroRates.keyOf(['VND', 'KWD'])).toBe(euroRates.keyOf(['KWD', 'VND']))
  })

  it('gives each rate with its own day', () => {
    const found = euroRates.parse(readFixture('frankfurter-rates', 'sources'), asked)
    expect(found).toEqual([
      { code: 'KWD', date: '2026-11-13', rate: '0.3521' },
      { code: 'VND', date: '2026-11-12', rate: '30411.5' },
    ])
    expect(euroRates.schema.parse(found)).toEqual(found)
  })

  it('has no rate of a currency it does not know, and that is an answer', () => {
    expect(euroRates.parse(readFixture('frankfurter-refusal', 'sources'), asked)).toEqual([])
    expect(parse({ message: 'not found' }, 404)).toEqual([])
    expect(parse([])).toEqual([])
  })

  it('leaves out rows that cannot be read, unless that is all of them', () => {
    const wrong = [null, 7, { ...ROW, base: 'USD' }, { ...ROW, rate: '1' }, { ...ROW, rate: 0 }, { ...ROW, date: 'x' }]
    expect(parse([...wrong, ROW])).toHaveLength(1)
    expect(() => parse(wrong)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    ['a web page', '<html>', 200, 'malformed'],
    ['an object', '{}', 200, 'malformed'],
    ['a cut-off list', '[{"date":"2026-', 200, 'malformed'],
    ['nothing', '', 200, 'malformed'],
    ['a 404 that is not its own', '<html>', 404, 'rejected'],
    ['a 503', '{"message":"unavailable"}', 503, 'unreachable'],
  ])('%s is an error', (...row) => {
    const [, body, status, kind] = row
    expect(() => parse(body, status)).toThrow(expect.objectContaining({ kind }))
  })

  it('the probe requires a rate', () => {
    const { probe } = frankfurter
    const check = (body: unknown) =>
      probe?.parse({ status: 200, headers: {}, body: JSON.stringify(body) }, { query: null, now: NOW })
    expect(probe?.request(null, { baseUrl: '' }).path).toBe('/v2/rates?base=EUR&quotes=USD')
    expect(() => check([{ ...ROW, quote: 'USD' }])).not.toThrow()
    expect(() => check([])).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})
