import { describe, expect, it } from 'vitest'
import { hoursChart } from './weather-hours.ts'

const FORMATS = {
  clock: (time: string) => time.slice(11),
  degrees: (value: number) => `${value}°`,
  percent: (value: number) => `${value}%`,
  words: { hours: 'Hours', time: 'Time', temperature: 'Warmth', rain: 'Rain' },
}

const hour = (number: number, temperature: number | null, chance: number | null) => ({
  time: `2026-11-15T${String(number).padStart(2, '0')}:00`,
  temperature,
  precipitation_probability: chance,
})

const show = (hours: Parameters<typeof hoursChart>[0]): string => (hoursChart(hours, FORMATS) || { text: '' }).text

describe('the hours of a forecast', () => {
  it('are a line from the lowest to the highest temperature, a bar for rain, and a table', () => {
    const shown = show([hour(1, 10, 0), hour(2, 20, 50), hour(3, 15, 100)])
    expect(shown).toContain('d="M5 52L15 8L25 30"')
    expect(shown.match(/<rect [^>]*>/g)).toEqual([
      '<rect class="hours-rain" x="11" y="30" width="8" height="30"/>',
      '<rect class="hours-rain" x="21" y="0" width="8" height="60"/>',
    ])
    expect(shown).toContain('<span dir="auto">02:00 · 20° · Rain 50%</span>')
    expect(shown).toContain('<tr><th scope="row">02:00</th><td class="number">50%</td><td class="number">20°</td></tr>')
  })

  it('have one tab stop, on the first hour', () => {
    const shown = show([hour(1, 10, 0), hour(2, 20, 50)])
    expect(shown.match(/<input type="radio" name="hour" aria-label="[^"]+" checked>/g)).toHaveLength(1)
    expect(shown.match(/<input type="radio" name="hour" aria-label="[^"]+">/g)).toHaveLength(1)
  })

  it('break the line where a temperature is missing, and say nothing of what isn’t known', () => {
    const shown = show([hour(1, 10, null), hour(2, null, null), hour(3, 10, 5)])
    expect(shown).toContain('d="M5 30M25 30"')
    expect(shown).toContain('<span dir="auto">02:00</span>')
  })

  it('aren’t drawn from fewer than two temperatures', () => {
    expect(show([])).toBe('')
    expect(show([hour(1, 10, 5), hour(2, null, 5)])).toBe('')
  })
})
