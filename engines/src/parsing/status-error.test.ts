import { describe, expect, it } from 'vitest'
import { numberInHeader, statusError } from './status-error.ts'

const NOW = Date.UTC(2026, 10, 14, 12)

const waitFor = (retryAfter: string | string[] | undefined) =>
  statusError({ status: 429, headers: { 'retry-after': retryAfter }, body: '' }, NOW).retryAfterSeconds

describe('statusError', () => {
  it.each([
    ['17', 17],
    ['0.2', 1],
    [' 17 ', 17],
    [['17', '30'], 17],
    ['Sat, 14 Nov 2026 12:01:30 GMT', 90],
  ])('understands Retry-After: %s', (header, seconds) => {
    expect(waitFor(header)).toBe(seconds)
  })

  it.each([undefined, '', '0', '-3', 'soon', '1e99', 'Sat, 14 Nov 2026 11:00:00 GMT', []])(
    'does not believe Retry-After: %j',
    (header) => {
      expect(waitFor(header)).toBe(undefined)
    },
  )

  it.each([
    [400, 'rejected'],
    [404, 'rejected'],
    [422, 'rejected'],
    [403, 'blocked'],
    [451, 'blocked'],
    [502, 'unreachable'],
    [504, 'unreachable'],
    [302, 'malformed'],
  ])('takes status %i for %s', (status, kind) => {
    expect(statusError({ status, headers: {}, body: '' }, NOW).kind).toBe(kind)
  })
})

it('a 403 with a wait asks for fewer calls', () => {
  const reply = { status: 403, headers: { 'retry-after': '60' }, body: '' }
  expect(statusError(reply, NOW)).toMatchObject({ kind: 'throttled', retryAfterSeconds: 60 })
  expect(statusError({ ...reply, headers: { 'retry-after': '0' } }, NOW).kind).toBe('blocked')
})

it('a 403 without calls left asks for fewer, until there are some again', () => {
  const reply = {
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW / 1000 + 60}` },
    body: '',
  }
  expect(statusError(reply, NOW)).toMatchObject({ kind: 'throttled', retryAfterSeconds: 60 })
  const late = { ...reply, headers: { ...reply.headers, 'x-ratelimit-reset': '1' } }
  expect(statusError(late, NOW)).toMatchObject({ kind: 'throttled', retryAfterSeconds: undefined })
  const some = { ...reply, headers: { ...reply.headers, 'x-ratelimit-remaining': '1' } }
  expect(statusError(some, NOW).kind).toBe('blocked')
})

describe('numberInHeader', () => {
  it('finds the n-th number or none', () => {
    const reply = { status: 429, headers: { reset: '1, 1419704' }, body: '' }
    expect(numberInHeader(reply, 'reset', 0)).toBe(1)
    expect(numberInHeader(reply, 'reset', 1)).toBe(1_419_704)
    expect(numberInHeader(reply, 'reset', 2)).toBe(Number.NaN)
    expect(numberInHeader(reply, 'other', 0)).toBe(Number.NaN)
  })
})
