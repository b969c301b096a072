import { describe, expect, it } from 'vitest'
import { openmeteo } from './openmeteo.ts'
import { askProvider } from './provider-testing.ts'

interface ForecastReply {
  timezone: string
  utc_offset_seconds: number
  current: Record<string, number | string>
  hourly: Record<string, unknown[]>
  daily: Record<string, unknown[]>
  error?: boolean
  reason?: string
}

const PARIS = { latitude: '48.85', longitude: '2.35', timezone: 'auto' }
const ask = (query: Record<string, string>) => askProvider<ForecastReply>(openmeteo, { path: '/v1/forecast', query })

describe('Open-Meteo in the sandbox', () => {
  it('200: exactly the requested variables, in local time without an offset', () => {
    const { status, json } = ask({ ...PARIS, current: 'temperature_2m,weather_code', daily: 'temperature_2m_max' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ timezone: 'Europe/Paris', utc_offset_seconds: 3600 })
    expect(Object.keys(json.current)).toEqual(['time', 'interval', 'temperature_2m', 'weather_code'])
    expect(json.current['time']).toBe('2026-11-14T13:00')
    expect(Object.keys(json.daily)).toEqual(['time', 'temperature_2m_max'])
    expect(json.daily['time']).toHaveLength(7)
    expect(json.daily['time']?.[0]).toBe('2026-11-14')
  })

  it('has as many days as requested, and columns of that length that may end in null', () => {
    const { json } = ask({ ...PARIS, daily: 'weather_code,precipitation_probability_max', forecast_days: '8' })
    expect(json.daily['weather_code']).toHaveLength(8)
    expect(json.daily['precipitation_probability_max']?.at(-1)).toBeNull()
  })

  it('has every hour of those days', () => {
    const { json } = ask({ ...PARIS, hourly: 'temperature_2m,precipitation_probability', forecast_days: '2' })
    expect(json.hourly['time']?.[0]).toBe('2026-11-14T00:00')
    expect(json.hourly['temperature_2m']).toHaveLength(48)
  })

  it('is colder at the pole than at the equator', () => {
    const at = (latitude: string) => ask({ latitude, longitude: '0', current: 'temperature_2m' }).json.current
    expect(Number(at('80')['temperature_2m'])).toBeLessThan(Number(at('0')['temperature_2m']))
  })

  it.each([
    { longitude: '2' },
    { latitude: '91', longitude: '2' },
    { latitude: 'north', longitude: '2' },
    { latitude: '1', longitude: '181' },
    { latitude: '1', longitude: '2', daily: 'weather_code' },
    { latitude: '1', longitude: '2', current: 'temperature' },
    { latitude: '1', longitude: '2', timezone: 'Europe/Nowhere' },
    { latitude: '1', longitude: '2', forecast_days: '17' },
  ] as Record<string, string>[])('400: %o', (query) => {
    const { status, json } = ask(query)
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: true, reason: expect.any(String) })
  })
})
