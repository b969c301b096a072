// Percentage change: `percentage change from 50 to 75`, `% decrease 80 to 60`, `prozentuale veränderung von 50 auf 75`.
// Both numbers are required: `percentage change formula in excel` is an ordinary search. A change from zero has no
// percentage, and the answer explains that.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { Exact, numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { percentSign } from '../lib/write-text.ts'
import type { Language } from '../question.ts'

const HINT = /%|perc|proz|proc|pourc|porc/
const N = (name: string) => String.raw`(?<${name}>[-+]?\d[\d.,' ]{0,20})`
const PAIR = (opening: string, joint: string) => `(?:${opening})?${N('before')} ?(?:${joint}) ?${N('after')}$`
const WHAT = '(?:%|percent(?:age)?|per cent)'

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:what is the )?${WHAT} (?:change|increase|decrease|difference|drop|growth) ${PAIR('from |between |of ', 'to|and|->|→')}`,
    ),
    new RegExp(`^(?:change|increase|decrease) (?:from )?${N('before')} to ${N('after')} (?:in|as an?) ${WHAT}$`),
  ],
  fr: [
    new RegExp(
      `^(?:variation|evolution|augmentation|baisse|taux de variation)(?: en pourcentage| en %)? ${PAIR('de |entre ', 'a|et')}`,
    ),
    new RegExp(`^pourcentage (?:d'augmentation|de variation|de baisse|d'evolution) ${PAIR('de |entre ', 'a|et')}`),
  ],
  de: [
    new RegExp(
      `^(?:prozentuale|prozent) (?:veranderung|anderung|steigerung|abnahme|zunahme) ${PAIR('von ', 'auf|zu|nach')}`,
    ),
  ],
  es: [new RegExp(`^(?:cambio|variacion|aumento|incremento|disminucion) porcentual ${PAIR('del? |entre ', 'al?|y')}`)],
  it: [new RegExp(`^(?:variazione|aumento|diminuzione|incremento) percentuale ${PAIR('da |tra ', 'a|e')}`)],
  pt: [new RegExp(`^(?:variacao|aumento|reducao|mudanca) percentual ${PAIR('de |entre ', 'para|a|e')}`)],
  nl: [
    new RegExp(
      `^(?:procentuele|percentage) (?:verandering|stijging|daling|toename|afname) ${PAIR('van |tussen ', 'naar|tot|en')}`,
    ),
  ],
}

const NOTHING: Readonly<Record<Language, string>> = {
  en: 'a change from zero has no percentage',
  fr: 'une variation à partir de zéro n’a pas de pourcentage',
  de: 'eine Veränderung von null hat keinen Prozentwert',
  es: 'un cambio desde cero no tiene porcentaje',
  it: 'una variazione da zero non ha percentuale',
  pt: 'uma variação a partir de zero não tem percentagem',
  nl: 'een verandering vanaf nul heeft geen percentage',
}

const SHOWN = { full: 6, digits: 6 }
const GIVEN_DIGITS = 30

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
    if (first.isZero()) return { text: `${shown}: ${NOTHING[language]}.`, before, after, change: null }
    const change = second.minus(first).div(first.abs()).times(100)
    const sign = change.gt(0) ? '+' : ''
    const written = writeNumber(change.toSignificantDigits(GIVEN_DIGITS).toFixed(), locale, SHOWN)
    return {
      text: `${shown}: ${sign}${written}${percentSign(language)}`,
      before,
      after,
      change: change.toSignificantDigits(GIVEN_DIGITS).toFixed(),
    }
  },
})
