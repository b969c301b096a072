// Open-Meteo: `GET /v1/forecast`, keyless: the weather at a point, made up from its latitude, the season and chance,
// the same for the same day. Times are local and without offset; columns are parallel lists and may contain null. Our
// own choice: the texts of errors, and that a point far from every town has the zone of its longitude.
import { fraction, hash } from '../corpus/random.ts'
import { TOWNS } from '../corpus/towns.ts'
import { openMeteoError, openMeteoFailures } from './openmeteo-errors.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'
import { MS_A_DAY, MS_AN_HOUR } from './wire-time.ts'

const CODES = [0, 1, 2, 3, 3, 45, 51, 61, 63, 80, 95]
const SNOW_CODES = [3, 45, 71, 73, 85]

const CURRENT_UNITS: Readonly<Record<string, string>> = {
  temperature_2m: '°C',
  relative_humidity_2m: '%',
  apparent_temperature: '°C',
  is_day: '',
  precipitation: 'mm',
  weather_code: 'wmo code',
  cloud_cover: '%',
  wind_speed_10m: 'km/h',
  wind_direction_10m: '°',
}
const HOURLY_UNITS: Readonly<Record<string, string>> = {
  temperature_2m: '°C',
  precipitation_probability: '%',
  weather_code: 'wmo code',
}
const DAILY_UNITS: Readonly<Record<string, string>> = {
  weather_code: 'wmo code',
  temperature_2m_max: '°C',
  temperature_2m_min: '°C',
  precipitation_sum: 'mm',
  precipitation_probability_max: '%',
}

export const openmeteo = defineProvider({
  slug: 'openmeteo',
  key: '',
  readsHeaders: [],
  optionalMembers: [
    'elevation',
    'relative_humidity_2m',
    'apparent_temperature',
    'is_day',
    'wind_speed_10m',
    'precipitation_probability_max',
    'precipitation_probability',
  ],
  answer(request) {
    if (request.method !== 'GET' || request.path !== '/v1/forecast') return undefined
    return forecast(request)
  },
  ...openMeteoFailures,
})

interface Asked {
  latitude: number
  longitude: number
  zone: string
  now: number
}

function forecast({ query, now }: ProviderRequest): ProviderReply {
  const [latitude, longitude] = [readDegrees(query, 'latitude', 90), readDegrees(query, 'longitude', 180)]
  const days = readInteger(query, 'forecast_days', { from: 0, to: 16, fallback: 7 })
  const current = readNames(query, 'current')
  const hourly = readNames(query, 'hourly')
  const daily = readNames(query, 'daily')
  if (latitude === undefined) return openMeteoError('Latitude must be in range of -90 to 90°.')
  if (longitude === undefined) return openMeteoError('Longitude must be in range of -180 to 180°.')
  if (days === undefined) return openMeteoError('Forecast days is invalid. Allowed range 0 to 16.')
  const unknown =
    current.find((name) => !Object.hasOwn(CURRENT_UNITS, name)) ??
    hourly.find((name) => !Object.hasOwn(HOURLY_UNITS, name)) ??
    daily.find((name) => !Object.hasOwn(DAILY_UNITS, name))
  if (unknown !== undefined) return openMeteoError(`Data corrupted: unknown variable ${unknown}.`)
  if (daily.length > 0 && !query.has('timezone')) return openMeteoError('Timezone is required')
  const zone = readZone(query.get('timezone') ?? 'GMT', latitude, longitude)
  if (zone === undefined) return openMeteoError('Invalid timezone')
  const asked = { latitude, longitude, zone, now }
  return {
    status: 200,
    json: {
      ...head(asked),
      ...(current.length > 0 && currentPart(asked, current)),
      ...(hourly.length > 0 && hourlyPart(asked, hourly, days)),
      ...(daily.length > 0 && dailyPart(asked, daily, days)),
    },
  }
}

function readDegrees(query: URLSearchParams, name: string, most: number): number | undefined {
  const given = query.get(name) ?? ''
  const value = /^-?\d{1,3}(?:\.\d{1,15})?$/.test(given) ? Number(given) : Number.NaN
  return Math.abs(value) <= most ? value : undefined
}

const readNames = (query: URLSearchParams, name: string): string[] =>
  query.getAll(name).flatMap((names) => names.split(',').filter((part) => part !== ''))

/** The zone of the nearest town within two degrees, else that of the longitude. */
function readZone(asked: string, latitude: number, longitude: number): string | undefined {
  if (asked !== 'auto') return isZone(asked) ? asked : undefined
  const near = TOWNS.find(
    (town) => town.zone !== '' && Math.hypot(town.latitude - latitude, town.longitude - longitude) < 2,
  )
  const hours = Math.round(longitude / 15)
  return near?.zone ?? (hours === 0 ? 'GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`)
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Local time as if it were UTC, for the date functions that only know UTC. */
function onTheWall(now: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    now,
  )
  return Date.parse(`${parts.replace(' ', 'T')}Z`)
}

const head = ({ latitude, longitude, zone, now }: Asked) => {
  const offset = (onTheWall(now, zone) - now) / 1000
  return {
    // The coordinates of the grid cell.
    latitude: Math.round(latitude * 50) / 50,
    longitude: Math.round(longitude * 50) / 50,
    generationtime_ms: 0.21,
    utc_offset_seconds: offset,
    timezone: zone,
    timezone_abbreviation: offset === 0 ? 'GMT' : `GMT${offset > 0 ? '+' : ''}${offset / 3600}`,
    elevation: 10 + Math.round(Math.abs(latitude)),
  }
}

interface Weather {
  high: number
  low: number
  code: number
  chance: number
  humidity: number
  wind: number
}

/** The weather of one local day. Warm at the equator, cold at the poles, warmer in the hemisphere's summer. */
function weatherOf({ latitude, longitude }: Asked, wall: number): Weather {
  const date = new Date(wall).toISOString().slice(0, 10)
  const state = hash(`weather ${Math.round(latitude)} ${Math.round(longitude)} ${date}`)
  const month = new Date(wall).getUTCMonth() + 0.5
  const season = -Math.cos((month / 12) * 2 * Math.PI) * Math.sign(latitude) * (Math.abs(latitude) / 5)
  const mean = 28 - Math.abs(latitude) * 0.42 + season + (fraction(state, 1) - 0.5) * 6
  const codes = mean < 0 ? SNOW_CODES : CODES
  const code = codes[Math.floor(fraction(state, 2) * codes.length)] ?? 3
  return {
    high: tenth(mean + 3 + fraction(state, 3) * 2),
    low: tenth(mean - 3 - fraction(state, 4) * 2),
    code,
    chance: code >= 51 ? 60 + Math.round(fraction(state, 5) * 40) : Math.round(fraction(state, 5) * 30),
    humidity: 50 + Math.round(fraction(state, 6) * 45),
    wind: tenth(2 + fraction(state, 7) * 25),
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Coldest at three at night. */
const temperatureAt = (hour: number, low: number, high: number): number =>
  tenth(low + ((high - low) * (1 - Math.cos(((hour - 3) / 24) * 2 * Math.PI))) / 2)

function currentPart(asked: Asked, names: readonly string[]) {
  const wall = onTheWall(asked.now, asked.zone)
  const { high, low, code, chance, humidity, wind } = weatherOf(asked, wall)
  const hour = new Date(wall).getUTCHours()
  const temperature = temperatureAt(hour, low, high)
  const values: Readonly<Record<string, number>> = {
    temperature_2m: temperature,
    relative_humidity_2m: humidity,
    apparent_temperature: tenth(temperature - wind / 8),
    is_day: hour >= 7 && hour < 18 ? 1 : 0,
    precipitation: code >= 51 ? 0.4 : 0,
    weather_code: code,
    cloud_cover: Math.min(100, chance + 20),
    wind_speed_10m: wind,
    wind_direction_10m: (humidity * 7) % 360,
  }
  const time = new Date(wall).toISOString().slice(0, 16)
  return {
    current_units: { time: 'iso8601', interval: 'seconds', ...picked(CURRENT_UNITS, names) },
    current: { time, interval: 900, ...picked(values, names) },
  }
}

function hourlyPart(asked: Asked, names: readonly string[], days: number) {
  const wall = onTheWall(asked.now, asked.zone)
  const midnight = wall - (wall % MS_A_DAY)
  const hours = Array.from({ length: days * 24 }, (_, index) => {
    const at = midnight + index * MS_AN_HOUR
    const { high, low, code, chance } = weatherOf(asked, at)
    const hour = index % 24
    return {
      time: new Date(at).toISOString().slice(0, 16),
      temperature: temperatureAt(hour, low, high),
      // Most likely in the afternoon.
      chance: Math.round(chance * (1 - Math.abs(hour - 15) / 24)),
      code,
    }
  })
  const columns: Readonly<Record<string, (number | null)[]>> = {
    temperature_2m: hours.map(({ temperature }) => temperature),
    precipitation_probability: hours.map(({ chance }, index) => (index >= 6 * 24 ? null : chance)),
    weather_code: hours.map(({ code }) => code),
  }
  return {
    hourly_units: { time: 'iso8601', ...picked(HOURLY_UNITS, names) },
    hourly: { time: hours.map(({ time }) => time), ...picked(columns, names) },
  }
}

function dailyPart(asked: Asked, names: readonly string[], count: number) {
  const wall = onTheWall(asked.now, asked.zone)
  const walls = Array.from({ length: count }, (_, index) => wall + index * MS_A_DAY)
  const days = walls.map((at) => weatherOf(asked, at))
  const columns: Readonly<Record<string, (number | null)[]>> = {
    weather_code: days.map(({ code }) => code),
    temperature_2m_max: days.map(({ high }) => high),
    temperature_2m_min: days.map(({ low }) => low),
    precipitation_sum: days.map(({ code, chance }) => (code >= 51 ? tenth(chance / 20) : 0)),
    // The models end before the last day does.
    precipitation_probability_max: days.map(({ chance }, index) => (index >= 6 ? null : chance)),
  }
  return {
    daily_units: { time: 'iso8601', ...picked(DAILY_UNITS, names) },
    daily: { time: walls.map((at) => new Date(at).toISOString().slice(0, 10)), ...picked(columns, names) },
  }
}

const picked = <Value>(from: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
