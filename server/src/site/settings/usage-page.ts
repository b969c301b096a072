// Settings → Usage: the API requests with the reader's keys, for all keys together or for one. Another user's key is a
// 404.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import { findOwnKey } from '../../keys/keys.ts'
import { formatRate, parseRate } from '../../rate-limit/rate.ts'
import type { LimitStates, Limits, Rate, WindowState } from '../../rate-limit/rate-limiter.ts'
import { endOfMonth, monthOf } from '../../text/utc-day.ts'
import type { SignedInContext } from '../accounts/account-forms.ts'
import { nameOf, prefixOf } from '../accounts/key-pages.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { buttonLink } from '../parts/form.ts'
import { emptyState, meter, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { DAYS_SHOWN, firstDayNeeded, kindTable, lastDays, sumByKind, sumsOf, usageChart } from './usage-chart.ts'
import type { UsageReader } from './usage-reader.ts'

export interface UsagePageParts {
  accounts: Accounts
  usage: UsageReader
}

type Counts = Awaited<ReturnType<UsageReader['ofKeys']>>['counts']

const PATH = '/settings/usage'
const MAX_LISTED_KEYS = 50
/** If a user has more keys, only the first are counted. */
const MAX_SUMMED_KEYS = 1_000

/** The usage of a key, with the state of its limits if it is active. */
interface KeyUse {
  key: KeyRecord
  month: number
  days: number
  states: LimitStates | undefined
}

const UsageQuery = z.object({ key: z.string().optional().catch('') })

export const usagePage = ({ accounts, usage }: UsagePageParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    query: UsageQuery,
    async handle(context) {
      const { viewer, query } = context
      const { access } = accounts
      if (query.key !== undefined) {
        const key = await findOwnKey(access, { userId: viewer.userId, keyId: query.key })
        if (!key) throw new PageError('notFound')
        return await keyView(usage, context, key)
      }
      const keys = await listKeys(access, { username: viewer.username, limit: MAX_SUMMED_KEYS })
      return keys.length === 0 ? viewOf(context, noKeys(context)) : await allKeysView(usage, context, keys)
    },
  })

const viewOf = (context: SignedInContext, content: Html): View =>
  settingsView(context, PATH, { title: context.words.settings.usage.title, content })

const noKeys = ({ words }: SignedInContext): Html =>
  emptyState({
    title: words.settings.usage.empty,
    help: words.settings.usage.emptyHelp,
    action: buttonLink(words.accounts.keys.create, '/settings/keys/new', 'primary'),
  })

async function keyView(usage: UsageReader, context: SignedInContext, key: KeyRecord): Promise<View> {
  const { clock, words } = context
  const text = words.settings.usage
  const now = clock()
  const { counts, isComplete } = await usage.ofKeys([key.id], firstDayNeeded(now))
  const use = await useOf(usage, context, key, counts)
  return viewOf(
    context,
    html`${!isComplete && notice('partial', text.incomplete)}
<p><a href="${PATH}">${text.allKeys}</a></p>
<h2 class="usage-key">${nameOf(key, context)} ${prefixOf(key)}</h2>
${use.states ? html`<section class="usage-one">${limitMeters(usage, context, use, use.states)}<p class="help">${text.limitsHelp}</p></section>` : html`<p class="quiet">${words.accounts.keys.states[key.state]}</p>`}
${figures(context, counts)}`,
  )
}

async function allKeysView(usage: UsageReader, context: SignedInContext, keys: readonly KeyRecord[]): Promise<View> {
  const { clock, words } = context
  const text = words.settings.usage
  const now = clock()
  const { counts, isComplete } = await usage.ofKeys(
    keys.map(({ id }) => id),
    firstDayNeeded(now),
  )
  const countsOf = Map.groupBy(counts, ({ keyId }) => keyId)
  const ranked = keys
    .map((key) => ({ key, counts: countsOf.get(key.id) ?? [] }))
    .filter(({ key, counts }) => key.state === 'active' || counts.length > 0)
    .sort((one, other) => sumsOf(other.counts, now).days - sumsOf(one.counts, now).days)
  const uses = await Promise.all(
    ranked.slice(0, MAX_LISTED_KEYS).map(({ key, counts }) => useOf(usage, context, key, counts)),
  )
  const omitted = ranked.length - uses.length
  return viewOf(
    context,
    html`${!isComplete && notice('partial', text.incomplete)}
<p class="measure">${text.intro}</p>
${figures(context, counts)}
${
  uses.length > 0 &&
  html`<section class="stack"><h2>${text.byKey}</h2><p class="measure">${text.limitsHelp}</p>
${keyTable(usage, context, uses)}${omitted > 0 && html`<p class="quiet">${text.moreKeys({ count: omitted })}</p>`}</section>`
}`,
  )
}

function figures(context: SignedInContext, counts: Counts): Html {
  const now = context.clock()
  const kinds = sumByKind(counts, now)
  return html`${usageChart(context, lastDays(counts, now))}${kinds.length > 0 && kindTable(context, kinds)}`
}

/** Limits are read only for an active key. */
async function useOf(usage: UsageReader, { clock }: SignedInContext, key: KeyRecord, counts: Counts): Promise<KeyUse> {
  const { limits, peek } = usage
  const states = key.state === 'active' ? await peek(key, limitsOfKey(key, limits)) : undefined
  return { key, ...sumsOf(counts, clock()), states }
}

/** The key's own limits, or else the instance's. */
const limitsOfKey = ({ burst, sustained }: KeyRecord, limits: Limits): Limits => ({
  burst: parseRate(burst ?? '') ?? limits.burst,
  sustained: parseRate(sustained ?? '') ?? limits.sustained,
  monthlyCap: limits.monthlyCap,
})

function keyTable(usage: UsageReader, context: PageContext, keys: readonly KeyUse[]): Html {
  const text = context.words.settings.usage
  const numbers = new Intl.NumberFormat(context.locale)
  const { monthlyCap } = usage.limits
  const cap = monthlyCap !== undefined && numbers.format(monthlyCap)
  const columns: Column<KeyUse>[] = [
    {
      label: text.key,
      isHeading: true,
      cell: ({ key }) =>
        html`<span><a href="${addressOf('/settings/usage', { key: key.id })}">${nameOf(key, context)}</a><span class="key-prefix">${prefixOf(key)}</span></span>`,
    },
    {
      label: text.thisMonth,
      isNumber: true,
      cell: ({ month }) => (cap ? text.of({ used: numbers.format(month), most: cap }) : numbers.format(month)),
    },
    { label: text.days({ days: DAYS_SHOWN }), isNumber: true, cell: ({ days }) => numbers.format(days) },
    {
      label: text.limits,
      cell: ({ key, states }) =>
        states
          ? html`<div class="usage-limits">${windowMeters(usage, context, key, states)}</div>`
          : html`<span class="quiet">${context.words.accounts.keys.states[key.state]}</span>`,
    },
  ]
  return dataTable(text.byKey, columns, keys)
}

/** How much of each limit is used: burst, sustained, and the month if it is capped. */
function limitMeters(usage: UsageReader, context: PageContext, { key, month }: KeyUse, states: LimitStates): Html {
  const { words, locale, clock } = context
  const text = words.settings.usage
  const { monthlyCap: max } = usage.limits
  const isMonthUsed = max !== undefined && month >= max
  const waits = [waitOf(states.burst), waitOf(states.sustained), isMonthUsed ? restOfMonth(clock()) : 0]
  const waitSeconds = Math.max(...waits)
  return html`<div class="usage-limits">${windowMeters(usage, context, key, states)}${
    max !== undefined && meter({ label: text.thisMonth, value: month, max, text: usedOfMax(context, month, max) })
  }</div>${waitSeconds > 0 && html`<p>${text.full({ when: formatWait(waitSeconds, locale) })}</p>`}`
}

function windowMeters(usage: UsageReader, context: PageContext, key: KeyRecord, states: LimitStates): Html {
  const { words } = context
  const limits = limitsOfKey(key, usage.limits)
  const windowMeter = (rate: Rate, { remaining }: WindowState) => {
    const [value, max] = [rate.count - remaining, rate.count]
    return meter({
      label: windowName(rate, words.settings.usage.windows),
      value,
      max,
      text: usedOfMax(context, value, max),
    })
  }
  return html`${windowMeter(limits.burst, states.burst)}${windowMeter(limits.sustained, states.sustained)}`
}

function usedOfMax({ words, locale }: PageContext, value: number, max: number): string {
  const numbers = new Intl.NumberFormat(locale)
  return words.settings.usage.of({ used: numbers.format(value), most: numbers.format(max) })
}

const waitOf = ({ remaining, resetSeconds }: WindowState): number => (remaining === 0 ? resetSeconds : 0)

const restOfMonth = (now: number): number => Math.ceil((endOfMonth(monthOf(now)) - now) / 1_000)

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `in 38 seconds` or `in 9 hours`: uses the largest unit of which there are at least two. */
function formatWait(seconds: number, locale: string): string {
  const words = new Intl.RelativeTimeFormat(locale)
  const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1]
  return words.format(Math.ceil(seconds / length), unit)
}

/** `60/min` → in the last minute. A window is always one unit long. */
const windowName = (rate: Rate, names: Record<string, string>): string => {
  const unit = formatRate(rate).split('/')[1] ?? ''
  return names[unit] ?? formatRate(rate)
}
