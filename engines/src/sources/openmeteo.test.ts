import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { openMeteoForecast, openmeteo } from './openmeteo.ts'

const SETTINGS = { baseUrl: '', apiKey: '' }
const PARIS = { latitude: 48.85341, longitude: 2.3488 }
const asked = { query: PARIS, now: 0 }

const parse = (body: unknown, status = 200) =>
  openMeteoForecast.parse({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }, asked)

describe('openmeteo requests', () => {
  it('ask for twelve variables in local time, at a point rounded to two decimals', () => {
    expect(openMeteoForecast.request(PARIS, SETTINGS)).toEqual({
      path:
        '/v1/forecast?latitude=48.85&longitude=2.35' +
        '&current=temperature_2m%2Crelative_humidity_2m%2Capparent_temperature%2Cis_day%2Cweather_code%2Cwind_speed_10m' +
        '&hourly=temperature_2m%2Cprecipitation_probability' +
        '&daily=weather_code%2Ctemperature_2m_max%2Ctemperature_2m_min%2Cprecipitation_probability_max' +
        '&timezone=auto&forecast_days=7',
      headers: { accept: 'application/json' },
    })
  })

  it('carry the key of a paid plan', () => {
    expect(openMeteoForecast.request(PARIS, { ...SETTINGS, apiKey: 'k&y' }).path).toMatch(/&apikey=k%26y$/)
  })

  it('share an answer between neighbours, and never write minus zero', () => {
    const key = openMeteoForecast.keyOf({ latitude: -0.001, longitude: 2.3512 })
    expect(key).toBe('0.00 2.35')
    expect(openMeteoForecast.keyOf({ latitude: 0.004, longitude: 2.3488 })).toBe(key)
  })

  it('probe with one variable', () => {
    expect(openmeteo.probe?.request(null, SETTINGS).path).toBe(
      '/v1/forecast?latitude=52.52&longitude=13.41&current=temperature_2m',
    )
  })
})

describe('openmeteo replies', () => {
  it('are read column by column, with null where nothing is known', () => {
    const found = openMeteoForecast.parse(readFixture('openmeteo-forecast', 'sources'), asked)
    expect(found).toEqual({
      zone: 'Europe/Paris',
      current: {
        time: '2026-11-14T22:45',
        temperature: 9.4,
        feelsLike: 7.2,
        humidity: 81,
        wind: 11.2,
        code: 3,
        isDay: false,
      },
      days: [
        { date: '2026-11-14', code: 61, high: 11.2, low: 6.8, precipitation: 88 },
        { date: '2026-11-15', code: null, high: 12.6, low: 7.1, precipitation: null },
      ],
      hours: [
        { time: '2026-11-14T22:00', temperature: 9.6, precipitation: 12 },
        { time: '2026-11-14T23:00', temperature: 9.1, precipitation: null },
      ],
    })
    expect(openMeteoForecast.schema.parse(found)).toEqual(found)
  })

  it('may lack the days or the current weather, but not both', () => {
    expect(parse({ current: { temperature_2m: 0 } })).toMatchObject({ zone: '', days: [], current: { temperature: 0 } })
    expect(parse({ daily: { time: ['2026-11-14'], temperature_2m_max: [3] } }).days).toHaveLength(1)
    expect(() => parse({ latitude: 1 })).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it('of the wrong types are malformed, and strange words in them are dropped', () => {
    expect(() => parse({ current: { temperature_2m: '9' }, daily: { time: 'x' } })).toThrow(
      expect.objectContaining({ kind: 'malformed' }),
    )
    const found = parse({
      timezone: '<b>',
      current: { temperature_2m: 1, time: '<i>' },
      daily: { time: ['<u>'] },
      hourly: { time: ['<s>', 1] },
    })
    expect(found).toMatchObject({ zone: '', current: { time: '' }, days: [], hours: [] })
  })

  it.each([
    ['<html>', 200, 'malformed'],
    ['', 200, 'malformed'],
    ['{"current":{"temper', 200, 'malformed'],
    ['{"error":true,"reason":"Latitude must be in range of -90 to 90°."}', 400, 'rejected'],
    ['<html>', 502, 'unreachable'],
  ])('%j with status %i is %s', (body, status, kind) => {
    expect(() => parse(body, status)).toThrow(expect.objectContaining({ kind }))
  })

  it('429: asks us to slow down', () => {
    expect(() => openMeteoForecast.parse(readFixture('openmeteo-refusal', 'sources'), asked)).toThrow(
      expect.objectContaining({ kind: 'throttled' }),
    )
  })

  it('tell by a temperature that the source is well', () => {
    const well = (body: string) => openmeteo.probe?.parse({ status: 200, headers: {}, body }, { query: null, now: 0 })
    expect(() => well('{"current":{"temperature_2m":0}}')).not.toThrow()
    expect(() => well('{}')).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})
