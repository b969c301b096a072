import { describe, expect, it } from 'vitest'
import { showAge } from './formats.ts'

const NOW = Date.UTC(2026, 10, 15, 9, 30)
const DAY = 86_400_000

describe('the age of a result', () => {
  it.each([
    ['en', '3 days ago', 'November 12, 2026'],
    ['en-GB', '3 days ago', '12 November 2026'],
    ['de', 'vor 3 Tagen', '12. November 2026'],
    ['fr', 'il y a 3 jours', '12 novembre 2026'],
    ['es', 'hace 3 días', '12 de noviembre de 2026'],
  ] as const)('in %s is "%s", with %s on hover', (locale, age, day) => {
    expect(showAge(NOW - 3 * DAY, { now: NOW, locale })?.text).toBe(
      `<time datetime="2026-11-12T09:30:00.000Z" title="${day}">${age}</time>`,
    )
  })

  it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 1e20])('is not shown of a result dated %s', (at) => {
    expect(showAge(at, { now: NOW, locale: 'en' })).toBeUndefined()
  })
})
