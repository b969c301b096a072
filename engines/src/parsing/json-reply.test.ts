import { describe, expect, it } from 'vitest'
import { description, hitsOf, list, moment, record, title, word } from './json-reply.ts'

describe('readers', () => {
  it.each([undefined, null, 7, true, ['x']])('read %j as an empty record and an empty text', (value) => {
    expect(record(value)).toEqual({})
    expect([title(value), description(value), word(value)]).toEqual(['', '', ''])
  })

  it.each([undefined, null, 7, 'x', { length: 1 }])('read %j as an empty list', (value) => {
    expect(list(value)).toEqual([])
  })

  it('keep titles to 300 and descriptions to 1000 characters', () => {
    expect(title('x'.repeat(5000))).toHaveLength(300)
    expect(description('x'.repeat(5000))).toHaveLength(1000)
  })
})

describe('moment', () => {
  it.each([
    ['2026-11-12T08:00:00', Date.UTC(2026, 10, 12, 8)],
    ['2026-11-12T08:00:00Z', Date.UTC(2026, 10, 12, 8)],
    ['2026-11-12T08:00:00.250Z', Date.UTC(2026, 10, 12, 8, 0, 0, 250)],
    ['2026-11-12T08:00:00+02:00', Date.UTC(2026, 10, 12, 6)],
    ['2026-11-12T08:00:00-05:30', Date.UTC(2026, 10, 12, 13, 30)],
    ['2026-11-12 08:00:00', Date.UTC(2026, 10, 12, 8)],
    ['2026-11-12', Date.UTC(2026, 10, 12)],
    [1_790_800_000, 1_790_800_000_000],
    ['1790800000', 1_790_800_000_000],
  ])('reads %j whatever the zone of this machine', (given, expected) => {
    expect(moment(given)).toBe(expected)
  })

  it.each([
    undefined,
    null,
    '',
    0,
    -5,
    '0',
    1e300,
    Number.NaN,
    '0001-01-01',
    '2026-99-99',
    'February 12, 2025',
    '2 days ago',
    {},
  ])('knows no date in %j', (given) => {
    expect(moment(given)).toBe(undefined)
  })
})

describe('hitsOf', () => {
  const read = (result: Readonly<Record<string, unknown>>) => word(result['url']) || undefined

  it('drops the results that cannot be read and keeps the order of the others', () => {
    expect(hitsOf([{ url: 'b' }, 7, {}, { url: 'a' }], read)).toEqual(['b', 'a'])
  })

  it('does not pass a list of which nothing can be read off as "no results"', () => {
    expect(hitsOf([], read)).toEqual([])
    expect(() => hitsOf([7, {}], read)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})
