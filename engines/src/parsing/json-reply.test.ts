import { describe, expect, it } from 'vitest'
import { parseTimestamp } from './dates.ts'
import { asArray, asDescription, asObject, asString, asTitle, hitsOf, openSearchCompletions } from './json-reply.ts'

describe('readers', () => {
  it.each([undefined, null, 7, true, ['x']])('read %j as an empty record and an empty text', (value) => {
    expect(asObject(value)).toEqual({})
    expect([asTitle(value), asDescription(value), asString(value)]).toEqual(['', '', ''])
  })

  it.each([undefined, null, 7, 'x', { length: 1 }])('read %j as an empty list', (value) => {
    expect(asArray(value)).toEqual([])
  })

  it('keep titles to 300 and descriptions to 1000 characters', () => {
    expect(asTitle('x'.repeat(5000))).toHaveLength(300)
    expect(asDescription('x'.repeat(5000))).toHaveLength(1000)
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
    expect(parseTimestamp(given)).toBe(expected)
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
    expect(parseTimestamp(given)).toBe(undefined)
  })
})

describe('hitsOf', () => {
  const read = (result: Readonly<Record<string, unknown>>) => asString(result['url']) || undefined

  it('drops the results that cannot be read and keeps the order of the others', () => {
    expect(hitsOf([{ url: 'b' }, 7, {}, { url: 'a' }], read)).toEqual(['b', 'a'])
  })

  it('does not pass a list of which nothing can be read off as "no results"', () => {
    expect(hitsOf([], read)).toEqual([])
    expect(() => hitsOf([7, {}], read)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})

const completionsIn = (body: string, status = 200) => openSearchCompletions({ status, headers: {}, body })

describe('openSearchCompletions', () => {
  it('keeps the order and drops anything but text', () => {
    expect(completionsIn('["b",["b two","b one",null,7,"  "],[""],{}]')).toEqual(['b two', 'b one'])
  })

  it('is none when the provider knows none', () => {
    expect(completionsIn('["b",[]]')).toEqual([])
  })

  it.each(['', '[]', '["b"]', '["b",{}]', '["b",[7]]', '["b",["c"]', '{"1":["c"]}', '<html>'])(
    'is malformed, never none, for %j',
    (body) => {
      expect(() => completionsIn(body)).toThrow(expect.objectContaining({ kind: 'malformed', cause: undefined }))
    },
  )

  it('is the error that the status amounts to', () => {
    expect(() => completionsIn('["b",["c"]]', 429)).toThrow(expect.objectContaining({ kind: 'throttled' }))
  })
})
