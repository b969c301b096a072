// Tips: `15% tip on 80`, `tip 20% on $45.50 split 3 ways`, `trinkgeld 10% von 35,50`, `pourboire 15% sur 80`. It needs
// the bill; the default is 15%. `tip of the iceberg`, `tip 101`, `tip toe` are ordinary searches.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { type Decimal, Exact, numberLocale, readNumber, writeNumber, writeRounded } from '../lib/numbers.ts'
import { type Parts, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, percentSign } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT = /\btip\b|pourboire|trinkgeld|propina|mancia|gorjeta|fooi/
const DEFAULT_PERCENT = '15'
const MAX_BILL = new Exact('1e9')
const MAX_PEOPLE = 100

const SIGN = '[$€£]'
const BILL = String.raw`${SIGN}? ?(?<bill>\d[\d.,' ]{0,12}) ?(?:${SIGN}|dollars?|euros?|eur|usd|pounds?)?`
const RATE = String.raw`(?<percent>\d{1,3}(?:[.,]\d{1,2})?) ?(?:%|percent|prozent|por ciento|per cento|pour cent|por cento|procent)`

/** `word` is the word for a tip; `on` precedes the bill, `split` the number of people. */
const forms = ({ word, on, split }: { word: string; on: string; split: string }): RegExp[] => {
  const shared = `(?: ?,? ?(?:${split}) (?<people>\\d{1,3})(?: ways| people| persons| personen| personnes| personas| persone| pessoas)?)?$`
  return [
    new RegExp(`^(?:${word}) (?:of |de |di |von |van )?${RATE} (?:(?:${on}) )?${BILL}${shared}`),
    new RegExp(`^(?:what is (?:an? )?|calculate (?:an? )?|an? )?${RATE} (?:${word}) (?:${on}) ${BILL}${shared}`),
    new RegExp(`^(?:${word}) (?:${on}) ${BILL}(?: (?:at |with )?${RATE})?${shared}`),
    new RegExp(`^tip calculator ${BILL} ${RATE}${shared}`),
  ]
}

const TRIGGERS: Triggers = {
  en: forms({
    word: 'tip|how much tip|calculate tip',
    on: 'on|for|of|from',
    split: 'split|split by|split between|divided by|for|between',
  }),
  fr: forms({ word: 'pourboire', on: 'sur|pour|de', split: 'partage entre|divise par|a' }),
  de: forms({ word: 'trinkgeld', on: 'von|auf|fur|bei', split: 'geteilt durch|durch' }),
  es: forms({ word: 'propina', on: 'de|sobre|para|por', split: 'dividido entre|entre' }),
  it: forms({ word: 'mancia', on: 'su|di|per', split: 'diviso per|diviso' }),
  pt: forms({ word: 'gorjeta', on: 'de|sobre|para', split: 'dividido por|por' }),
  nl: forms({ word: 'fooi', on: 'over|op|van|voor|bij', split: 'gedeeld door|door' }),
}

const WORDS: Readonly<Record<Language, { tip: string; total: string; each: string }>> = {
  en: { tip: 'tip', total: 'total', each: 'each' },
  fr: { tip: 'pourboire', total: 'total', each: 'par personne' },
  de: { tip: 'Trinkgeld', total: 'zusammen', each: 'pro Person' },
  es: { tip: 'propina', total: 'total', each: 'por persona' },
  it: { tip: 'mancia', total: 'totale', each: 'a testa' },
  pt: { tip: 'gorjeta', total: 'total', each: 'por pessoa' },
  nl: { tip: 'fooi', total: 'totaal', each: 'per persoon' },
}

export const tip = defineAnswer({
  slug: 'tip',
  title: 'Tip',
  summary: 'The tip on a bill, the total, and what each person pays.',
  examples: [
    { q: '15% tip on 80' },
    { q: 'tip 20% on $45.50 split 3 ways' },
    { q: 'trinkgeld 10% von 35,50', lang: 'de' },
  ],
  reply: z.object({
    bill: z.string(),
    percent: z.string(),
    /** Exact decimals with two places. */
    tip: z.string(),
    total: z.string(),
    people: z.int(),
    each: z.string(),
  }),
  match(question) {
    if (!HINT.test(question.folded) || !/\d/.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, (parts, spoken) => readBill(parts, numberLocale(question, spoken)))
  },
  answer({ bill, percent, people, locale, language }) {
    const tipAmount = bill.times(percent).div(100)
    const total = bill.plus(tipAmount)
    const each = total.div(people)
    const money = (value: Decimal) => writeRounded(value, locale, 2)
    const words = WORDS[language]
    const share = people === 1 ? '' : `, ${money(each)} ${words.each}`
    const rate = `${writeNumber(percent.toFixed(), locale)}${percentSign(language)}`
    return {
      text: `${money(bill)} + ${rate}${colonIn(language)} ${words.tip} ${money(tipAmount)}, ${words.total} ${money(total)}${share}`,
      bill: bill.toFixed(2),
      percent: percent.toFixed(),
      tip: tipAmount.toFixed(2),
      total: total.toFixed(2),
      people,
      each: each.toFixed(2),
    }
  },
})

function readBill({ bill = '', percent = '', people = '' }: Parts, locale: string) {
  const [amount, rate] = [readNumber(bill, locale), readNumber(percent || DEFAULT_PERCENT, locale)]
  const count = Number(people || 1)
  if (amount === undefined || rate === undefined || count < 1 || count > MAX_PEOPLE) return undefined
  const [sum, share] = [new Exact(amount), new Exact(rate)]
  return sum.gt(0) && sum.lte(MAX_BILL) && share.lte(100)
    ? { bill: sum, percent: share, people: count, locale }
    : undefined
}
