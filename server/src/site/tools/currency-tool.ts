// The currency converter, with a chart of past rates. It is one of the few tools that ask a provider: for today's rates, as the
// instant answer does, and on its own page for those of past days. Above the results it asks nobody until it is used.
import { MAX_AMOUNT } from '@bowerbird/answers/live/currency.ts'
import { EVERYDAY_CURRENCIES, isCurrency } from '@bowerbird/answers/live/currency-names.ts'
import type { Exchange, PastRates } from '@bowerbird/answers/live/exchange.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { selectField } from '../parts/form.ts'
import { moneyParts } from '../search/instant-parts.ts'
import { amountField, output, readDecimal, resultLanguage, resultOf, sentence, swapButton } from './converter-parts.ts'
import { defineTool, pathOf, type ToolParams } from './define-tool.ts'
import { rateChart } from './rate-chart.ts'

const NAME = 'currency'
const PATH = pathOf({ name: NAME })
const RANGES = [30, 90, 365] as const
type Range = (typeof RANGES)[number]
const USUAL_RANGE: Range = 90

export const currencyTool = defineTool({
  name: NAME,
  title: ({ converters }) => converters.currency.title,
  summary: ({ converters }) => converters.currency.summary,
  calls: {
    en: [
      'currency converter',
      'currency calculator',
      'money converter',
      'exchange rate calculator',
      'convert currency',
    ],
    fr: ['convertisseur de devises', 'convertisseur de monnaie', 'convertisseur devises', 'conversion de devises'],
    de: ['währungsrechner', 'währung umrechnen', 'währungsumrechner', 'währungen umrechnen'],
    es: ['conversor de divisas', 'conversor de monedas', 'convertidor de divisas', 'convertidor de monedas'],
    it: ['convertitore di valuta', 'convertitore valuta', 'convertitore di valute', 'cambio valuta'],
    pt: ['conversor de moedas', 'conversor de moeda', 'conversor de divisas'],
    nl: ['valuta omrekenen', 'valuta converter', 'wisselkoers berekenen', 'valutacalculator'],
    pl: ['przelicznik walut', 'kalkulator walut', 'konwerter walut'],
  },
  fields: ['amount', 'from', 'to', 'swap', 'days'],
  quota: 'suggestion',
  script: 'converter',
  async view(context, params, { exchange }) {
    const { words } = context
    const isOwnPage = context.path === PATH
    const choice = readChoice(params)
    const { amount, from, to, days } = choice
    const shared = words.converters
    const options = optionsIn(context, choice)
    const [result, past] = isOwnPage
      ? await Promise.all([resultIn(exchange, context, choice), pastIn(exchange, context, choice)])
      : ([false, false] as const)
    return html`<form class="converter" method="get" action="${PATH}" data-converter="input"><input type="hidden" name="days" value="${days}">
${amountField(shared.amount, amount)}
${selectField({ name: 'from', label: shared.from, options, value: from, idSuffix: 'tool' })}${selectField({ name: 'to', label: shared.to, options, value: to, idSuffix: 'tool' })}
<div class="actions"><button type="submit" class="button button-primary">${shared.convert}</button>${swapButton(context)}</div></form>
${output(result)}
${isOwnPage && html`<div data-output="past">${past}</div>`}`
  },
})

interface Choice {
  amount: string
  from: string
  to: string
  days: Range
}

function readChoice({ amount, swap, days, ...sides }: ToolParams<'amount' | 'from' | 'to' | 'swap' | 'days'>): Choice {
  const [from, to] = [codeOf(sides.from, 'EUR'), codeOf(sides.to, 'USD')]
  const range = RANGES.find((known) => String(known) === days) ?? USUAL_RANGE
  return { amount: amount || '1', days: range, ...(swap === '' ? { from, to } : { from: to, to: from }) }
}

const codeOf = (code: string, usual: string): string => (isCurrency(code.toUpperCase()) ? code.toUpperCase() : usual)

/** The same on both sides, so that they can be swapped. */
function optionsIn({ locale }: PageContext, { from, to }: Choice) {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return [...new Set([...EVERYDAY_CURRENCIES, from, to])]
    .map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }))
    .toSorted((one, other) => one.value.localeCompare(other.value))
}

async function resultIn(exchange: Exchange, context: PageContext, { amount, from, to }: Choice): Promise<Piece> {
  const { notNumber, currency } = context.words.converters
  const value = readDecimal(amount)
  if (!value) return sentence(notNumber)
  if (value.abs().gt(MAX_AMOUNT)) return sentence(currency.tooLarge)
  if (from === to) return sentence(currency.same)
  const asked = await exchange.convert(
    { amount: value, from, to, locale: resultLanguage(context) },
    context.caller.isVisitor,
  )
  if (asked.kind !== 'found') return sentence(currency[asked.kind])
  return html`${resultOf(context, moneyParts(asked.found))}${credit(context, asked.found)}`
}

async function pastIn(exchange: Exchange, context: PageContext, { amount, from, to, days }: Choice): Promise<Piece> {
  const { currency } = context.words.converters
  if (from === to) return false
  const asked = await exchange.past({ from, to, days }, context.caller.isVisitor)
  if (asked.kind === 'none') return sentence(currency.pastNone)
  if (asked.kind === 'failed') return sentence(currency.pastFailed)
  const ranges = RANGES.map((range) => {
    const address = addressOf(PATH, { amount, from, to, days: range })
    return html`<li><a href="${address}"${range === days && html` aria-current="true"`}>${currency.days({ days: range })}</a></li>`
  })
  return html`<h2 class="tool-heading">${currency.past({ from, to })}</h2><ul class="tool-ranges">${ranges}</ul>
${rateChart(context, asked.found)}${credit(context, asked.found)}`
}

const credit = ({ words: { answers } }: PageContext, { attribution }: Pick<PastRates, 'attribution'>): Html =>
  html`<p class="answer-source">${findText(answers.credits, attribution) ?? attribution}</p>`
