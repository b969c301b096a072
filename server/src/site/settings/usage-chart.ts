// Thirty days as a bar chart, drawn as SVG. Today is hatched, because it isn't over yet. Each bar shows its value on
// hover; the same numbers are in a collapsible table.
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { dataTable } from '../parts/data-table.ts'
import { DAYS_SHOWN, type DaySum } from './usage-days.ts'

/** Two parts bar, one part gap. */
const BAR = 8
const STEP = 12
const HEIGHT = 120
const WIDTH = DAYS_SHOWN * STEP - (STEP - BAR)
/** Makes any day with requests visible. */
const LEAST_HEIGHT = 1.5

export function usageChart({ words, locale }: Pick<PageContext, 'words' | 'locale'>, days: readonly DaySum[]): Html {
  const text = words.settings.usage
  const numbers = new Intl.NumberFormat(locale)
  const dates = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const nameOf = (day: string) => dates.format(new Date(day))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return html`<p>${text.none(DAYS_SHOWN)}</p>`
  const busiest = days.reduce((most, day) => (day.count > most.count ? day : most))
  const summary = text.chart(text.requestCount(total, numbers.format(total)), DAYS_SHOWN)
  const columns = [
    { label: text.dayColumn, isHeading: true, cell: ({ day }: DaySum) => nameOf(day) },
    { label: text.requests, isNumber: true, cell: ({ count }: DaySum) => numbers.format(count) },
  ]
  return html`<figure class="usage-chart"><figcaption><span>${summary}</span> <span class="quiet">${text.most(numbers.format(busiest.count), nameOf(busiest.day))}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" role="img" aria-label="${summary}">${HATCHING}
${days.map(({ day, count }, index) =>
  bar({
    x: index * STEP,
    height: (HEIGHT * count) / busiest.count,
    title: text.day(nameOf(day), numbers.format(count)),
    isToday: index === days.length - 1,
  }),
)}
<path class="baseline" d="M0 ${HEIGHT + 0.5}H${WIDTH}"/></svg>
<div class="usage-axis"><span>${nameOf(days[0]?.day ?? '')}</span><span>${text.today}</span></div>
<details><summary>${text.table}</summary><div class="usage-table">${dataTable(summary, columns, days.toReversed())}</div><p class="help">${text.utc}</p></details></figure>`
}

const HATCHING = html`<defs><pattern id="usage-hatching" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V4"/></pattern></defs>`

interface Bar {
  x: number
  height: number
  title: string
  isToday: boolean
}

/** The title covers the full height of the day, because a low bar is hard to point at. */
function bar({ x, height, title, isToday }: Bar): Html {
  const tall = height === 0 ? 0 : Math.max(LEAST_HEIGHT, Math.round(height * 10) / 10)
  return html`<g><title>${title}</title><rect class="usage-ground" x="${x}" y="0" width="${BAR}" height="${HEIGHT}"/>${
    tall > 0 &&
    html`<rect class="${isToday ? 'usage-today' : 'usage-bar'}"${isToday && html` fill="url(#usage-hatching)"`} x="${x}" y="${HEIGHT - tall}" width="${BAR}" height="${tall}"/>`
  }</g>`
}
