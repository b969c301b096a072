// A line of past exchange rates. The drawing says nothing by itself: the first, the last, the highest and the lowest rate stand
// below it in words. Time runs from left to right in every language.
import type { PastRates } from '@bowerbird/answers/live/exchange.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { formatDay } from '../parts/formats.ts'

/** In the units of the drawing, which is stretched to the width of the page: a day is one wide. */
const HEIGHT = 60
/** Above the highest and below the lowest rate. */
const MARGIN = 4
const DAY_MS = 86_400_000
const SHOWN_DIGITS = 6

interface Point {
  date: string
  /** As an exact decimal, for the text; the number only places the line. */
  rate: string
  value: number
}

export function rateChart(context: PageContext, { days }: PastRates): Html | false {
  const points = days.map(({ date, rate }) => ({ date, rate, value: Number(rate) }))
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return false
  // Of several days with the same rate, the first.
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best))
  const lowest = points.reduce((best, point) => (point.value < best.value ? point : best))
  const { currency } = context.words.converters
  const facts = [
    [currency.first, first],
    [currency.last, last],
    [currency.highest, highest],
    [currency.lowest, lowest],
  ] as const
  const width = daysBetween(first, last)
  return html`<figure class="rates"><svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="hours-line" d="${lineThrough(points, { highest: highest.value, lowest: lowest.value })}"/></svg>
<figcaption><dl class="rate-facts">${facts.map(
    ([label, { date, rate }]) =>
      html`<div><dt>${label}</dt><dd>${writeRate(rate, context)} <span class="quiet">${formatDay(new Date(date), context)}</span></dd></div>`,
  )}</dl></figcaption></figure>`
}

const daysBetween = (first: Point, last: Point): number => (Date.parse(last.date) - Date.parse(first.date)) / DAY_MS

function lineThrough(points: readonly Point[], { highest, lowest }: { highest: number; lowest: number }): string {
  const [first] = points
  if (!first) return ''
  // A rate that never changed is a line in the middle.
  const shareOf = (value: number) => (highest === lowest ? 0.5 : (highest - value) / (highest - lowest))
  return points
    .map((point, index) => {
      const height = MARGIN + shareOf(point.value) * (HEIGHT - 2 * MARGIN)
      return `${index === 0 ? 'M' : 'L'}${daysBetween(first, point)} ${Math.round(height * 10) / 10}`
    })
    .join('')
}

function writeRate(rate: string, { locale }: PageContext): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: SHOWN_DIGITS })
  // Intl rounds the digits of a decimal string exactly; its type knows only literals.
  return format.format(rate as `${number}`)
}
