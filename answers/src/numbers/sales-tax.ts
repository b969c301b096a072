// Sales tax and VAT: `100 + 20% vat`, `19% mwst von 100`, `remove 20% vat from 120`, `tva 20% de 100`. The rate must be
// given: rates differ by country and by goods, and they change, so `100 + vat` and `vat on 100` stay unanswered, like
// `vat number`, `tax 2024` and `iva 2025`. `19% mwst von 100` may ask for the tax on 100 or the tax in 100: it gets both.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { type Decimal, Exact, numberLocale, readNumber, writeNumber, writeRounded } from '../lib/numbers.ts'
import { type Parts, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, percentSign, semicolonIn } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT = /\bvat\b|\btax\b|\bgst\b|mwst|mehrwertsteuer|\bust\b|\btva\b|\biva\b|\bbtw\b|netto|brutto|\bttc\b|\bht\b/
const MAX_AMOUNT = new Exact('1e12')

const AMOUNT = String.raw`[$€£]? ?(?<amount>\d[\d.,' ]{0,15}) ?(?:\$|€|£|dollars?|euros?|eur|usd|pounds?|gbp)?`
const RATE = String.raw`(?<rate>\d{1,2}(?:[.,]\d{1,3})?) ?(?:%|percent|prozent|pour cent|por ciento|per cento|por cento|procent)`

const patterns = (...sources: string[]): RegExp[] =>
  sources.map((source) => new RegExp(`^${source.replace('<n>', AMOUNT).replace('<r>', RATE)}$`))

/** `add`: the amount is net; `remove`: it is gross; neither: it may be either. */
const TRIGGERS: Triggers = {
  en: patterns(
    '<n> ?(?<add>\\+|plus|with|excluding|exclusive of|excl\\.?) ?<r> (?:vat|gst|(?:sales )?tax)',
    '(?<add>add) <r> (?:vat|gst|(?:sales )?tax) to <n>',
    '(?<remove>remove|subtract|take off|deduct) <r> (?:vat|gst|(?:sales )?tax) from <n>',
    '<n> (?<remove>including|incl\\.?|inclusive of|minus|less|without) <r> (?:vat|gst|(?:sales )?tax)',
    '(?:vat|gst|(?:sales )?tax) (?:of )?<r> (?:on|of|for) <n>',
    '<r> (?:vat|gst|(?:sales )?tax) (?:on|of|for) <n>',
    '(?:vat|gst|(?:sales )?tax) (?:on|of|for) <n> (?:at )?<r>',
  ),
  fr: patterns(
    '<n> ?(?<add>\\+|plus|ht avec|ht \\+|ht plus) ?(?:de )?<r> (?:de )?tva',
    '<n> (?<add>ht en ttc)(?: a| avec)? <r>',
    '<n> (?<remove>ttc en ht)(?: a| avec)? <r>',
    'tva (?:de |a )?<r> (?:de|sur|pour) <n>',
    '<r> (?:de )?tva (?:de|sur|pour) <n>',
    'tva <r> <n>',
  ),
  de: patterns(
    '<n> (?:netto )?(?<add>\\+|plus|zzgl\\.?|zuzuglich) ?<r> (?:mwst|mehrwertsteuer|ust|umsatzsteuer)\\.?',
    '<n> (?:brutto )?(?<remove>minus|abzuglich|inkl\\.?|inklusive|ohne) <r> (?:mwst|mehrwertsteuer|ust|umsatzsteuer)\\.?',
    '<n> (?<add>netto in brutto) <r>',
    '<n> (?<remove>brutto in netto) <r>',
    '<r> (?:mwst|mehrwertsteuer|ust|umsatzsteuer)\\.? (?:von|auf|aus|bei|fur) <n>',
    '(?:mwst|mehrwertsteuer|ust|umsatzsteuer)\\.? <r> (?:von |auf |aus |bei |fur )?<n>',
  ),
  es: patterns(
    '<n> ?(?<add>\\+|mas)(?: el)? ?<r>(?: de)? iva',
    '<n> (?<remove>menos|sin|con)(?: el)? <r>(?: de)? iva',
    '(?:el )?iva (?:del? |al )?<r> (?:de|sobre|a) <n>',
    '<r>(?: de)? iva (?:de|sobre|a) <n>',
  ),
  it: patterns(
    '<n> ?(?<add>\\+|piu) ?<r>(?: di)? iva',
    '<n> (?<remove>meno|senza|con) <r>(?: di)? iva',
    'iva (?:del |al )?<r> (?:di|su) <n>',
    '<r>(?: di)? iva (?:di|su) <n>',
  ),
  pt: patterns(
    '<n> ?(?<add>\\+|mais) ?<r>(?: de)? iva',
    '<n> (?<remove>menos|sem|com) <r>(?: de)? iva',
    'iva (?:de |a )?<r> (?:de|sobre) <n>',
    '<r>(?: de)? iva (?:de|sobre) <n>',
  ),
  nl: patterns(
    '<n> ?(?<add>\\+|plus|exclusief|excl\\.?) ?<r> btw',
    '<n> (?<remove>min|inclusief|incl\\.?|zonder) <r> btw',
    '<r> btw (?:over|van|op) <n>',
    'btw <r> (?:over |van |op )?<n>',
  ),
}

interface Words {
  tax: string
  total: string
  /** Before an amount that contains the tax. */
  included: string
  net: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: { tax: 'tax', total: 'total', included: 'if {n} includes it', net: 'net' },
  fr: { tax: 'taxe', total: 'TTC', included: 'si {n} est TTC', net: 'HT' },
  de: { tax: 'Steuer', total: 'brutto', included: 'falls {n} brutto ist', net: 'netto' },
  es: { tax: 'impuesto', total: 'total', included: 'si {n} lo incluye', net: 'base' },
  it: { tax: 'imposta', total: 'totale', included: 'se {n} è ivato', net: 'imponibile' },
  pt: { tax: 'imposto', total: 'total', included: 'se {n} o inclui', net: 'base' },
  nl: { tax: 'belasting', total: 'totaal', included: 'als {n} inclusief is', net: 'exclusief' },
}

export const salesTax = defineAnswer({
  slug: 'sales_tax',
  title: 'Sales tax and VAT',
  summary: 'Adds a tax at a given rate to an amount, or takes it out of one.',
  examples: [
    { q: '100 + 20% vat' },
    { q: 'remove 20% vat from 120' },
    { q: '19% mwst von 100', lang: 'de' },
    { q: 'tva 20% de 100', lang: 'fr' },
    { q: 'iva 21% de 100', lang: 'es' },
  ],
  reply: z.object({
    amount: z.string(),
    rate: z.string().describe('Percent'),
    added: z
      .object({ tax: z.string(), total: z.string() })
      .nullable()
      .describe('If the amount is net; null if the query says that it is gross'),
    included: z
      .object({ tax: z.string(), net: z.string() })
      .nullable()
      .describe('If the amount is gross; null if the query says that it is net'),
  }),
  match(question) {
    if (!HINT.test(question.folded) || !/\d/.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, (parts, spoken) => readTaxed(parts, numberLocale(question, spoken)))
  },
  answer({ amount, rate, isNet, isGross, locale, language }) {
    const { tax, total, included, net } = WORDS[language]
    const money = (value: Decimal) => writeRounded(value, locale, 2)
    const share = amount.times(rate).div(100)
    const base = amount.div(rate.div(100).plus(1))
    const percent = `${writeNumber(rate.toFixed(), locale)}${percentSign(language)}`
    const colon = colonIn(language)
    const added = `${tax} ${money(share)}, ${total} ${money(amount.plus(share))}`
    const contained = `${tax} ${money(amount.minus(base))}, ${net} ${money(base)}`
    const opening = `${money(amount)}, ${percent}${colon} `
    const both = `${added}${semicolonIn(language)}${included.replace('{n}', money(amount))}${colon} ${contained}`
    return {
      text: `${opening}${isNet ? added : isGross ? contained : both}`,
      amount: amount.toFixed(2),
      rate: rate.toFixed(),
      added: isGross ? null : { tax: share.toFixed(2), total: amount.plus(share).toFixed(2) },
      included: isNet ? null : { tax: amount.minus(base).toFixed(2), net: base.toFixed(2) },
    }
  },
})

function readTaxed({ amount = '', rate = '', add = '', remove = '' }: Parts, locale: string) {
  const [sum, percent] = [readNumber(amount, locale), readNumber(rate, locale)]
  if (sum === undefined || percent === undefined) return undefined
  const taxed = { amount: new Exact(sum), rate: new Exact(percent), isNet: add !== '', isGross: remove !== '', locale }
  const isSensible = taxed.amount.gt(0) && taxed.amount.lte(MAX_AMOUNT) && taxed.amount.decimalPlaces() <= 2
  return isSensible && taxed.rate.gt(0) ? taxed : undefined
}
