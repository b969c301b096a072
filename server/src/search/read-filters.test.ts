import { describe, expect, it } from 'vitest'
import { readDay, readDomains } from './read-filters.ts'

describe('readDomains', () => {
  it.each([
    ['example.org', 'example.org'],
    ['WWW.Example.ORG', 'example.org'],
    ['https://www.example.org/path?q#f', 'example.org'],
    ['http://example.org:8080/', 'example.org'],
    ['*.example.co.uk', 'example.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('reads %s', (text, domain) => expect(readDomains([text])).toEqual([domain]))

  it.each([
    '',
    'example',
    'exa mple.org',
    'site:example.org',
    '.org',
    'a..b',
    'javascript:alert(1)',
    `${'a'.repeat(64)}.org`,
  ])('refuses %j', (text) => expect(readDomains([text])).toBeUndefined())

  it('sorts them, each once', () => expect(readDomains(['b.org', 'a.org', 'www.b.org'])).toEqual(['a.org', 'b.org']))
})

describe('readDay', () => {
  const NOON = '2026-11-07T12:00:00Z'
  it('is the first or last millisecond of a day in UTC', () => {
    expect(new Date(readDay('2026-11-07', 'first') ?? 0).toISOString()).toBe('2026-11-07T00:00:00.000Z')
    expect(new Date(readDay('2026-11-07', 'last') ?? 0).toISOString()).toBe('2026-11-07T23:59:59.999Z')
  })
  it('is a moment in any zone', () => {
    expect(readDay(NOON, 'first')).toBe(Date.parse(NOON))
    expect(readDay('2026-11-07T14:00:00+02:00', 'last')).toBe(Date.parse(NOON))
  })
  it.each(['', '2026', '2026-13-01', '2026-02-30', '07.11.2026', '11/07/2026', '2026-11-07T12:00', 'yesterday'])(
    'refuses %j',
    (text) => expect(readDay(text, 'first')).toBeUndefined(),
  )
})
