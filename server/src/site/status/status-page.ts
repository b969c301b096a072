// GET /status: which providers are up, how their last 90 days were, what is wrong and, for administrators, what to do
// about it.
import { Refusal } from '../../errors.ts'
import type { ProviderStatus } from '../../health/provider-status.ts'
import { type DayHistory, dayHistory, firstDayMs, type ProviderTransition } from '../../health/transition-history.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import type { StatusWords } from '../i18n/en/site.ts'
import { emptyState, notice, stateWord } from '../parts/notice.ts'
import { dayBars } from './day-bars.ts'

const DAYS = 90

export const statusPage = definePage({
  method: 'GET',
  path: '/status',
  access: 'searcher',
  quota: 'status',
  async handle(context) {
    const { services, words } = context
    const now = services.clock()
    const [providers, transitions] = await Promise.all([
      services.status.list(),
      readTransitions(services.transitions, firstDayMs(now, DAYS)),
    ])
    const text = words.status
    const groups = Map.groupBy(providers, ({ group }) => group)
    const rowOf = (provider: ProviderStatus) => providerRow(context, provider, historyOf(provider, transitions, now))
    return {
      title: text.title,
      body: html`<h1>${text.title}</h1>${headline(providers, text)}${withoutContract(context, providers)}
${transitions === undefined && notice('partial', text.noHistory)}
${providers.length === 0 && emptyState({ title: text.empty, help: text.emptyHelp })}
${[...groups].map(([group, members]) => html`<section class="status-group"><h2>${text.groups[group] ?? group}</h2><ul class="providers">${members.map(rowOf)}</ul></section>`)}`,
    }
  },
})

/** Readers should know which providers see their searches without a contract. */
function withoutContract({ words, locale, services }: PageContext, providers: readonly ProviderStatus[]): Html | false {
  const slugs = new Set(services.engines.catalogue.filter((entry) => entry.hasNoContract).map(({ slug }) => slug))
  const names = new Set(providers.filter(({ provider }) => slugs.has(provider)).map(({ name }) => name))
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
  return names.size > 0 && html`<p class="measure">${words.status.withoutContract(list)}</p>`
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

function historyOf(
  provider: ProviderStatus,
  transitions: readonly ProviderTransition[] | undefined,
  now: number,
): DayHistory | undefined {
  if (!transitions) return undefined
  const itsTransitions = transitions.filter((one) => one.provider === provider.provider && one.group === provider.group)
  return dayHistory({ transitions: itsTransitions, state: stateOf(provider), now, dayCount: DAYS })
}

function headline(providers: readonly ProviderStatus[], text: StatusWords): Html {
  const down = providers.filter((provider) => stateOf(provider) === 'down').length
  if (down > 0) return notice(down === providers.length ? 'bad' : 'partial', text.someDown(down, providers.length))
  const unknown = providers.filter((provider) => stateOf(provider) === 'unknown').length
  return notice('good', unknown === 0 ? text.allUp : text.noneDown(unknown))
}

function providerRow(context: PageContext, provider: ProviderStatus, history: DayHistory | undefined): Html {
  const { locale, words, viewer } = context
  const text = words.status
  const state = stateOf(provider)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const isDown = state === 'down'
  const kind = history?.reason ?? ''
  const summary = history?.upShare === undefined ? text.noData : text.upShare(percent.format(history.upShare))
  return html`<li class="provider"><div class="provider-head"><h3>${provider.name}</h3>${provider.slug !== provider.provider && html`<span class="quiet">${provider.slug}</span>`}${stateWord(state, text.states[state])}</div>
${history && dayBars(history.days, { summary, day: ({ day, upShare }) => text.day(dates.format(new Date(day)), upShare === undefined ? undefined : percent.format(upShare)) })}
<div class="provider-foot"><span>${text.daysAgo(DAYS)}</span><span>${summary}</span><span>${text.today}</span></div>
${isDown && html`<p class="provider-trouble">${text.troubles[kind] ?? provider.health?.lastError}${viewer?.isAdmin && text.advice[kind] && html` ${text.advice[kind]}`}</p>`}</li>`
}
