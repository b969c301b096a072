// Loan payments: `loan 200000 at 5% for 30 years`, `monthly payment on 20,000 at 6% over 60 months`. Equal monthly
// payments at the end of each month, with the yearly rate divided by twelve. It needs an amount, a rate and a term:
// `loan officer salary`, `mortgage rates today` and `student loan 2024` are ordinary searches. English only.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { type Decimal, Exact, numberLocale, readNumber, writeNumber, writeRounded } from '../lib/numbers.ts'
import { counted } from '../lib/write-text.ts'
import type { Question } from '../question.ts'

const OPENING =
  /^(?:calculate )?(?:my )?(?:monthly )?(?:loan|mortgage|home loan|car loan|auto loan|student loan|payment|repayment)s?(?: payments?| repayments?| calculator)?(?: on| for| of)?(?: an?)? /
const RATE =
  /(?:^| )(?:at |with |interest )?(\d{1,2}(?:[.,]\d{1,4})?) ?(?:%|percent)(?: interest| apr| p\.?a\.?| per year| a year| yearly| rate)?(?= |$)/
const TIME = /(?:^| )(?:for |over |in )?(\d{1,3}(?:[.,]\d{1,2})?)[ -]?(years?|yrs?|y|months?|mos?)(?= |$)/
const AMOUNT =
  /^(?:of )?[$€£]?(\d[\d.,' ]{0,15}?)(k)? ?(?:\$|€|£|dollars?|euros?|pounds?|usd|eur|gbp)?(?: loan| mortgage)?$/
const MAX_AMOUNT = new Exact('1e12')
const MAX_MONTHS = 600

interface Loan {
  amount: Decimal
  /** Percent per year. */
  rate: Decimal
  months: number
  locale: string
}

export const loanPayment = defineAnswer({
  slug: 'loan_payment',
  title: 'Loan payment',
  summary: 'The monthly payment of a loan or a mortgage, and its total cost.',
  examples: [{ q: 'loan 200000 at 5% for 30 years' }, { q: 'mortgage 300,000 4.5% 25 years' }],
  reply: z.object({
    amount: z.string(),
    /** Percent per year. */
    rate: z.string(),
    months: z.int(),
    /** Exact decimals with two places. */
    payment: z.string(),
    total: z.string(),
    interest: z.string(),
  }),
  match(question) {
    return /loan|mortgage|payment/.test(question.folded) ? readLoan(question) : null
  },
  answer({ amount, rate, months, locale }) {
    const payment = monthlyPayment({ amount, rate, months })
    const total = payment.times(months)
    const money = (value: Decimal) => writeRounded(value, locale, 2)
    const owed = `${money(amount)} at ${writeNumber(rate.toFixed(), locale)}% over ${counted(months, 'month')}`
    const sum = `${money(total)} in all, ${money(total.minus(amount))} of it interest`
    return {
      text: `${owed}: ${money(payment)} a month, ${sum}`,
      amount: amount.toFixed(2),
      rate: rate.toFixed(),
      months,
      payment: payment.toFixed(2),
      total: total.toFixed(2),
      interest: total.minus(amount).toFixed(2),
    }
  },
})

function monthlyPayment({ amount, rate, months }: Omit<Loan, 'locale'>): Decimal {
  if (rate.isZero()) return amount.div(months)
  const monthly = rate.div(1200)
  return amount.times(monthly).div(new Exact(1).minus(monthly.plus(1).pow(-months)))
}

/** Units identify the rate and the term; the rest must be exactly the amount. */
function readLoan(question: Question): Loan | null {
  const opening = OPENING.exec(`${question.folded} `)?.[0]
  if (opening === undefined) return null
  const rest = question.folded.slice(opening.length)
  const [rate, time] = [RATE.exec(rest), TIME.exec(rest)]
  if (rate === null || time === null) return null
  const left = rest.replace(rate[0], ' ').replace(time[0], ' ').replace(/\s+/g, ' ').trim()
  const found = AMOUNT.exec(left)
  const locale = numberLocale(question)
  const digits = readNumber(found?.[1] ?? '', locale)
  if (found === null || digits === undefined) return null
  const amount = new Exact(digits).times(found[2] === 'k' ? 1000 : 1)
  const months = new Exact(readNumber(time[1] ?? '', locale) ?? 0).times(time[2]?.startsWith('y') ? 12 : 1)
  const isSensible =
    amount.gt(0) && amount.lte(MAX_AMOUNT) && months.isInteger() && months.gte(1) && months.lte(MAX_MONTHS)
  return isSensible
    ? { amount, rate: new Exact(readNumber(rate[1] ?? '', locale) ?? 0), months: months.toNumber(), locale }
    : null
}
