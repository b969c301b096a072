// Open-Meteo: current weather and a week's forecast, by day and by hour, worldwide. JSON over HTTP, no key on the free host, which is for
// non-commercial use; a paid plan has its own URL and a key. Its times are local and carry no offset. Its columns may
// contain null. We request twelve variables, which count as 1.2 calls, so the rate limit is below the host's. Everything is
// in metric units and converted for display, so that one cached answer serves all users.
import { z } from 'zod'
import { asArray, asObject, asString, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { secret, setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const FORECAST_DAYS = 7
/** One more when the clocks go back. */
const MAX_HOURS = FORECAST_DAYS * 24 + 1
const CURRENT = 'temperature_2m,relative_humidity_2m,apparent_temperature,is_day,weather_code,wind_speed_10m'
const HOURLY = 'temperature_2m,precipitation_probability'
const DAILY = 'weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max'

const settings = {
  baseUrl: setting('OPENMETEO_URL', 'https://api.open-meteo.com'),
  apiKey: secret('OPENMETEO_API_KEY', ''),
}

const Figure = z.number().nullable()

const Forecast = z.object({
  /** An IANA name, or '' if the reply has none that looks like one. */
  zone: z.string(),
  current: z.object({
    /** Local time without an offset: 2026-11-14T22:45. */
    time: z.string(),
    /** °C */
    temperature: Figure,
    /** °C */
    feelsLike: Figure,
    /** % */
    humidity: Figure,
    /** km/h */
    wind: Figure,
    /** WMO code 4677. */
    code: Figure,
    isDay: z.boolean(),
  }),
  /** Today first. */
  days: z.array(
    z.object({
      date: z.string(),
      code: Figure,
      /** °C */
      high: Figure,
      /** °C */
      low: Figure,
      /** % */
      precipitation: Figure,
    }),
  ),
  /** From midnight of the first day. */
  hours: z.array(
    z.object({
      /** Local time without an offset. */
      time: z.string(),
      /** °C */
      temperature: Figure,
      /** % */
      precipitation: Figure,
    }),
  ),
})
export type Forecast = z.infer<typeof Forecast>

export interface ForecastQuery {
  latitude: number
  longitude: number
}

/**
 * Two decimals are about a kilometre: finer than the forecast, and coarse enough for neighbours to share a cache entry.
 */
const rounded = (degrees: number): string => degrees.toFixed(2).replace(/^-0\.00$/, '0.00')

const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const matching = (value: unknown, pattern: RegExp): string => (pattern.test(asString(value)) ? asString(value) : '')

const ZONE = /^[A-Za-z][A-Za-z_]{1,20}(?:\/[A-Za-z0-9_+-]{1,30}){0,2}$/
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/
const LOCAL_DATE = /^\d{4}-\d{2}-\d{2}$/

function readCurrent(value: unknown): Forecast['current'] {
  const current = asObject(value)
  return {
    time: matching(current['time'], LOCAL_TIME),
    temperature: numberOrNull(current['temperature_2m']),
    feelsLike: numberOrNull(current['apparent_temperature']),
    humidity: numberOrNull(current['relative_humidity_2m']),
    wind: numberOrNull(current['wind_speed_10m']),
    code: numberOrNull(current['weather_code']),
    isDay: current['is_day'] !== 0,
  }
}

function readDays(value: unknown): Forecast['days'] {
  const daily = asObject(value)
  const column = (name: string) => asArray(daily[name])
  const [codes, highs, lows, chances] = [
    column('weather_code'),
    column('temperature_2m_max'),
    column('temperature_2m_min'),
    column('precipitation_probability_max'),
  ]
  return column('time')
    .slice(0, FORECAST_DAYS)
    .map((time, index) => ({
      date: matching(time, LOCAL_DATE),
      code: numberOrNull(codes[index]),
      high: numberOrNull(highs[index]),
      low: numberOrNull(lows[index]),
      precipitation: numberOrNull(chances[index]),
    }))
    .filter(({ date }) => date !== '')
}

function readHours(value: unknown): Forecast['hours'] {
  const hourly = asObject(value)
  const column = (name: string) => asArray(hourly[name])
  const [temperatures, chances] = [column('temperature_2m'), column('precipitation_probability')]
  return column('time')
    .slice(0, MAX_HOURS)
    .map((time, index) => ({
      time: matching(time, LOCAL_TIME),
      temperature: numberOrNull(temperatures[index]),
      precipitation: numberOrNull(chances[index]),
    }))
    .filter(({ time }) => time !== '')
}

const requestFor = (query: ForecastQuery, apiKey: string, extras: Record<string, string | number>) =>
  getJson('/v1/forecast', {
    latitude: rounded(query.latitude),
    longitude: rounded(query.longitude),
    ...extras,
    apikey: apiKey || undefined,
  })

export const openMeteoForecast = defineCall<typeof settings>()({
  name: 'forecast',
  keepSeconds: 900,
  keyOf: ({ latitude, longitude }: ForecastQuery) => `${rounded(latitude)} ${rounded(longitude)}`,
  request: (query, { apiKey }) =>
    requestFor(query, apiKey, {
      current: CURRENT,
      hourly: HOURLY,
      daily: DAILY,
      timezone: 'auto',
      forecast_days: FORECAST_DAYS,
    }),
  parse: (reply, { now }): Forecast => {
    const body = jsonReply(reply, { now })
    const current = readCurrent(body['current'])
    const days = readDays(body['daily'])
    if (current.temperature === null && days.every(({ high }) => high === null)) {
      throw new UpstreamError('malformed', 'The provider answered with no forecast.')
    }
    return { zone: matching(body['timezone'], ZONE), current, days, hours: readHours(body['hourly']) }
  },
  schema: Forecast,
})

export const openmeteo = defineSource({
  slug: 'openmeteo',
  name: 'Open-Meteo',
  homepage: 'https://open-meteo.com',
  group: 'weather',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    // The wording is unverified; the licence, CC BY 4.0, is verified.
    attribution: 'Weather data by Open-Meteo.com, CC BY 4.0',
    rateLimit: { calls: 500, perSeconds: 60 },
    rateLimitedHost: 'api.open-meteo.com',
  },
  probe: {
    request: (_query, { apiKey }) =>
      requestFor({ latitude: 52.52, longitude: 13.41 }, apiKey, { current: 'temperature_2m' }),
    parse: (reply, { now }) => {
      if (numberOrNull(asObject(jsonReply(reply, { now })['current'])['temperature_2m']) === null) {
        throw new UpstreamError('malformed', 'The provider answered with no temperature.')
      }
    },
  },
})
