// A timer that counts down in the browser, by `assets/tools/timer.js`. It is also what `timer 5 minutes` shows. Without
// script it can't run, so it says when it would end; the server doesn't know the reader's time zone.
import type { timer } from '@bowerbird/answers/time/timer.ts'
import type { z } from 'zod'
import { clockDuration } from '../../text/durations.ts'
import { type Html, html } from '../http/html.ts'
import { defineTool } from './define-tool.ts'

const DEFAULT_SECONDS = 300
const MAX_SECONDS = 86_400

const UNITS = [
  { field: 'h', unit: 'hours', seconds: 3600, most: 24 },
  { field: 'm', unit: 'minutes', seconds: 60, most: 1440 },
  { field: 's', unit: 'seconds', seconds: 1, most: 86_400 },
] as const

export const timerTool = defineTool({
  name: 'timer',
  title: ({ tools }) => tools.timer.title,
  summary: ({ tools }) => tools.timer.summary,
  calls: {
    en: ['timer', 'online timer', 'timer online', 'countdown timer', 'set timer', 'set a timer', 'start timer'],
    fr: ['minuteur', 'minuteur en ligne', 'minuteur online'],
    de: ['timer', 'timer online', 'online-timer', 'timer stellen'],
    es: ['temporizador', 'temporizador online', 'temporizador en línea'],
    it: ['timer', 'timer online', 'conto alla rovescia'],
    pt: ['temporizador', 'temporizador online', 'timer online'],
    nl: ['timer', 'timer online', 'online timer'],
    pl: ['minutnik', 'minutnik online'],
  },
  fields: ['h', 'm', 's'],
  script: 'timer',
  paramsOf(answer) {
    if (answer.type !== 'timer') return undefined
    // The type of an answer identifies its declaration.
    const { seconds } = answer as unknown as z.output<(typeof timer)['reply']>
    return { s: String(seconds) }
  },
  view({ words: { tools }, locale, clock }, params) {
    const { start, pause, reset } = tools
    const { over, ends, more, needsScript, ...labels } = tools.timer
    const length = secondsOf(params)
    const endsAt = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
      clock() + length * 1000,
    )
    const fieldOf = ({ field, unit, seconds, most }: (typeof UNITS)[number], at: number): Html => {
      const larger = UNITS[at - 1]?.seconds ?? Number.POSITIVE_INFINITY
      return html`<label>${labels[unit]} <input type="number" name="${field}" min="0" max="${most}" inputmode="numeric" value="${Math.floor((length % larger) / seconds)}" data-seconds="${seconds}"></label>`
    }
    return html`<form class="tool-form" method="get" action="/tools/timer">
<p class="tool-value" role="timer" data-value data-over="${over}">${clockDuration(length)}</p>
<p class="answer-note tool-note" data-end data-ends="${ends({ time: '{time}' })}"><noscript>${needsScript({ time: `${endsAt} UTC` })}</noscript></p>
<div class="tool-fields">${UNITS.map(fieldOf)}</div>
<div class="actions"><button type="submit" class="button button-primary" data-do="toggle" data-pause="${pause}">${start}</button>
<button type="button" class="button button-plain needs-script" data-do="more">${more}</button>
<button type="button" class="button button-plain needs-script" data-do="reset">${reset}</button></div></form>`
  },
})

/** What isn't a number counts as 0, and no timer runs for longer than a day. */
function secondsOf(params: Readonly<Record<'h' | 'm' | 's', string>>): number {
  if (UNITS.every(({ field }) => params[field] === '')) return DEFAULT_SECONDS
  const counts = UNITS.map(({ field, seconds }) =>
    /^\d{1,5}$/.test(params[field]) ? Number(params[field]) * seconds : 0,
  )
  return Math.min(
    MAX_SECONDS,
    counts.reduce((sum, count) => sum + count, 0),
  )
}
