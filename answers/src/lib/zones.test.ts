import { describe, expect, it } from 'vitest'
import { readTimeZone, readZone, writeOffset } from './zones.ts'

describe('a time zone in words', () => {
  it.each([
    ['utc', 'UTC', '+00:00'],
    ['pst', 'PST', '-08:00'],
    ['mesz', 'MESZ', '+02:00'],
    ['et', 'ET', 'America/New_York'],
    ['pacific time', 'Pacific time', 'America/Los_Angeles'],
    ['california', 'California', 'America/Los_Angeles'],
    ['utc+5:30', 'UTC+5:30', '+05:30'],
    ['gmt-3', 'UTC-3', '-03:00'],
    ['utc −4', 'UTC-4', '-04:00'],
    ['+02:00', 'UTC+2', '+02:00'],
    ['utc+0', 'UTC', '+00:00'],
    ['europe/berlin', 'Europe/Berlin', 'Europe/Berlin'],
    ['america/argentina/ushuaia', 'America/Argentina/Ushuaia', 'America/Argentina/Ushuaia'],
  ])('%j is %s', (text, label, zone) => {
    expect(readZone(text)).toEqual({ label, zone })
  })

  it.each(['', 'utc+15', 'utc+5:75', 'europe/nowhere', 'paris', 'x', '5', '12:30'])('%j is not a time zone', (text) => {
    expect(readZone(text)).toBeUndefined()
  })

  it('an offset is written as short as possible', () => {
    expect(['+05:30', '-08:00', '+00:00', '+12:45'].map(writeOffset)).toEqual(['+5:30', '-8', '', '+12:45'])
  })
})

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
  ])('%j is not a time zone', (text) => {
    expect(readTimeZone(text)).toBeUndefined()
  })
})
