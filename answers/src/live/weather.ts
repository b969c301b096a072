// The weather at a place, now and for a week: `weather paris`, `wetter berlin morgen`, `weather saturday london`, `will
// it rain in seattle tomorrow`; or at the client's location, if it was shared (`weather`). Metric, or imperial where
// that's customary (`en-US`). A postal code stands for its place (`weather 10115 germany`). A place must follow the trigger. Must not answer: `weather channel app`, `weather
// underground`, `stormy weather`, `el tiempo entre costuras`, `météo à la carte`, `weer naar huis`.
import { type Forecast, openMeteoForecast, openmeteo } from '@bowerbird/engines/sources/openmeteo.ts'
import { z } from 'zod'
import { type AnswerContext, defineAnswer } from '../answer.ts'
import { localLanguage } from '../lib/countries.ts'
import { dateLocale, writeDate } from '../lib/dates.ts'
import { findPlace, type Place, placeAt, placeLabel } from '../lib/places.ts'
import { languagesOf } from '../lib/read-triggers.ts'
import { colonIn, semicolonIn } from '../lib/write-text.ts'
import { type Language, type Question, regionOf } from '../question.ts'
import { readWeather, WEATHER_TRIGGERS, type WeatherMatch } from './weather-triggers.ts'

/** Regions that use Fahrenheit and miles. */
const IMPERIAL_REGIONS = new Set(['US', 'LR', 'BS', 'BZ', 'KY', 'PW', 'FM', 'MH', 'PR', 'GU', 'VI', 'AS', 'MP'])
const MILES_PER_KILOMETRE = 0.621371192237334

/** Minimum population after a preposition, where a village counts. */
const MIN_VILLAGE_POPULATION = 200
/** About a kilometre: more digits would tell the source more about the client without changing the weather. */
const POINT_DECIMALS = 2

/** WMO codes. Some share a name: light and dense freezing drizzle, for example, aren't worth telling apart. */
const CONDITION_BY_CODE: Readonly<Record<number, string>> = {
  0: 'clear',
  1: 'mainlyClear',
  2: 'partlyCloudy',
  3: 'overcast',
  45: 'fog',
  48: 'rimeFog',
  51: 'lightDrizzle',
  53: 'drizzle',
  55: 'denseDrizzle',
  56: 'freezingDrizzle',
  57: 'freezingDrizzle',
  61: 'lightRain',
  63: 'rain',
  65: 'heavyRain',
  66: 'freezingRain',
  67: 'freezingRain',
  71: 'lightSnow',
  73: 'snow',
  75: 'heavySnow',
  77: 'snowGrains',
  80: 'lightShowers',
  81: 'showers',
  82: 'heavyShowers',
  85: 'snowShowers',
  86: 'snowShowers',
  95: 'thunderstorm',
  96: 'hail',
  99: 'hail',
}

const CONDITIONS =
  'clear mainlyClear partlyCloudy overcast fog rimeFog lightDrizzle drizzle denseDrizzle freezingDrizzle lightRain rain heavyRain freezingRain lightSnow snow heavySnow snowGrains lightShowers showers heavyShowers snowShowers thunderstorm hail'.split(
    ' ',
  )

/** In the order of CONDITIONS. */
const CONDITION_WORDS: Readonly<Record<Language, string>> = {
  en: 'clear sky,mainly clear,partly cloudy,overcast,fog,rime fog,light drizzle,drizzle,dense drizzle,freezing drizzle,light rain,rain,heavy rain,freezing rain,light snow,snow,heavy snow,snow grains,light showers,showers,heavy showers,snow showers,thunderstorm,thunderstorm with hail',
  fr: 'ciel dégagé,plutôt dégagé,partiellement nuageux,couvert,brouillard,brouillard givrant,bruine légère,bruine,bruine dense,bruine verglaçante,pluie légère,pluie,forte pluie,pluie verglaçante,neige légère,neige,forte neige,neige en grains,averses légères,averses,fortes averses,averses de neige,orage,orage avec grêle',
  de: 'klarer Himmel,überwiegend klar,teils bewölkt,bedeckt,Nebel,gefrierender Nebel,leichter Nieselregen,Nieselregen,dichter Nieselregen,gefrierender Nieselregen,leichter Regen,Regen,starker Regen,gefrierender Regen,leichter Schneefall,Schneefall,starker Schneefall,Schneegriesel,leichte Schauer,Schauer,starke Schauer,Schneeschauer,Gewitter,Gewitter mit Hagel',
  es: 'cielo despejado,mayormente despejado,parcialmente nublado,cubierto,niebla,niebla helada,llovizna ligera,llovizna,llovizna densa,llovizna helada,lluvia ligera,lluvia,lluvia fuerte,lluvia helada,nieve ligera,nieve,nieve fuerte,granos de nieve,chubascos ligeros,chubascos,chubascos fuertes,chubascos de nieve,tormenta,tormenta con granizo',
  it: 'cielo sereno,prevalentemente sereno,parzialmente nuvoloso,coperto,nebbia,nebbia ghiacciata,pioviggine leggera,pioviggine,pioviggine fitta,pioviggine gelata,pioggia leggera,pioggia,pioggia forte,pioggia gelata,neve leggera,neve,neve forte,nevischio,rovesci leggeri,rovesci,rovesci forti,rovesci di neve,temporale,temporale con grandine',
  pt: 'céu limpo,céu pouco nublado,parcialmente nublado,encoberto,nevoeiro,nevoeiro gelado,chuvisco leve,chuvisco,chuvisco denso,chuvisco gelado,chuva leve,chuva,chuva forte,chuva gelada,neve leve,neve,neve forte,grãos de neve,aguaceiros leves,aguaceiros,aguaceiros fortes,aguaceiros de neve,trovoada,trovoada com granizo',
  nl: 'heldere hemel,overwegend helder,half bewolkt,bewolkt,mist,aanvriezende mist,lichte motregen,motregen,dichte motregen,ijzelende motregen,lichte regen,regen,zware regen,ijzel,lichte sneeuw,sneeuw,zware sneeuw,motsneeuw,lichte buien,buien,zware buien,sneeuwbuien,onweer,onweer met hagel',
}

/** '' for an unknown code. */
export function weatherWords(code: number | null, language: Language): string {
  const name = code === null ? undefined : CONDITION_BY_CODE[code]
  return name === undefined ? '' : (CONDITION_WORDS[language].split(',')[CONDITIONS.indexOf(name)] ?? '')
}

interface Labels {
  feelsLike: string
  humidity: string
  wind: string
  today: string
  /** Before a probability. */
  precipitation: string
}

const LABELS: Readonly<Record<Language, Labels>> = {
  en: { feelsLike: 'feels like', humidity: 'humidity', wind: 'wind', today: 'today', precipitation: 'precipitation' },
  fr: {
    feelsLike: 'ressenti',
    humidity: 'humidité',
    wind: 'vent',
    today: 'aujourd’hui',
    precipitation: 'précipitations',
  },
  de: { feelsLike: 'gefühlt', humidity: 'Luftfeuchte', wind: 'Wind', today: 'heute', precipitation: 'Niederschlag' },
  es: {
    feelsLike: 'sensación de',
    humidity: 'humedad',
    wind: 'viento',
    today: 'hoy',
    precipitation: 'precipitaciones',
  },
  it: { feelsLike: 'percepita', humidity: 'umidità', wind: 'vento', today: 'oggi', precipitation: 'precipitazioni' },
  pt: { feelsLike: 'sensação de', humidity: 'humidade', wind: 'vento', today: 'hoje', precipitation: 'precipitação' },
  nl: {
    feelsLike: 'voelt als',
    humidity: 'luchtvochtigheid',
    wind: 'wind',
    today: 'vandaag',
    precipitation: 'neerslag',
  },
}

const Figure = z.number().nullable()

export const weather = defineAnswer({
  slug: 'weather',
  title: 'Weather',
  summary: 'The weather at a place now, by the hour, and the forecast for a week.',
  examples: [
    { q: 'weather in Paris' },
    { q: 'weather saturday london' },
    { q: 'météo lyon', lang: 'fr' },
    { q: 'wetter berlin morgen', lang: 'de' },
    { q: 'tiempo en madrid', lang: 'es' },
    { q: 'che tempo fa a roma', lang: 'it' },
    { q: 'previsão do tempo lisboa', lang: 'pt' },
    { q: 'weer amsterdam', lang: 'nl' },
  ],
  reply: z.object({
    place: z.string(),
    country: z.string().describe('ISO 3166-1 alpha-2, or empty'),
    latitude: z.number(),
    longitude: z.number(),
    time_zone: z.string(),
    units: z.enum(['metric', 'imperial']).describe('°C and km/h, or °F and mph'),
    date: z.string().describe('The day that the text and the members here are about, at the place'),
    observed_at: z.string().describe('Local time, without an offset; empty in the forecast of another day'),
    condition: z.string(),
    weather_code: Figure.describe('WMO code'),
    temperature: Figure.describe('Now; null in the forecast of another day, as are the next three'),
    feels_like: Figure,
    humidity: Figure.describe('Percent'),
    wind_speed: Figure,
    is_day: z.boolean(),
    high: Figure.describe('Of the day'),
    low: Figure,
    precipitation_probability: Figure.describe('Percent'),
    days: z.array(
      z.object({
        date: z.string(),
        condition: z.string(),
        weather_code: Figure,
        high: Figure,
        low: Figure,
        precipitation_probability: Figure.describe('Percent'),
      }),
    ),
    hours: z
      .array(
        z.object({
          time: z.string().describe('Local time, without an offset'),
          temperature: Figure,
          precipitation_probability: Figure.describe('Percent'),
        }),
      )
      .describe('The next 24, or those of the day that was asked about'),
    attribution: z.object({ text: z.string(), url: z.string() }),
  }),
  match: readWeather,
  async answer(match, context) {
    const { question } = context
    const source = context.find(openmeteo)
    const place = source && (match.name === '' ? await placeHere(context) : await findNamedPlace(match, context))
    if (!source || !place) return null
    const triggers = languagesOf(question, WEATHER_TRIGGERS)
    const language = await localLanguage(triggers, place.country, match.language)
    const { latitude, longitude, country, zone } = place
    const { found } = await source.ask(openMeteoForecast, { latitude, longitude }, context.deadline)
    const units = unitsFor(question)
    const { days, current, hours } = convertUnits(found, units, language)
    const [index, ...others] = match.day === 'weekend' ? weekendIn(days) : requestedDay(match.day, days)
    if (index === undefined) return null
    const locale = dateLocale(question, language)
    const label = placeLabel(place, locale)
    const written = { label, language, locale, units }
    const day = days[index]
    const isNow = index === 0 || !day
    return {
      text: [
        isNow ? writeCurrent(current, day, written) : writeDay(day, written),
        ...others.flatMap((other) => (days[other] ? [writeDay(days[other], { ...written, label: '' })] : [])),
      ].join(semicolonIn(language)),
      place: label,
      country,
      latitude,
      longitude,
      time_zone: found.zone || zone,
      units,
      date: day?.date ?? found.current.time.slice(0, 10),
      observed_at: isNow ? found.current.time : '',
      ...(isNow ? current : forecastOf(day)),
      high: day?.high ?? null,
      low: day?.low ?? null,
      precipitation_probability: day?.precipitation_probability ?? null,
      days,
      hours: hoursFrom(isNow ? found.current.time : `${day.date}T00:00`, hours),
      attribution: { text: source.source.terms.attribution, url: source.source.homepage },
    }
  },
})

const findNamedPlace = ({ name, isExplicit, minPopulation, language }: WeatherMatch, context: AnswerContext) =>
  findPlace(name, {
    language,
    minPopulation,
    ...(isExplicit && { minGeocodedPopulation: MIN_VILLAGE_POPULATION }),
    home: regionOf(context.question.tag),
    context,
  })

async function placeHere({ point }: AnswerContext): Promise<Place | undefined> {
  const place = point && (await placeAt(point))
  const rounded = (degrees: number) => Number(degrees.toFixed(POINT_DECIMALS))
  return place && { ...place, latitude: rounded(place.latitude), longitude: rounded(place.longitude) }
}

const weekdayOf = ({ date }: { date: string }): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** The indexes of Saturday and Sunday. On a Sunday, the weekend is today. */
export function weekendIn(days: readonly { date: string }[]): number[] {
  const sunday = days.findIndex((day) => weekdayOf(day) === 7)
  return [sunday - 1, sunday].filter((index) => index >= 0)
}

/** The index of the requested day; empty if the forecast doesn't cover it. */
function requestedDay(day: Exclude<WeatherMatch['day'], 'weekend'>, days: readonly Day[]): number[] {
  const index = 'weekday' in day ? days.findIndex((one) => weekdayOf(one) === day.weekday) : day.fromToday
  // The current weather is available even without a daily forecast.
  return index === 0 || days[index] ? [index] : []
}

/** The forecast of another day has only a condition; the other members are empty. */
const forecastOf = ({ condition, weather_code }: Day): CurrentWeather => ({
  condition,
  weather_code,
  temperature: null,
  feels_like: null,
  humidity: null,
  wind_speed: null,
  is_day: true,
})

type Units = 'metric' | 'imperial'

const unitsFor = ({ tag }: Question): Units => (IMPERIAL_REGIONS.has(regionOf(tag)) ? 'imperial' : 'metric')

const tenth = (value: number): number => Math.round(value * 10) / 10

function convertUnits({ current, days, hours }: Forecast, units: Units, language: Language) {
  const degrees = (value: number | null) =>
    value === null ? null : tenth(units === 'metric' ? value : (value * 9) / 5 + 32)
  const speed = (value: number | null) =>
    value === null ? null : tenth(units === 'metric' ? value : value * MILES_PER_KILOMETRE)
  return {
    current: {
      condition: weatherWords(current.code, language),
      weather_code: current.code,
      temperature: degrees(current.temperature),
      feels_like: degrees(current.feelsLike),
      humidity: current.humidity,
      wind_speed: speed(current.wind),
      is_day: current.isDay,
    },
    days: days.map(({ date, code, high, low, precipitation }) => ({
      date,
      condition: weatherWords(code, language),
      weather_code: code,
      high: degrees(high),
      low: degrees(low),
      precipitation_probability: precipitation,
    })),
    hours: hours.map(({ time, temperature, precipitation }) => ({
      time,
      temperature: degrees(temperature),
      precipitation_probability: precipitation,
    })),
  }
}

type Hour = ReturnType<typeof convertUnits>['hours'][number]

const SHOWN_HOURS = 24

/** Times in this form sort as text. */
export const hoursFrom = (start: string, hours: readonly Hour[]): Hour[] =>
  hours.filter(({ time }) => time >= `${start.slice(0, 13)}:00`).slice(0, SHOWN_HOURS)

type CurrentWeather = ReturnType<typeof convertUnits>['current']
type Day = ReturnType<typeof convertUnits>['days'][number]

interface TextOptions {
  label: string
  language: Language
  locale: string
  units: Units
}

function writeCurrent(
  now: CurrentWeather,
  today: Day | undefined,
  { label, language, locale, units }: TextOptions,
): string {
  const words = LABELS[language]
  const feels = now.feels_like === null ? '' : ` (${words.feelsLike} ${degrees(now.feels_like, units, locale)})`
  const range = today && rangeOf(today, units, locale)
  const parts = [
    now.temperature === null ? '' : `${degrees(now.temperature, units, locale)}${feels}`,
    now.condition,
    now.humidity === null ? '' : `${words.humidity} ${percent(now.humidity, locale)}`,
    now.wind_speed === null ? '' : `${words.wind} ${Math.round(now.wind_speed)} ${units === 'metric' ? 'km/h' : 'mph'}`,
    range ? `${words.today} ${range}` : '',
  ]
  return `${label}${colonIn(language)} ${parts.filter((part) => part !== '').join(', ')}`
}

function writeDay(day: Day, { label, language, locale, units }: TextOptions): string {
  const { precipitation } = LABELS[language]
  const chance = day.precipitation_probability
  const parts = [
    day.condition,
    rangeOf(day, units, locale),
    chance === null ? '' : `${precipitation} ${percent(chance, locale)}`,
  ]
  const when = [label, writeDate(day.date, 'full', locale)].filter(Boolean).join(', ')
  return `${when}${colonIn(language)} ${parts.filter((part) => part !== '').join(', ')}`
}

/** Whole degrees: tenths don't matter. */
function degrees(value: number, units: Units, locale: string): string {
  const unit = units === 'metric' ? 'celsius' : 'fahrenheit'
  const whole = Math.round(value)
  // Rounding a small negative number gives -0.
  return new Intl.NumberFormat(locale, { style: 'unit', unit }).format(whole === 0 ? 0 : whole)
}

const percent = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100)

const rangeOf = ({ low, high }: Day, units: Units, locale: string): string =>
  low === null || high === null ? '' : `${degrees(low, units, locale)} – ${degrees(high, units, locale)}`
