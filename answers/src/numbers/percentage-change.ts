// Percentage change: `percentage change from 50 to 75`, `% decrease 80 to 60`, `prozentuale veränderung von 50 auf 75`.
// Both numbers are required: `percentage change formula in excel` is an ordinary search. A change from zero has no
// percentage, and the answer explains that.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { Exact, isRoundedWhenWritten, numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, percentSign } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT = /%|perc|proz|proc|pourc|porc/
const numberPattern = (name: string) => String.raw`(?<${name}>[-+]?\d[\d.,' ]{0,20})`
const pairPattern = (opening: string, joint: string) =>
  `(?:${opening})?${numberPattern('before')} ?(?:${joint}) ?${numberPattern('after')}$`
const WHAT = '(?:%|percent(?:age)?|per cent)'

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:what is the )?${WHAT} (?:change|increase|decrease|difference|drop|growth) ${pairPattern('from |between |of ', 'to|and|->|→')}`,
    ),
    new RegExp(
      `^(?:change|increase|decrease) (?:from )?${numberPattern('before')} to ${numberPattern('after')} (?:in|as an?) ${WHAT}$`,
    ),
  ],
  fr: [
    new RegExp(
      `^(?:variation|evolution|augmentation|baisse|taux de variation)(?: en pourcentage| en %)? ${pairPattern('de |entre ', 'a|et')}`,
    ),
    new RegExp(
      `^pourcentage (?:d'augmentation|de variation|de baisse|d'evolution) ${pairPattern('de |entre ', 'a|et')}`,
    ),
  ],
  de: [
    new RegExp(
      `^(?:prozentuale|prozent) (?:veranderung|anderung|steigerung|abnahme|zunahme) ${pairPattern('von ', 'auf|zu|nach')}`,
    ),
  ],
  es: [
    new RegExp(
      `^(?:cambio|variacion|aumento|incremento|disminucion) porcentual ${pairPattern('del? |entre ', 'al?|y')}`,
    ),
  ],
  it: [new RegExp(`^(?:variazione|aumento|diminuzione|incremento) percentuale ${pairPattern('da |tra ', 'a|e')}`)],
  pt: [new RegExp(`^(?:variacao|aumento|reducao|mudanca) percentual ${pairPattern('de |entre ', 'para|a|e')}`)],
  nl: [
    new RegExp(
      `^(?:procentuele|percentage) (?:verandering|stijging|daling|toename|afname) ${pairPattern('van |tussen ', 'naar|tot|en')}`,
    ),
  ],
}

const FROM_ZERO: Readonly<Record<Language, string>> = {
  en: 'a change from zero has no percentage',
  fr: 'une variation à partir de zéro n’a pas de pourcentage',
  de: 'eine Veränderung von null hat keinen Prozentwert',
  es: 'un cambio desde cero no tiene porcentaje',
  it: 'una variazione da zero non ha percentuale',
  pt: 'uma variação a partir de zero não tem percentagem',
  nl: 'een verandering vanaf nul heeft geen percentage',
}

const SHOWN_ROUNDING = { full: 6, digits: 6 }
const MAX_RESULT_DIGITS = 30

export const percentageChange = defineAnswer({
  slug: 'percentage_change',
  title: 'Percentage change',
  summary: 'The percentage by which one number differs from another.',
  examples: [{ q: 'percentage change from 50 to 75' }, { q: 'prozentuale Veränderung von 50 auf 75', lang: 'de' }],
  reply: z.object({
    before: z.string(),
    after: z.string(),
    /** Percent; null if the first number is zero. */
    change: z.string().nullable(),
  }),
  match(question) {
    if (!HINT.test(question.folded) || !/\d/.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ before = '', after = '' }, spoken) => {
      const locale = numberLocale(question, spoken)
      const [first, second] = [readNumber(before, locale), readNumber(after, locale)]
      return first === undefined || second === undefined ? undefined : { before: first, after: second, locale }
    })
  },
  answer({ before, after, locale, language }) {
    const [first, second] = [new Exact(before), new Exact(after)]
    const shown = `${writeNumber(before, locale)} → ${writeNumber(after, locale)}`
    if (first.isZero())
      return { text: `${shown}${colonIn(language)} ${FROM_ZERO[language]}.`, before, after, change: null }
    const change = second.minus(first).div(first.abs()).times(100)
    const sign = change.gt(0) ? '+' : ''
    const digits = change.toSignificantDigits(MAX_RESULT_DIGITS).toFixed()
    const about = isRoundedWhenWritten(digits, SHOWN_ROUNDING) ? '≈ ' : ''
    const written = writeNumber(digits, locale, SHOWN_ROUNDING)
    return {
      text: `${shown}${colonIn(language)} ${about}${sign}${written}${percentSign(language)}`,
      before,
      after,
      change: digits,
    }
  },
})
