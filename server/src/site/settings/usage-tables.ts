// Usage tables: by kind of request, and by key with the state of its limits.
import type { KeyRecord } from '../../keys/key-records.ts'
import { formatRate, parseRate } from '../../rate-limit/rate.ts'
import type { LimitStates, Limits, Rate, WindowState } from '../../rate-limit/rate-limiter.ts'
import { endOfMonth, monthOf } from '../../text/utc-day.ts'
import { nameOf, prefixOf } from '../accounts/key-pages.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { meter } from '../parts/gauge.ts'
import { DAYS_SHOWN, type KindSum } from './usage-days.ts'

type Reader = Pick<PageContext, 'words' | 'locale'>

export function kindTable({ words, locale }: Reader, kinds: readonly KindSum[]): Html {
  const text = words.settings.usage
  const numbers = new Intl.NumberFormat(locale)
  const sum = (of: (kind: KindSum) => number) => kinds.reduce((total, kind) => total + of(kind), 0)
  const total = { endpoint: '', month: sum(({ month }) => month), days: sum(({ days }) => days) }
  const columns: Column<KindSum>[] = [
    {
      label: text.kind,
      isHeading: true,
      cell: ({ endpoint }) => (endpoint === '' ? text.total : (text.kinds[endpoint] ?? endpoint)),
    },
    { label: text.thisMonth, isNumber: true, cell: ({ month }) => numbers.format(month) },
    { label: text.days(DAYS_SHOWN), isNumber: true, cell: ({ days }) => numbers.format(days) },
  ]
  return html`<section class="stack"><h2>${text.byKind}</h2>
<div class="usage-table">${dataTable(text.byKind, columns, kinds.length > 1 ? [...kinds, total] : kinds)}</div></section>`
}

/** The usage of a key, with the state of its limits if it is active. */
export interface KeyUse {
  key: KeyRecord
  month: number
  days: number
  states: LimitStates | undefined
}

/** The key's own limits, or else the instance's. */
export const limitsOfKey = ({ burst, sustained }: KeyRecord, limits: Limits): Limits => ({
  burst: parseRate(burst ?? '') ?? limits.burst,
  sustained: parseRate(sustained ?? '') ?? limits.sustained,
  monthlyCap: limits.monthlyCap,
})

export function keyTable(context: PageContext, keys: readonly KeyUse[]): Html {
  const text = context.words.settings.usage
  const numbers = new Intl.NumberFormat(context.locale)
  const { monthlyCap } = context.services.usage.limits
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
      cell: ({ month }) => (cap ? text.of(numbers.format(month), cap) : numbers.format(month)),
    },
    { label: text.days(DAYS_SHOWN), isNumber: true, cell: ({ days }) => numbers.format(days) },
    {
      label: text.limits,
      cell: ({ key, states }) =>
        states
          ? html`<div class="usage-limits">${windowMeters(context, key, states)}</div>`
          : html`<span class="quiet">${context.words.accounts.keys.states[key.state]}</span>`,
    },
  ]
  return dataTable(text.byKey, columns, keys)
}

/** How much of each limit is used: burst, sustained, and the month if it is capped. */
export function limitMeters(context: PageContext, { key, month }: KeyUse, states: LimitStates): Html {
  const { words, locale, services } = context
  const text = words.settings.usage
  const { monthlyCap: max } = services.usage.limits
  const isMonthUsed = max !== undefined && month >= max
  const waits = [waitOf(states.burst), waitOf(states.sustained), isMonthUsed ? restOfMonth(services.clock()) : 0]
  const waitSeconds = Math.max(...waits)
  return html`<div class="usage-limits">${windowMeters(context, key, states)}${
    max !== undefined && meter({ label: text.thisMonth, value: month, max, text: ofText(context, month, max) })
  }</div>${waitSeconds > 0 && html`<p>${text.full(inSeconds(waitSeconds, locale))}</p>`}`
}

function windowMeters(context: PageContext, key: KeyRecord, states: LimitStates): Html {
  const { words, services } = context
  const limits = limitsOfKey(key, services.usage.limits)
  const one = (rate: Rate, { remaining }: WindowState) => {
    const [value, max] = [rate.count - remaining, rate.count]
    return meter({
      label: windowName(rate, words.settings.usage.windows),
      value,
      max,
      text: ofText(context, value, max),
    })
  }
  return html`${one(limits.burst, states.burst)}${one(limits.sustained, states.sustained)}`
}

function ofText({ words, locale }: Reader, value: number, max: number): string {
  const numbers = new Intl.NumberFormat(locale)
  return words.settings.usage.of(numbers.format(value), numbers.format(max))
}

const waitOf = ({ remaining, resetSeconds }: WindowState): number => (remaining === 0 ? resetSeconds : 0)

const restOfMonth = (now: number): number => Math.ceil((endOfMonth(monthOf(now)) - now) / 1_000)

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `in 38 seconds` or `in 9 hours`: uses the largest unit of which there are at least two. */
function inSeconds(seconds: number, locale: string): string {
  const words = new Intl.RelativeTimeFormat(locale)
  const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1]
  return words.format(Math.ceil(seconds / length), unit)
}

/** `60/min` → in the last minute. A window is always one unit long. */
const windowName = (rate: Rate, names: Record<string, string>): string => {
  const unit = formatRate(rate).split('/')[1] ?? ''
  return names[unit] ?? formatRate(rate)
}
