// The hours of a weather answer: a line for the temperature over bars for the chance of rain, and a table of the same. Each hour
// is a radio button over its part of the chart, so a pointer, a finger or the arrow keys show its figures without a script,
// and the tab key stops there only once. Time runs from left to right in every language, as on a clock's chart.
import type { weather } from '@bowerbird/answers/live/weather.ts'
import type { z } from 'zod'
import { type Html, html } from '../http/html.ts'

type Hour = z.output<typeof weather.reply>['hours'][number]

export interface HourFormats {
  clock: (time: string) => string
  degrees: (value: number) => string
  percent: (value: number) => string
  words: { hours: string; time: string; temperature: string; rain: string }
}

/** In the units of the drawing, which is stretched to the width of the page. */
const STEP = 10
const HEIGHT = 60
/** Above the highest and below the lowest temperature. */
const MARGIN = 8
const AXIS_STEP = 6

export function hoursChart(hours: readonly Hour[], formats: HourFormats): Html | false {
  const temperatures = hours.flatMap(({ temperature }) => temperature ?? [])
  if (temperatures.length < 2) return false
  const { words, clock } = formats
  const axis = hours.filter((_hour, index) => index % AXIS_STEP === 0)
  return html`<figure class="hours"><div class="hours-plot" dir="ltr"><fieldset class="hours-columns"><legend class="visually-hidden">${words.hours}</legend>${hours.map(
    (hour, index) => {
      const figures = figuresOf(hour, formats)
      // Only the chosen one's figures are seen, so they can't be the names of the others.
      return html`<label><input type="radio" name="hour" aria-label="${figures}"${index === 0 && html` checked`}><span dir="auto">${figures}</span></label>`
    },
  )}</fieldset>
<svg viewBox="0 0 ${hours.length * STEP} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${hours.map(rainBar)}<path class="hours-line" d="${lineThrough(hours, temperatures)}"/></svg>
<div class="hours-axis" aria-hidden="true">${axis.map(({ time }) => html`<span>${clock(time)}</span>`)}</div></div>
<details><summary>${words.hours}</summary>${hoursTable(hours, formats)}</details></figure>`
}

function figuresOf({ time, temperature, precipitation_probability: chance }: Hour, formats: HourFormats): string {
  const { clock, degrees, percent, words } = formats
  const figures = [
    clock(time),
    temperature === null ? '' : degrees(temperature),
    chance === null ? '' : `${words.rain} ${percent(chance)}`,
  ]
  return figures.filter(Boolean).join(' · ')
}

function rainBar({ precipitation_probability: chance }: Hour, index: number): Html | false {
  const height = tenth((HEIGHT * (chance ?? 0)) / 100)
  if (height === 0) return false
  return html`<rect class="hours-rain" x="${index * STEP + 1}" y="${tenth(HEIGHT - height)}" width="${STEP - 2}" height="${height}"/>`
}

/** Through the middle of each hour; broken where the temperature isn't known. */
function lineThrough(hours: readonly Hour[], temperatures: readonly number[]): string {
  const [lowest, highest] = [Math.min(...temperatures), Math.max(...temperatures)]
  // A day of one temperature is a line in the middle.
  const shareOf = (value: number) => (highest === lowest ? 0.5 : (highest - value) / (highest - lowest))
  const heightOf = (value: number) => MARGIN + shareOf(value) * (HEIGHT - 2 * MARGIN)
  let isDrawing = false
  return hours
    .map(({ temperature }, index) => {
      const command =
        temperature === null ? '' : `${isDrawing ? 'L' : 'M'}${index * STEP + STEP / 2} ${tenth(heightOf(temperature))}`
      isDrawing = temperature !== null
      return command
    })
    .join('')
}

const tenth = (value: number): number => Math.round(value * 10) / 10

function hoursTable(hours: readonly Hour[], { clock, degrees, percent, words }: HourFormats): Html {
  return html`<table class="forecast"><caption class="visually-hidden">${words.hours}</caption>
<thead><tr><th scope="col">${words.time}</th><th scope="col" class="number">${words.rain}</th><th scope="col" class="number">${words.temperature}</th></tr></thead>
<tbody>${hours.map(
    ({ time, temperature, precipitation_probability: chance }) =>
      html`<tr><th scope="row">${clock(time)}</th><td class="number">${chance !== null && percent(chance)}</td><td class="number">${temperature !== null && degrees(temperature)}</td></tr>`,
  )}</tbody></table>`
}
