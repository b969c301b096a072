// Shows a weather answer: the current weather, or that of the day asked about, its hours, and a table of the forecast.

import type { weather } from '@bowerbird/answers/live/weather.ts'
import type { z } from 'zod'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { capitalised } from '../parts/formats.ts'
import type { ShownAnswer } from './instant-parts.ts'
import { hoursChart } from './weather-hours.ts'

type Weather = z.output<typeof weather.reply> & { text: string }
type Day = Weather['days'][number]

const NO_BREAK = '\u00a0'

export function weatherView(answer: Weather, context: PageContext): ShownAnswer {
  const { place, text, days, hours, date, attribution } = answer
  const [today] = days
  const formats = formatsFor(answer, context)
  const body = html`${hoursChart(hours, formats)}${forecast(days, today?.date, formats)}`
  const shared = { copy: text, source: attribution, body }
  const day = days.find((one) => one.date === date)
  if (day && day !== today) {
    const { condition, precipitation_probability: chance } = day
    const rain = chance !== null && `${formats.words.rain}\u00a0${formats.percent(chance)}`
    return {
      ...shared,
      question: `${place}, ${formats.longDay(day)}`,
      value: formats.range(day) || text,
      note: [capitalised(condition), rain].filter(Boolean).join(' · '),
    }
  }
  return { ...shared, question: place, ...currentWeather(answer, formats) }
}

type WeatherFormats = ReturnType<typeof createFormats>

function currentWeather(
  answer: Weather,
  { degrees, percent, speed, words }: WeatherFormats,
): Pick<ShownAnswer, 'value' | 'note'> {
  const { temperature, feels_like: feelsLike, humidity, wind_speed: wind, condition } = answer
  const parts = [
    condition,
    feelsLike !== null && words.feelsLike({ degrees: degrees(feelsLike) }),
    humidity !== null && `${words.humidity} ${percent(humidity)}`,
    wind !== null && `${words.wind} ${speed(wind)}`,
  ]
  // Keep each figure on one line with its word.
  const shown = parts
    .filter((part) => part !== false && part !== '')
    .map((part) => String(part).replaceAll(' ', NO_BREAK))
  const note = capitalised(shown.join(', '))
  return temperature === null ? { value: note } : { value: degrees(temperature), note }
}

const formatsByName = new Map<string, WeatherFormats>()

/** Formats are created once per language and system of units, because creating them is expensive. */
function formatsFor({ units }: Weather, context: PageContext): WeatherFormats {
  const name = `${context.locale} ${units}`
  const formats = formatsByName.get(name) ?? createFormats(units, context)
  formatsByName.set(name, formats)
  return formats
}

/** Functions that format figures and days in the reader's language, in the units of the answer. */
function createFormats(units: Weather['units'], { locale, words }: PageContext) {
  const isMetric = units === 'metric'
  const unit = (name: string) => new Intl.NumberFormat(locale, { style: 'unit', unit: name, maximumFractionDigits: 0 })
  const temperature = unit(isMetric ? 'celsius' : 'fahrenheit')
  const velocity = unit(isMetric ? 'kilometer-per-hour' : 'mile-per-hour')
  const angle = new Intl.NumberFormat(locale, { style: 'unit', unit: 'degree', unitDisplay: 'narrow' })
  const share = new Intl.NumberFormat(locale, { style: 'percent' })
  const dayNames = (length: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...length, timeZone: 'UTC' })
  const weekday = dayNames({ weekday: 'short' })
  const clock = dayNames({ timeStyle: 'short' })
  const long = dayNames({ weekday: 'long', day: 'numeric', month: 'long' })
  // Rounding a small negative number gives -0, which would be shown as such. A hyphen would look like part of a range.
  const rounded = (value: number, format: Intl.NumberFormat) => format.format(Math.round(value) || 0).replace('-', '−')
  const degrees = (value: number) => rounded(value, temperature)
  return {
    words: words.answers.weather,
    degrees,
    percent: (value: number) => share.format(value / 100),
    speed: (value: number) => velocity.format(value),
    range: ({ low, high }: Day) => (low === null || high === null ? '' : `${degrees(low)} / ${degrees(high)}`),
    shortRange: ({ low, high }: Day) =>
      low === null || high === null ? '' : `${rounded(low, angle)} / ${rounded(high, angle)}`,
    weekday: ({ date }: Day) => capitalised(weekday.format(Date.parse(date)), locale),
    clock: (time: string) => clock.format(Date.parse(`${time}Z`)),
    longDay: ({ date }: Day) => long.format(Date.parse(date)),
  }
}

function forecast(days: readonly Day[], today: string | undefined, formats: WeatherFormats): Html | false {
  const { words, weekday, shortRange, percent } = formats
  if (days.length === 0) return false
  return html`<table class="forecast"><caption class="visually-hidden">${words.forecast}</caption>
<thead class="visually-hidden"><tr><th scope="col">${words.day}</th><th scope="col">${words.sky}</th><th scope="col">${words.rain}</th><th scope="col">${words.range}</th></tr></thead>
<tbody>${days.map(
    (
      day,
    ) => html`<tr><th scope="row">${day.date === today ? words.today : weekday(day)}</th><td>${capitalised(day.condition)}</td>
<td class="number">${day.precipitation_probability !== null && html`<span title="${words.rain}">${percent(day.precipitation_probability)}</span>`}</td><td class="number"><bdi dir="ltr">${shortRange(day)}</bdi></td></tr>`,
  )}</tbody></table>`
}
