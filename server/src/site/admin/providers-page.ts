// Administration → Providers: for each provider what it serves, its health, and its costs and caps this month; then
// what each search engine contributed, and recent state changes. Current health is shown even while the database, and with it history and costs, is unavailable.
import type { CostReader, ProviderCost } from '../../budget/cost-ledger.ts'
import type { BudgetSettings } from '../../budget/provider-budget.ts'
import type { ProviderStatus, ProviderStatusBoard } from '../../health/provider-status.ts'
import type { TransitionHistory } from '../../health/transition-history.ts'
import { type DayHistory, dayHistory, firstDayMs, type ProviderTransition } from '../../health/transition-history.ts'
import type { Log } from '../../log.ts'
import { dayOf, endOfMonth, monthOf } from '../../text/utc-day.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { findText } from '../i18n/messages.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { capitalised, dollars, PRICE_DIGITS } from '../parts/formats.ts'
import { emptyState, meter, notice, stateWord } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { dayBars, daysToShow } from '../status/day-bars.ts'
import { contributionsSection } from './contributions.ts'
import type { EngineAdmin, SpentQuota } from './engine-admin.ts'

export interface ProvidersPageParts {
  /** The health of the private engines, for administrators only. */
  mineStatus: ProviderStatusBoard
  status: ProviderStatusBoard
  transitions: TransitionHistory['read']
  costs: CostReader
  engines: EngineAdmin
}

const HISTORY_DAYS = 90
const RECENT_DAYS = 30
const MAX_CHANGES = 100

/** One provider, and everything it serves. */
interface ListedProvider {
  slug: string
  name: string
  roles: readonly ProviderStatus[]
}

export const providersPage = (parts: ProvidersPageParts) =>
  definePage({
    method: 'GET',
    path: '/admin/providers',
    access: 'admin',
    async handle(context) {
      const { clock, log, words } = context
      const now = clock()
      const [listed, mine, costs, transitions, contributions, spent] = await Promise.all([
        parts.status.list(),
        parts.mineStatus.list(),
        orUndefined(log, parts.costs.ofMonth(monthOf(now))),
        orUndefined(log, parts.transitions(firstDayMs(now, HISTORY_DAYS))),
        orUndefined(log, parts.engines.contributions(dayOf(firstDayMs(now, RECENT_DAYS)))),
        parts.engines.spentQuotas(),
      ])
      const statuses = [...listed, ...mine]
      const text = words.admin.providers
      const costsByProvider = costs && new Map(costs.map((cost) => [cost.provider, cost]))
      const providers = troubledFirst(groupByProvider(statuses), new Set(spent.map(({ slug }) => slug)))
      const histories = new Map(statuses.map((role) => [role, transitions && historyOf(role, transitions, now)]))
      const dayCount = daysToShow([...histories.values()].map((history) => history?.days))
      const quotas = new Map(spent.map((quota) => [quota.slug, quota]))
      const data = { costs: costsByProvider, histories, dayCount, spent: quotas }
      const index = [
        contributions && ['contributions', words.admin.contributions.title],
        transitions && ['changes', text.changes],
      ]
      const content = html`<nav class="page-index" aria-label="${text.index}"><ul>${index.map((entry) => entry && html`<li><a href="#${entry[0]}">${entry[1]}</a></li>`)}</ul></nav>${costs && html`<p>${monthLine(context, costs)}</p>`}
${!costs && notice('partial', text.noCosts)}${!transitions && notice('partial', words.status.noHistory)}
${providers.length === 0 ? emptyState({ title: text.empty, help: text.emptyHelp }) : html`<ul class="providers">${providers.map((provider) => providerItem(parts, context, provider, data))}</ul>`}
<p class="help measure">${text.hidden}</p>
${contributions ? contributionsSection(parts.engines, context, RECENT_DAYS, contributions) : notice('partial', words.admin.contributions.unreadable)}
${transitions && changesSection(context, providers, transitions)}`
      return settingsView(context, '/admin/providers', { title: text.title, content })
    },
  })

/** Returns undefined if the database can't be read. */
async function orUndefined<Value>(log: Log, reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    log.warn({ err: new Error('could not read the history or costs of the providers', { cause: error }) })
    return undefined
  }
}

const groupByProvider = (statuses: readonly ProviderStatus[]): ListedProvider[] =>
  [...Map.groupBy(statuses, ({ provider }) => provider)].map(([slug, roles]) => ({
    slug,
    name: roles[0]?.name ?? slug,
    roles,
  }))

/** Providers that are down, or whose daily calls are used up, come first. */
const troubledFirst = (providers: readonly ListedProvider[], spent: ReadonlySet<string>): ListedProvider[] => {
  const isTroubled = ({ slug, roles }: ListedProvider) =>
    spent.has(slug) || roles.some(({ health }) => health?.state === 'down')
  return providers.toSorted((one, other) => Number(isTroubled(other)) - Number(isTroubled(one)))
}

function monthLine({ words, locale, clock }: PageContext, costs: readonly ProviderCost[]): string {
  const text = words.admin.providers
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const calls = costs.reduce((sum, cost) => sum + cost.calls, 0)
  const micros = costs.reduce((sum, cost) => sum + cost.micros, 0)
  return text.month({
    month: capitalised(month.format(clock()), locale),
    calls: text.callCount({ count: calls }),
    money: dollars(micros, locale),
  })
}

/** What is known about the providers besides their health. */
interface ProviderData {
  costs: ReadonlyMap<string, ProviderCost> | undefined
  /** undefined: the database can't be read. */
  histories: ReadonlyMap<ProviderStatus, DayHistory | undefined>
  dayCount: number
  spent: ReadonlyMap<string, SpentQuota>
}

function providerItem(
  parts: Pick<ProvidersPageParts, 'costs' | 'engines'>,
  context: PageContext,
  { slug, name, roles }: ListedProvider,
  { costs, histories, dayCount, spent }: ProviderData,
): Html {
  const budget = parts.costs.budgets.get(slug)
  const quota = spent.get(slug)
  const cost = costs && (costs.get(slug) ?? { provider: slug, calls: 0, micros: 0 })
  return html`<li class="provider"><div class="provider-head"><h2>${name}</h2><code class="quiet">${slug}</code></div>
<ul class="roles" aria-label="${context.words.admin.providers.serves}">${roles.map((role) => roleRow(context, role, { history: histories.get(role), dayCount }))}</ul>
${quota && spentLine(parts.engines, context, quota)}${cost && costLine(context, cost, budget)}</li>`
}

const stateOf = ({ health }: ProviderStatus) => health?.state ?? 'unknown'

function historyOf(role: ProviderStatus, transitions: readonly ProviderTransition[], now: number): DayHistory {
  const itsTransitions = transitions.filter((one) => one.provider === role.provider && one.group === role.group)
  return dayHistory({ transitions: itsTransitions, state: stateOf(role), now, dayCount: HISTORY_DAYS })
}

interface ShownHistory {
  history: DayHistory | undefined
  dayCount: number
}

/** One role of a provider, such as web search: its last days, what is wrong, and what to do about it. */
function roleRow(context: PageContext, role: ProviderStatus, { history, dayCount }: ShownHistory): Html {
  const text = context.words.status
  const state = stateOf(role)
  const reason = history?.reason ?? ''
  return html`<li class="role"><span class="role-name">${findText(text.groups, role.group) ?? role.group}${role.slug !== role.provider && html` <span class="quiet">${role.slug}</span>`}</span>
${history && roleHistory(context, history, dayCount)}
${stateWord(state, text.states[state])}
${state === 'down' && html`<p class="provider-trouble">${findText(text.troubles, reason) ?? role.health?.lastError} ${findText(text.advice, reason)}</p>`}</li>`
}

function roleHistory({ words, locale }: PageContext, { days, upShare }: DayHistory, dayCount: number): Html {
  const text = words.status
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const summary = upShare === undefined ? text.noData : text.upShare({ share: percent.format(upShare) })
  const dayText = (day: string, share: number | undefined) =>
    share === undefined
      ? text.dayWithoutData({ day: dates.format(new Date(day)) })
      : text.day({ day: dates.format(new Date(day)), share: percent.format(share) })
  return html`${dayBars(days.slice(-dayCount), { summary, day: ({ day, upShare }) => dayText(day, upShare) })}
<span class="role-share" aria-hidden="true">${upShare === undefined ? '–' : percent.format(upShare)}</span>`
}

/** For a provider whose daily calls are used up: when calls resume, and what an operator can do about it. */
function spentLine(
  engines: EngineAdmin,
  { words, locale, clock }: PageContext,
  { slug, calls, waitMs }: SpentQuota,
): Html {
  const text = words.admin.spent
  const resumesAt = clock() + waitMs
  const dateTimes = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const { catalogue } = engines
  const keyedSlug = catalogue.find((entry) => entry.slug === slug)?.tierOf
  const keyedTier = catalogue.find((entry) => entry.slug === keyedSlug)
  const remedy = keyedTier
    ? text.addKey({ settings: keyedTier.needs.join(', '), slug: keyedTier.slug, free: slug })
    : text.largerPlan({ setting: `${slug.toUpperCase()}_RATE_LIMIT` })
  const line = text.line({
    calls: new Intl.NumberFormat(locale).format(calls),
    when: `${dateTimes.format(resumesAt)} UTC`,
  })
  return notice('partial', html`<p>${line} ${remedy}</p>`)
}

/** The calls and costs of this month, against the operator's caps. Amounts are in US dollars. */
function costLine(context: PageContext, cost: ProviderCost, budget: BudgetSettings | undefined): Html {
  const { callsPerMonth, microsPerMonth, pricePerCallMicros = 0 } = budget ?? {}
  const isCapped = callsPerMonth !== undefined || microsPerMonth !== undefined
  const isOverBudget =
    (callsPerMonth !== undefined && cost.calls >= callsPerMonth) ||
    (microsPerMonth !== undefined && cost.micros + pricePerCallMicros > microsPerMonth)
  return html`<div class="provider-costs">${isCapped && capMeters(context, cost, { callsPerMonth, microsPerMonth, pricePerCallMicros })}
<p>${costSentence(context, cost, pricePerCallMicros)}${!isCapped && pricePerCallMicros > 0 && html` ${context.words.admin.providers.noCap({ setting: `${cost.provider.toUpperCase()}_MONTHLY_USD` })}`}</p>
${isOverBudget && html`<p class="provider-trouble">${context.words.admin.providers.spent({ day: nextMonth(context) })}</p>`}</div>`
}

function costSentence({ words, locale }: PageContext, { calls, micros }: ProviderCost, price: number): string {
  const text = words.admin.providers
  if (calls === 0) return text.idle
  const callText = text.callCount({ count: calls })
  return price === 0 && micros === 0
    ? text.unpaid({ calls: callText })
    : text.paid({ calls: callText, money: dollars(micros, locale), price: dollars(price, locale, PRICE_DIGITS) })
}

function capMeters({ words, locale }: PageContext, cost: ProviderCost, budget: BudgetSettings): Html {
  const text = words.admin.providers
  const numbers = new Intl.NumberFormat(locale)
  const { callsPerMonth, microsPerMonth } = budget
  return html`<div class="usage-limits">${
    microsPerMonth !== undefined &&
    meter({
      label: text.money,
      value: cost.micros,
      max: microsPerMonth,
      text: text.of({ used: dollars(cost.micros, locale), most: dollars(microsPerMonth, locale) }),
    })
  }${
    callsPerMonth !== undefined &&
    meter({
      label: text.calls,
      value: cost.calls,
      max: callsPerMonth,
      text: text.of({ used: numbers.format(cost.calls), most: numbers.format(callsPerMonth) }),
    })
  }</div>`
}

const nextMonth = ({ locale, clock }: PageContext): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(endOfMonth(monthOf(clock())))

function changesSection(
  context: PageContext,
  providers: readonly ListedProvider[],
  transitions: readonly ProviderTransition[],
): Html {
  const { words, locale, clock } = context
  const text = words.admin.providers
  const since = firstDayMs(clock(), RECENT_DAYS)
  const changes = transitions.filter((change) => change.at >= since && isNoteworthy(change)).toReversed()
  const dateTimes = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const names = new Map(providers.map(({ slug, name }) => [slug, name]))
  const columns: Column<ProviderTransition>[] = [
    {
      label: text.provider,
      isHeading: true,
      cell: ({ provider, group }) =>
        html`<span>${names.get(provider) ?? provider} <span class="beside">${findText(words.status.groups, group) ?? group}</span></span>`,
    },
    {
      label: text.when,
      cell: ({ at }) => html`<time datetime="${new Date(at).toISOString()}">${dateTimes.format(at)} UTC</time>`,
    },
    { label: text.state, cell: ({ to }) => stateWord(to, words.status.states[to]) },
    {
      label: text.reason,
      cell: ({ reason }) => (reason === 'ok' ? text.ok : (findText(words.status.troubles, reason) ?? reason)),
    },
  ]
  const omitted = changes.length - MAX_CHANGES
  return html`<section class="stack" id="changes"><h2>${text.changes}</h2>
<p>${changes.length === 0 ? text.noChanges({ days: RECENT_DAYS }) : text.changesHelp({ days: RECENT_DAYS })}</p>
${changes.length > 0 && dataTable(text.changes, columns, changes.slice(0, MAX_CHANGES))}
${omitted > 0 && html`<p class="quiet">${text.more({ count: omitted })}</p>`}</section>`
}

/** That a provider responded to its first call isn't worth showing. */
const isNoteworthy = ({ from, to }: ProviderTransition): boolean => from !== 'unknown' || to === 'down'
