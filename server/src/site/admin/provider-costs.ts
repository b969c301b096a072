// A provider's calls and costs this month, against the operator's caps. Amounts are in US dollars.

import type { ProviderCost } from '../../budget/cost-ledger.ts'
import type { BudgetSettings } from '../../budget/provider-budget.ts'
import { endOfMonth, monthOf } from '../../text/utc-day.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { meter } from '../parts/gauge.ts'

const MICROS = 1_000_000
/** A price may be a fraction of a cent. */
const FINEST = 6

export const dollars = (micros: number, locale: string, mostDigits = 2): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: mostDigits }).format(
    micros / MICROS,
  )

export function costLine(context: PageContext, cost: ProviderCost, budget: BudgetSettings | undefined): Html {
  const { callsPerMonth, microsPerMonth, pricePerCallMicros = 0 } = budget ?? {}
  const isCapped = callsPerMonth !== undefined || microsPerMonth !== undefined
  const isSpent =
    (callsPerMonth !== undefined && cost.calls >= callsPerMonth) ||
    (microsPerMonth !== undefined && cost.micros + pricePerCallMicros > microsPerMonth)
  return html`<div class="provider-costs">${isCapped && capMeters(context, cost, { callsPerMonth, microsPerMonth, pricePerCallMicros })}
<p>${sentenceOf(context, cost, pricePerCallMicros)}${!isCapped && pricePerCallMicros > 0 && html` ${context.words.admin.providers.noCap(`${cost.provider.toUpperCase()}_MONTHLY_USD`)}`}</p>
${isSpent && html`<p class="provider-trouble">${context.words.admin.providers.spent(nextMonth(context))}</p>`}</div>`
}

function sentenceOf({ words, locale }: PageContext, { calls, micros }: ProviderCost, price: number): string {
  const text = words.admin.providers
  if (calls === 0) return text.idle
  const counted = text.callCount(calls, new Intl.NumberFormat(locale).format(calls))
  return price === 0 && micros === 0
    ? text.unpaid(counted)
    : text.paid(counted, dollars(micros, locale), dollars(price, locale, FINEST))
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
      text: text.of(dollars(cost.micros, locale), dollars(microsPerMonth, locale)),
    })
  }${
    callsPerMonth !== undefined &&
    meter({
      label: text.calls,
      value: cost.calls,
      max: callsPerMonth,
      text: text.of(numbers.format(cost.calls), numbers.format(callsPerMonth)),
    })
  }</div>`
}

const nextMonth = ({ locale, services }: PageContext): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(endOfMonth(monthOf(services.clock())))
