// The weather at a place, now and for a week: `weather paris`, `wetter berlin morgen`, `météo lyon`, `che tempo fa a roma`.
// Metric, or imperial where people use that (`en-US`). What follows the trigger must be a place. Must not answer: `weather
// channel app`, `weather underground`, `stormy weather`, `el tiempo entre costuras`, `météo à la carte`, `weer naar huis`.
// `tiempo` and `tempo` mean time as well, so a small word must stand between them and the place.
import { z } from 'zod'
import { type Forecast, openMeteoForecast, openmeteo } from '../../providers/sources/openmeteo.ts'
import { defineAnswer } from '../answer.ts'
import { languageThere } from '../lib/countries.ts'
import { dateLocale, writeDate } from '../lib/date-words.ts'
import { findPlace, homeOf, placeLabel } from '../lib/find-place.ts'
import type { Language, Question } from '../question.ts'
import { languagesOf, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { WEATHER_LABELS, weatherWords } from './weather-words.ts'

/** Without a preposition a place of our own index must have this many people. */
const WELL_KNOWN = 15_000
const HINT = /weather|forecast|temperature|meteo|wetter|vorhersage|tiempo|tempo|clima|temperatura|weer|temps/
/** Regions that measure in Fahrenheit and miles. */
const FAHRENHEIT = new Set(['US', 'LR', 'BS', 'BZ', 'KY', 'PW', 'FM', 'MH', 'PR', 'GU', 'VI', 'AS', 'MP'])
const MILES_A_KILOMETRE = 0.621371192237334

/** With a preposition a village counts. */
const FEWEST_IN_VILLAGE = 200
/** What stands beside the word in other searches: sites, things and kinds of weather. */
const NO_PLACE =
  /^(?:channel|radar|app|apps|maps?|station|forecast|reports?|girls?|updates?|alerts?|warnings?|news|widget|balloon|vane|underground|stripping|proof|cold|hot|bad|good|fair|severe|extreme|stormy|winter|summer|spring|warm|wet|dry|rainy|space|the|local|my|online|com|karte|radar app|france|agricole|marine|ciel|tempo|en radar|app .*|online .*|nl)$/

/** Cities whose names are English words: without a preposition they are those words. */
const ENGLISH_WORDS = new Set(
  'nice hail man van reading sale orange bath buy moss cork oral independence mango honda'.split(' '),
)

const NOW = '(?: (?:today|now|right now|this week))?'

/** `place` follows a preposition, `known` does not. `tomorrow` is there when that day is asked for. */
const TRIGGERS: Triggers = {
  en: [
    /^(?:what(?:'s| is) (?:the )?|how(?:'s| is) (?:the )?)?(?:current )?(?:weather|weather forecast|temperature)(?: like)?(?: (?:today|now|right now|(?<tomorrow>tomorrow)))? (?:in|for|at) (?<place>.{2,50}?)(?: (?:today|now|right now|this week|(?<later>tomorrow)))?$/,
    new RegExp(`^(?:weather|weather forecast) (?<known>[a-z ,.'-]{2,40}?)(?:${NOW}|(?<tomorrow> tomorrow))$`),
    new RegExp(`^(?<known>[a-z ,.'-]{2,40}) (?:weather|weather forecast)(?:${NOW}|(?<tomorrow> tomorrow))$`),
  ],
  fr: [
    /^(?:la )?(?:meteo|previsions meteo|temperature)(?: (?:aujourd'hui|(?<tomorrow>demain)))? (?:a|au|aux|en|pour) (?<place>.{2,50}?)(?: (?:aujourd'hui|cette semaine|(?<later>demain)))?$/,
    /^(?:quel temps fait[ -]il|quel temps fera-t-il|quel temps)(?: (?:aujourd'hui|(?<tomorrow>demain)))? (?:a|au|aux|en) (?<place>.{2,50}?)(?: (?:aujourd'hui|(?<later>demain)))?$/,
    /^meteo (?<known>[a-z ,.'-]{2,40}?)(?: (?:aujourd'hui|(?<later>demain)))?$/,
  ],
  de: [
    /^(?:wie (?:ist|wird) (?:das )?)?(?:das )?(?:wetter|wettervorhersage|temperatur)(?: (?:heute|aktuell|(?<tomorrow>morgen)))? (?:in|auf|fur) (?:der |den )?(?<place>.{2,50}?)(?: (?:heute|aktuell|(?<later>morgen)))?$/,
    /^(?:wetter|wettervorhersage)(?: (?:heute|(?<tomorrow>morgen)))? (?<known>[a-zß ,.'-]{2,40}?)(?: (?:heute|aktuell|(?<later>morgen)))?$/,
  ],
  es: [
    /^(?:el |que )?(?:tiempo|clima|temperatura|pronostico del tiempo)(?: hace| hara)?(?: (?:hoy|(?<tomorrow>manana)))? (?:en|para) (?<place>.{2,50}?)(?: (?:hoy|(?<later>manana)))?$/,
    /^(?:clima|pronostico del tiempo) (?<known>[a-z ,.'-]{2,40}?)(?: (?:hoy|(?<later>manana)))?$/,
  ],
  it: [
    /^(?:che tempo (?:fa|fara)|meteo|previsioni meteo|previsioni del tempo|temperatura)(?: (?:oggi|(?<tomorrow>domani)))? (?:a|ad|in|per) (?<place>.{2,50}?)(?: (?:oggi|(?<later>domani)))?$/,
    /^(?:meteo|previsioni meteo) (?<known>[a-z ,.'-]{2,40}?)(?: (?:oggi|(?<later>domani)))?$/,
  ],
  pt: [
    /^(?:previsao do tempo|meteorologia|clima|temperatura|(?:como esta o |que )?tempo)(?: (?:hoje|(?<tomorrow>amanha)))? (?:em|no|na|nos|para) (?<place>.{2,50}?)(?: (?:hoje|(?<later>amanha)))?$/,
    /^(?:previsao do tempo|meteorologia|clima) (?<known>[a-z ,.'-]{2,40}?)(?: (?:hoje|(?<later>amanha)))?$/,
  ],
  nl: [
    /^(?:wat (?:is|wordt) het |hoe (?:is|wordt) het )?(?:het )?(?:weer|weerbericht|weersverwachting|temperatuur)(?: (?:vandaag|(?<tomorrow>morgen)))? (?:in|op|voor) (?<place>.{2,50}?)(?: (?:vandaag|(?<later>morgen)))?$/,
    /^(?:weer|weerbericht|weersverwachting)(?: (?:vandaag|(?<tomorrow>morgen)))? (?<known>[a-z ,.'-]{3,40}?)(?: (?:vandaag|(?<later>morgen)))?$/,
  ],
}

interface WeatherMatch {
  name: string
  isExplicit: boolean
  isTomorrow: boolean
  language: Language
}

const Figure = z.number().nullable()

export const weather = defineAnswer({
  slug: 'weather',
  title: 'Weather',
  summary: 'The weather at a place now, and the forecast for a week.',
  examples: [
    { q: 'weather in Paris' },
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
    observed_at: z.string().describe('Local time, without an offset'),
    condition: z.string(),
    weather_code: Figure.describe('WMO code'),
    temperature: Figure,
    feels_like: Figure,
    humidity: Figure.describe('Percent'),
    wind_speed: Figure,
    is_day: z.boolean(),
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
    attribution: z.object({ text: z.string(), url: z.string() }),
  }),
  match(question): WeatherMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ place = '', known = '', tomorrow = '', later = '' }, spoken) => {
      if (NO_PLACE.test(known) || (spoken === 'en' && ENGLISH_WORDS.has(known))) return undefined
      return { name: place || known, isExplicit: place !== '', isTomorrow: tomorrow !== '' || later !== '' }
    })
  },
  async answer({ name, isExplicit, isTomorrow, language: triggered }, context) {
    const { question } = context
    const source = context.find(openmeteo)
    if (!source) return null
    const place = await findPlace(name, {
      language: triggered,
      fewestPeople: isExplicit ? 0 : WELL_KNOWN,
      ...(isExplicit && { fewestElsewhere: FEWEST_IN_VILLAGE }),
      home: homeOf(question.tag),
      context,
    })
    if (!place) return null
    const language = await languageThere(languagesOf(question, TRIGGERS), place.country, triggered)
    const { latitude, longitude, country, zone } = place
    const { found } = await source.ask(openMeteoForecast, { latitude, longitude }, context.deadline)
    const units = unitsFor(question)
    const { days, current } = inUnits(found, units, language)
    const locale = dateLocale(question, language)
    const label = placeLabel(place, locale)
    const written = { label, language, locale, units }
    const tomorrow = days[1]
    if (isTomorrow && !tomorrow) return null
    return {
      text: isTomorrow && tomorrow ? writeDay(tomorrow, written) : writeNow(current, days[0], written),
      place: label,
      country,
      latitude,
      longitude,
      time_zone: found.zone || zone,
      units,
      observed_at: found.current.time,
      ...current,
      days,
      attribution: { text: source.source.terms.attribution, url: source.source.homepage },
    }
  },
})

type Units = 'metric' | 'imperial'

const unitsFor = ({ tag }: Question): Units => (FAHRENHEIT.has(homeOf(tag)) ? 'imperial' : 'metric')

const tenth = (value: number): number => Math.round(value * 10) / 10

function inUnits({ current, days }: Forecast, units: Units, language: Language) {
  const degrees = (value: number | null) =>
    value === null ? null : tenth(units === 'metric' ? value : (value * 9) / 5 + 32)
  const speed = (value: number | null) =>
    value === null ? null : tenth(units === 'metric' ? value : value * MILES_A_KILOMETRE)
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
  }
}

type Now = ReturnType<typeof inUnits>['current']
type Day = ReturnType<typeof inUnits>['days'][number]

interface Written {
  label: string
  language: Language
  locale: string
  units: Units
}

function writeNow(now: Now, today: Day | undefined, { label, language, locale, units }: Written): string {
  const words = WEATHER_LABELS[language]
  const colon = language === 'fr' ? ' :' : ':'
  const feels = now.feels_like === null ? '' : ` (${words.feelsLike} ${degrees(now.feels_like, units, locale)})`
  const range = today && rangeOf(today, units, locale)
  const parts = [
    now.temperature === null ? '' : `${degrees(now.temperature, units, locale)}${feels}`,
    now.condition,
    now.humidity === null ? '' : `${words.humidity} ${percent(now.humidity, locale)}`,
    now.wind_speed === null ? '' : `${words.wind} ${Math.round(now.wind_speed)} ${units === 'metric' ? 'km/h' : 'mph'}`,
    range ? `${words.today} ${range}` : '',
  ]
  return `${label}${colon} ${parts.filter((part) => part !== '').join(', ')}`
}

function writeDay(day: Day, { label, language, locale, units }: Written): string {
  const { precipitation } = WEATHER_LABELS[language]
  const chance = day.precipitation_probability
  const parts = [
    day.condition,
    rangeOf(day, units, locale),
    chance === null ? '' : `${precipitation} ${percent(chance, locale)}`,
  ]
  const colon = language === 'fr' ? ' :' : ':'
  return `${label}, ${writeDate(day.date, 'full', locale)}${colon} ${parts.filter((part) => part !== '').join(', ')}`
}

/** Whole degrees: nobody dresses by tenths. */
function degrees(value: number, units: Units, locale: string): string {
  const unit = units === 'metric' ? 'celsius' : 'fahrenheit'
  const whole = Math.round(value)
  // Zero may have come from below, and would be written as -0.
  return new Intl.NumberFormat(locale, { style: 'unit', unit }).format(whole === 0 ? 0 : whole)
}

const percent = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100)

const rangeOf = ({ low, high }: Day, units: Units, locale: string): string =>
  low === null || high === null ? '' : `${degrees(low, units, locale)} – ${degrees(high, units, locale)}`
