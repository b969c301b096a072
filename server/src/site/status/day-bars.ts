// A provider's history as slim bars, one per day. A day without trouble is a full bar; downtime turns its share of the
// bar red from the top, but never so little that it can't be seen, and names the day on hover; a day without data is a
// low, empty bar. The summary is for readers who can't see the picture.
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
  const bars = days.map(({ upShare }, index) => ({ x: index * STEP, upShare, down: downHeight(upShare) }))
  // One shape for all days of a kind: with a shape for each, a page of providers would have thousands of nodes.
  const shape = (kind: string, path: string) => path !== '' && html`<path class="bar-${kind}" d="${path}"/>`
  const empty = bars.map(({ x, upShare }) => (upShare === undefined ? column(x, HEIGHT - EMPTY_HEIGHT, HEIGHT) : ''))
  const up = bars.map(({ x, upShare, down }) => (upShare === undefined ? '' : column(x, down, HEIGHT)))
  const troubled = days.map((day, index) => {
    const { x = 0, down = 0 } = bars[index] ?? {}
    return down > 0 && html`<path class="bar-down" d="${column(x, 0, down)}"><title>${labels.day(day)}</title></path>`
  })
  return html`<svg class="day-bars" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${labels.summary}">${shape('none', empty.join(''))}${shape('up', up.join(''))}${troubled}</svg>`
}

const downHeight = (upShare: number | undefined): number =>
  upShare === undefined || upShare === 1 ? 0 : Math.round(HEIGHT * Math.max(MIN_DOWN_SHARE, 1 - upShare))

const column = (x: number, top: number, bottom: number): string =>
  `M${x} ${top}h${BAR_WIDTH}v${bottom - top}h-${BAR_WIDTH}z`

/** The shortest history that is drawn: a single day would fill the line. */
const MIN_DAYS = 14

/** How many of the last days to draw: from the first day that any provider has data for. */
export function daysToShow(histories: readonly (readonly DayHealth[] | undefined)[]): number {
  const lengths = histories.map((days = []) => {
    const first = days.findIndex(({ upShare }) => upShare !== undefined)
    return first === -1 ? 0 : days.length - first
  })
  return Math.max(MIN_DAYS, ...lengths)
}
