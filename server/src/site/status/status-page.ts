// GET /status: which providers are up, how their last 90 days were, what is wrong and, for administrators, what to do
// about it.
import { Refusal } from '../../errors.ts'
import type { ProviderStatus, ProviderStatusBoard } from '../../health/provider-status.ts'
import type { TransitionHistory } from '../../health/transition-history.ts'
import { type DayHistory, dayHistory, firstDayMs, type ProviderTransition } from '../../health/transition-history.ts'
import type { EngineAdmin } from '../admin/engine-admin.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { findText, type Words } from '../i18n/messages.ts'
import { emptyState, notice, stateWord } from '../parts/notice.ts'
import { dayBars, daysToShow } from './day-bars.ts'

export interface StatusPageParts {
  /** The health of the private engines, for administrators only. */
  mineStatus: ProviderStatusBoard
  status: ProviderStatusBoard
  transitions: TransitionHistory['read']
  engines: EngineAdmin
}

const DAYS = 90

export const statusPage = (parts: StatusPageParts) =>
  definePage({
    method: 'GET',
    path: '/status',
    access: 'searcher',
    quota: 'status',
    async handle(context) {
      const { clock, words, viewer } = context
      const now = clock()
      const [listed, mine, transitions] = await Promise.all([
        parts.status.list(),
        viewer?.isAdmin && parts.mineStatus.list(),
        readTransitions(parts.transitions, firstDayMs(now, DAYS)),
      ])
      const providers = [...listed, ...(mine || [])]
      const text = words.status
      const rows = providers.map((provider) => ({ provider, history: historyOf(provider, transitions, now) }))
      const dayCount = daysToShow(rows.map(({ history }) => history?.days))
      // What is down comes first, in its group and with its group.
      const downFirst = rows.toSorted((one, other) => Number(isDown(other.provider)) - Number(isDown(one.provider)))
      const groups = Map.groupBy(downFirst, ({ provider }) => provider.group)
      const rowOf = ({ provider, history }: (typeof rows)[number]) =>
        providerRow(context, provider, { history, dayCount })
      return {
        title: text.title,
        body: html`<h1>${text.title}</h1>${headline(providers, text)}${withoutContract(parts.engines, context, providers)}
${transitions === undefined && notice('partial', text.noHistory)}
${providers.length === 0 && emptyState({ title: text.empty, help: text.emptyHelp })}
${providers.length > 0 && html`<p class="help">${text.barsHelp({ days: dayCount })}</p>`}
${[...groups].map(([group, members]) => html`<section class="status-group"><h2>${findText(text.groups, group) ?? group}</h2><ul class="providers">${members.map(rowOf)}</ul></section>`)}`,
      }
    },
  })

/** Readers should know which providers see their searches without a contract. */
function withoutContract(
  engines: EngineAdmin,
  { words, locale }: PageContext,
  providers: readonly ProviderStatus[],
): Html | false {
  const slugs = new Set(engines.catalogue.filter((entry) => entry.hasNoContract).map(({ slug }) => slug))
  const names = new Set(providers.filter(({ provider }) => slugs.has(provider)).map(({ name }) => name))
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
  return names.size > 0 && html`<p class="measure">${words.status.withoutContract({ names: list })}</p>`
}

/** `undefined`: the database is unavailable. The current states are still known. */
async function readTransitions(
  read: (sinceMs: number) => Promise<ProviderTransition[]>,
  sinceMs: number,
): Promise<ProviderTransition[] | undefined> {
  try {
    return await read(sinceMs)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return undefined
  }
}

const stateOf = ({ health }: ProviderStatus) => health?.state ?? 'unknown'
const isDown = (provider: ProviderStatus): boolean => stateOf(provider) === 'down'

function historyOf(
  provider: ProviderStatus,
  transitions: readonly ProviderTransition[] | undefined,
  now: number,
): DayHistory | undefined {
  if (!transitions) return undefined
  const itsTransitions = transitions.filter((one) => one.provider === provider.provider && one.group === provider.group)
  return dayHistory({ transitions: itsTransitions, state: stateOf(provider), now, dayCount: DAYS })
}

function headline(providers: readonly ProviderStatus[], text: Words['status']): Html {
  const down = providers.filter(isDown).length
  if (down > 0)
    return notice(down === providers.length ? 'bad' : 'partial', text.someDown({ down, all: providers.length }))
  const unknown = providers.filter((provider) => stateOf(provider) === 'unknown').length
  return notice('good', unknown === 0 ? text.allUp : text.noneDown({ unknown }))
}

interface ShownHistory {
  /** undefined: the database is unavailable. */
  history: DayHistory | undefined
  dayCount: number
}

/** One line: name, bars, share of the time, state; below it, what is wrong. */
function providerRow(context: PageContext, provider: ProviderStatus, { history, dayCount }: ShownHistory): Html {
  const { locale, words, viewer } = context
  const text = words.status
  const state = stateOf(provider)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const kind = history?.reason ?? ''
  const summary =
    history?.upShare === undefined ? text.noData : text.upShare({ share: percent.format(history.upShare) })
  const days = history?.days.slice(-dayCount) ?? []
  const dayText = ({ day, upShare }: (typeof days)[number]) =>
    upShare === undefined
      ? text.dayWithoutData({ day: dates.format(new Date(day)) })
      : text.day({ day: dates.format(new Date(day)), share: percent.format(upShare) })
  const share = history?.upShare === undefined ? '' : percent.format(history.upShare)
  return html`<li class="provider"><div class="provider-line"><h3>${provider.name}${provider.slug !== provider.provider && html` <span class="quiet">${provider.slug}</span>`}</h3>
${days.length > 0 && dayBars(days, { summary: `${text.daysAgo({ days: dayCount })} – ${text.today}. ${summary}`, day: dayText })}
<span class="role-share" title="${summary}">${share}</span>${stateWord(state, text.states[state])}</div>
${isDown(provider) && html`<p class="provider-trouble">${findText(text.troubles, kind) ?? provider.health?.lastError}${viewer?.isAdmin && findText(text.advice, kind) && html` ${findText(text.advice, kind)}`}</p>`}</li>`
}
