import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { euroRates, frankfurter, rateSeries } from './frankfurter.ts'

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

  describe('a series', () => {
    const query = { base: 'USD', quote: 'EUR', from: '2026-11-10', to: '2026-11-13' }
    const parseSeries = (body: unknown, status = 200) =>
      rateSeries.parse({ status, headers: {}, body: JSON.stringify(body) }, { query, now: NOW })

    it('is requested for a pair and its days', () => {
      expect(rateSeries.request(query, { baseUrl: '' }).path).toBe(
        '/v2/rates?base=USD&quotes=EUR&from=2026-11-10&to=2026-11-13',
      )
      expect(rateSeries.keyOf(query)).not.toBe(rateSeries.keyOf({ ...query, to: '2026-11-12' }))
    })

    it('has one rate a day, oldest first, of the days and the pair that were asked for', () => {
      const found = rateSeries.parse(readFixture('frankfurter-series', 'sources'), { query, now: NOW })
      expect(found).toEqual([
        { date: '2026-11-10', rate: '0.8611' },
        { date: '2026-11-12', rate: '0.8633' },
        { date: '2026-11-13', rate: '0.86445' },
      ])
      expect(rateSeries.schema.parse(found)).toEqual(found)
    })

    it('is empty for a currency that it does not know, and of bounded length', () => {
      expect(parseSeries({ message: 'invalid currency' }, 422)).toEqual([])
      const days = Array.from({ length: 5000 }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
      const rows = days.map((date) => ({ date, base: 'USD', quote: 'EUR', rate: 1 }))
      const all = { ...query, from: '1970-01-01', to: '2026-11-13' }
      const reply = { status: 200, headers: {}, body: JSON.stringify(rows) }
      expect(rateSeries.parse(reply, { query: all, now: NOW })).toHaveLength(400)
    })

    it('an outage or an unreadable reply is an error', () => {
      expect(() => parseSeries({}, 503)).toThrow(expect.objectContaining({ kind: 'unreachable' }))
      expect(() => parseSeries([{ date: '2026-11-10', base: 'USD', quote: 'EUR', rate: null }])).toThrow(
        expect.objectContaining({ kind: 'malformed' }),
      )
    })
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
