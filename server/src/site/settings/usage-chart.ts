// Counted requests as pages show them: the last 30 days as a chart, and totals by kind of request as a table. Days are
// UTC days, like the counters'.
import { dayOf, monthOf } from '../../text/utc-day.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText } from '../i18n/messages.ts'
import { type Column, dataTable } from '../parts/data-table.ts'

export const DAYS_SHOWN = 30
const DAY_MS = 86_400_000

/** Two parts bar, one part gap. */
const BAR_WIDTH = 8
const STEP = 12
const HEIGHT = 120
/** Makes any day with requests visible. */
const MIN_BAR_HEIGHT = 1.5

/** Requests of one kind on one day. */
interface Count {
  day: string
  endpoint: string
  count: number
}

interface DaySum {
  day: string
  count: number
}

interface KindSum {
  endpoint: string
  /** Requests this month, and in the last 30 days. */
  month: number
  days: number
}

const firstShown = (now: number): string => dayOf(now - (DAYS_SHOWN - 1) * DAY_MS)

/** The first day to read counts for: on the 31st, the 1st isn't among the last 30 days, but the month needs it. */
export function firstDayNeeded(now: number): string {
  const firstOfMonth = `${monthOf(now)}-01`
  const first = firstShown(now)
  return first < firstOfMonth ? first : firstOfMonth
}

/** Oldest first; the last is today. */
export function lastDays(counts: readonly Count[], now: number): DaySum[] {
  const sums = new Map<string, number>()
  for (const { day, count } of counts) sums.set(day, (sums.get(day) ?? 0) + count)
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = dayOf(now - (DAYS_SHOWN - 1 - index) * DAY_MS)
    return { day, count: sums.get(day) ?? 0 }
  })
}

/** The most frequent first. */
export function sumByKind(counts: readonly Count[], now: number): KindSum[] {
  const kinds = Map.groupBy(counts, ({ endpoint }) => endpoint)
  return [...kinds]
    .map(([endpoint, of]) => ({ endpoint, ...sumsOf(of, now) }))
    .sort((one, other) => other.days - one.days || other.month - one.month || (one.endpoint < other.endpoint ? -1 : 1))
}

export function sumsOf(counts: readonly Count[], now: number): { month: number; days: number } {
  const [month, first] = [monthOf(now), firstShown(now)]
  let [inMonth, inDays] = [0, 0]
  for (const { day, count } of counts) {
    if (day.startsWith(month)) inMonth += count
    if (day >= first) inDays += count
  }
  return { month: inMonth, days: inDays }
}

/**
 * A bar chart, drawn as SVG. Today is hatched, because it isn't over yet. Each bar shows its value on hover; the same
 * numbers are in a collapsible table.
 */
export function usageChart({ words, locale }: PageContext, allDays: readonly DaySum[]): Html {
  const days = withoutEmptyStart(allDays)
  const text = words.settings.usage
  const numbers = new Intl.NumberFormat(locale)
  const dates = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const nameOf = (day: string) => dates.format(new Date(day))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return html`<p>${text.none({ days: DAYS_SHOWN })}</p>`
  const busiest = days.reduce((most, day) => (day.count > most.count ? day : most))
  const width = days.length * STEP - (STEP - BAR_WIDTH)
  const summary = text.chart({
    requests: text.requestCount({ count: total }),
    days: DAYS_SHOWN,
  })
  const columns = [
    { label: text.dayColumn, isHeading: true, cell: ({ day }: DaySum) => nameOf(day) },
    { label: text.requests, isNumber: true, cell: ({ count }: DaySum) => numbers.format(count) },
  ]
  return html`<figure class="usage-chart"><figcaption><span>${summary}</span> <span class="quiet">${text.most({ count: numbers.format(busiest.count), day: nameOf(busiest.day) })}</span></figcaption>
<svg viewBox="0 0 ${width} ${HEIGHT + 1}" preserveAspectRatio="none" role="img" aria-label="${summary}">${HATCHING}
${days.map(({ day, count }, index) =>
  bar({
    x: index * STEP,
    height: (HEIGHT * count) / busiest.count,
    title: text.day({ day: nameOf(day), count: numbers.format(count) }),
    isToday: index === days.length - 1,
  }),
)}
<path class="baseline" d="M0 ${HEIGHT + 0.5}H${width}"/></svg>
<div class="usage-axis"><span>${nameOf(days[0]?.day ?? '')}</span><span>${text.today}</span></div>
<details><summary>${text.table}</summary><div class="usage-table">${dataTable(summary, columns, days.toReversed())}</div><p class="help">${text.utc}</p></details></figure>`
}

/** A week at least: a single bar would say nothing. */
const MIN_DAYS_SHOWN = 7

/** Begins at the first day with requests, so that a new instance isn't a row of empty days. */
function withoutEmptyStart(days: readonly DaySum[]): readonly DaySum[] {
  const first = days.findIndex(({ count }) => count > 0)
  return days.slice(Math.min(Math.max(first, 0), days.length - MIN_DAYS_SHOWN))
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
  const barHeight = height === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, Math.round(height * 10) / 10)
  return html`<g><title>${title}</title><rect class="usage-ground" x="${x}" y="0" width="${BAR_WIDTH}" height="${HEIGHT}"/>${
    barHeight > 0 &&
    html`<rect class="${isToday ? 'usage-today' : 'usage-bar'}"${isToday && html` fill="url(#usage-hatching)"`} x="${x}" y="${HEIGHT - barHeight}" width="${BAR_WIDTH}" height="${barHeight}"/>`
  }</g>`
}

export function kindTable({ words, locale }: PageContext, kinds: readonly KindSum[]): Html {
  const text = words.settings.usage
  const numbers = new Intl.NumberFormat(locale)
  const sum = (of: (kind: KindSum) => number) => kinds.reduce((total, kind) => total + of(kind), 0)
  const total = { endpoint: '', month: sum(({ month }) => month), days: sum(({ days }) => days) }
  const columns: Column<KindSum>[] = [
    {
      label: text.kind,
      isHeading: true,
      cell: ({ endpoint }) => (endpoint === '' ? text.total : (findText(text.kinds, endpoint) ?? endpoint)),
    },
    { label: text.thisMonth, isNumber: true, cell: ({ month }) => numbers.format(month) },
    { label: text.days({ days: DAYS_SHOWN }), isNumber: true, cell: ({ days }) => numbers.format(days) },
  ]
  return html`<section class="stack"><h2>${text.byKind}</h2>
<div class="usage-table">${dataTable(text.byKind, columns, kinds.length > 1 ? [...kinds, total] : kinds)}</div></section>`
}
