// One thing that a provider serves: its last 90 days, what is wrong, and what to do about it.

import type { ProviderStatus } from '../../health/provider-status.ts'
import { type DayHistory, dayHistory, type ProviderTransition } from '../../health/transition-history.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { stateWord } from '../parts/notice.ts'
import { dayBars } from '../status/day-bars.ts'

export const HISTORY_DAYS = 90

export function roleRow(
  context: PageContext,
  role: ProviderStatus,
  transitions: readonly ProviderTransition[] | undefined,
): Html {
  const text = context.words.status
  const state = role.health?.state ?? 'unknown'
  const own = transitions?.filter(({ provider, group }) => provider === role.provider && group === role.group)
  const history = own && dayHistory({ transitions: own, state, now: context.services.clock(), dayCount: HISTORY_DAYS })
  const kind = history?.reason ?? ''
  return html`<li class="role"><span class="role-name">${text.groups[role.group] ?? role.group}${role.slug !== role.provider && html` <span class="quiet">${role.slug}</span>`}</span>
${history && roleHistory(context, history)}
${stateWord(state, text.states[state])}
${state === 'down' && html`<p class="provider-trouble">${text.troubles[kind] ?? role.health?.lastError} ${text.advice[kind]}</p>`}</li>`
}

function roleHistory({ words, locale }: PageContext, { days, upShare }: DayHistory): Html {
  const text = words.status
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const summary = upShare === undefined ? text.noData : text.upShare(percent.format(upShare))
  const ofDay = (day: string, share: number | undefined) =>
    text.day(dates.format(new Date(day)), share === undefined ? undefined : percent.format(share))
  return html`${dayBars(days, { summary, day: ({ day, upShare }) => ofDay(day, upShare) })}
<span class="role-share" aria-hidden="true">${upShare === undefined ? '–' : percent.format(upShare)}</span>`
}
