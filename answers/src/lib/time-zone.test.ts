import { describe, expect, it } from 'vitest'
import { readTimeZone } from './time-zone.ts'

describe('the name of a time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['UTC', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('%s is %s', (text, name) => {
    expect([readTimeZone(text), readTimeZone(text)]).toEqual([name, name])
  })

  it.each([
    '',
    ' ',
    'Berlin',
    'Europe/Atlantis',
    '+05:30',
    '-08',
    '5',
    'Europe/Berlin ',
    'a'.repeat(500),
    'UTC\n',
    '../UTC',
  ])('%j is none', (text) => {
    expect(readTimeZone(text)).toBeUndefined()
  })
})
