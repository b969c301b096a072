// Administration → Providers: for each provider what it serves, its health, and its costs and caps this month; then
// what each search engine contributed, a form to try one, the catalogue, and recent state changes. Current health is
// shown even while the database, and with it history and costs, is unavailable.

import type { ProviderCost } from '../../budget/cost-ledger.ts'
import type { ProviderStatus } from '../../health/provider-status.ts'
import { firstDayMs, type ProviderTransition } from '../../health/transition-history.ts'
import type { Log } from '../../log.ts'
import { dayOf, monthOf } from '../../text/utc-day.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { emptyState, notice, stateWord } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import type { SpentQuota } from '../site-services.ts'
import { catalogueSection, contributionsSection, tryForm } from './engine-tables.ts'
import { keylessSection } from './keyless-page.ts'
import { costLine, dollars } from './provider-costs.ts'
import { HISTORY_DAYS, roleRow } from './provider-roles.ts'
import { spentLine } from './spent-quota.ts'

const CHANGE_DAYS = 30
const MOST_CHANGES = 100

/** One provider, and everything it serves. */
interface ListedProvider {
  slug: string
  name: string
  roles: readonly ProviderStatus[]
}

export const providersPage = definePage({
  method: 'GET',
  path: '/admin/providers',
  access: 'admin',
  async handle(context) {
    const { services, words } = context
    const now = services.clock()
    const [statuses, costs, transitions, contributions, spent, keyless] = await Promise.all([
      services.status.list(),
      orNothing(services.log, services.costs.ofMonth(monthOf(now))),
      orNothing(services.log, services.transitions(firstDayMs(now, HISTORY_DAYS))),
      orNothing(services.log, services.engines.contributions(dayOf(firstDayMs(now, CHANGE_DAYS)))),
      services.engines.spentQuotas(),
      orNothing(services.log, services.keyless.read()),
    ])
    const text = words.admin.providers
    const costsBy = costs && new Map(costs.map((cost) => [cost.provider, cost]))
    const providers = listedOf(statuses)
    const found = { costs: costsBy, transitions, spent: new Map(spent.map((quota) => [quota.slug, quota])) }
    const content = html`${costs && html`<p>${monthLine(context, costs)}</p>`}
${!costs && notice('partial', text.noCosts)}${!transitions && notice('partial', words.status.noHistory)}
${providers.length === 0 ? emptyState({ title: text.empty, help: text.emptyHelp }) : html`<ul class="providers">${providers.map((provider) => providerItem(context, provider, found))}</ul>`}
<p class="help measure">${text.hidden}</p>
${contributions ? contributionsSection(context, CHANGE_DAYS, contributions) : notice('partial', words.admin.engines.unreadable)}
${tryForm(context)}
${keylessSection(context, keyless)}
${catalogueSection(context)}
${transitions && changesOf(context, providers, transitions)}`
    return {
      title: text.title,
      layout: 'wide',
      body: settingsFrame(context, '/admin/providers', { title: text.title, content }),
    }
  },
})

async function orNothing<Found>(log: Log, reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading
  } catch (error) {
    log.warn({ err: new Error('could not read the history or costs of the providers', { cause: error }) })
    return undefined
  }
}

const listedOf = (statuses: readonly ProviderStatus[]): ListedProvider[] =>
  [...Map.groupBy(statuses, ({ provider }) => provider)].map(([slug, roles]) => ({
    slug,
    name: roles[0]?.name ?? slug,
    roles,
  }))

function monthLine({ words, locale, services }: PageContext, costs: readonly ProviderCost[]): string {
  const text = words.admin.providers
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const calls = costs.reduce((sum, cost) => sum + cost.calls, 0)
  const micros = costs.reduce((sum, cost) => sum + cost.micros, 0)
  return text.month(
    month.format(services.clock()),
    text.callCount(calls, new Intl.NumberFormat(locale).format(calls)),
    dollars(micros, locale),
  )
}

interface Found {
  costs: ReadonlyMap<string, ProviderCost> | undefined
  transitions: readonly ProviderTransition[] | undefined
  spent: ReadonlyMap<string, SpentQuota>
}

function providerItem(
  context: PageContext,
  { slug, name, roles }: ListedProvider,
  { costs, transitions, spent }: Found,
): Html {
  const budget = context.services.costs.budgets.get(slug)
  const quota = spent.get(slug)
  const cost = costs && (costs.get(slug) ?? { provider: slug, calls: 0, micros: 0 })
  return html`<li class="provider"><div class="provider-head"><h2>${name}</h2><code class="quiet">${slug}</code></div>
<ul class="roles" aria-label="${context.words.admin.providers.serves}">${roles.map((role) => roleRow(context, role, transitions))}</ul>
${quota && spentLine(context, quota)}${cost && costLine(context, cost, budget)}</li>`
}

function changesOf(
  context: PageContext,
  providers: readonly ListedProvider[],
  transitions: readonly ProviderTransition[],
): Html {
  const { words, locale, services } = context
  const text = words.admin.providers
  const since = firstDayMs(services.clock(), CHANGE_DAYS)
  const changes = transitions.filter((change) => change.at >= since && isNews(change)).toReversed()
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const names = new Map(providers.map(({ slug, name }) => [slug, name]))
  const columns: Column<ProviderTransition>[] = [
    {
      label: text.provider,
      isHeading: true,
      cell: ({ provider, group }) =>
        html`<span>${names.get(provider) ?? provider} <span class="beside">${words.status.groups[group] ?? group}</span></span>`,
    },
    {
      label: text.when,
      cell: ({ at }) => html`<time datetime="${new Date(at).toISOString()}">${moments.format(at)} UTC</time>`,
    },
    { label: text.state, cell: ({ to }) => stateWord(to, words.status.states[to]) },
    {
      label: text.reason,
      cell: ({ reason }) => (reason === 'ok' ? text.ok : (words.status.troubles[reason] ?? reason)),
    },
  ]
  const left = changes.length - MOST_CHANGES
  return html`<section class="stack"><h2>${text.changes}</h2>
<p>${changes.length === 0 ? text.noChanges(CHANGE_DAYS) : text.changesHelp(CHANGE_DAYS)}</p>
${changes.length > 0 && dataTable(text.changes, columns, changes.slice(0, MOST_CHANGES))}
${left > 0 && html`<p class="quiet">${text.more(left)}</p>`}</section>`
}

/** A provider that responds to its first call is no news. */
const isNews = ({ from, to }: ProviderTransition): boolean => from !== 'unknown' || to === 'down'
