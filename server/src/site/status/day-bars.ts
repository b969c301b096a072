// A provider's history as slim bars, one per day. A day without trouble is a full bar; downtime turns its share of the
// bar red from the top, but never so little that it can't be seen; a day without data is a low, empty bar. The summary
// is for readers who can't see the picture.
import type { DayHealth } from '../../health/transition-history.ts'
import { type Html, html } from '../http/html.ts'

const HEIGHT = 28
const STEP = 4
const BAR_WIDTH = 3
/** The smallest red part that can be seen, as a share of the bar's height. */
const MIN_DOWN_SHARE = 0.15
const EMPTY_HEIGHT = 4

interface Labels {
  summary: string
  day: (day: DayHealth) => string
}

export function dayBars(days: readonly DayHealth[], labels: Labels): Html {
  const width = days.length * STEP - (STEP - BAR_WIDTH)
  return html`<svg class="day-bars" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${labels.summary}">${days.map((day, index) => bar(day, index * STEP, labels.day(day)))}</svg>`
}

function bar({ upShare }: DayHealth, x: number, label: string): Html {
  const title = html`<title>${label}</title>`
  if (upShare === undefined) {
    return html`<g>${title}<rect class="bar-none" x="${x}" y="${HEIGHT - EMPTY_HEIGHT}" width="${BAR_WIDTH}" height="${EMPTY_HEIGHT}"/></g>`
  }
  const down = upShare === 1 ? 0 : Math.round(HEIGHT * Math.max(MIN_DOWN_SHARE, 1 - upShare))
  return html`<g>${title}<rect class="bar-up" x="${x}" y="${down}" width="${BAR_WIDTH}" height="${HEIGHT - down}"/>${down > 0 && html`<rect class="bar-down" x="${x}" y="0" width="${BAR_WIDTH}" height="${down}"/>`}</g>`
}
