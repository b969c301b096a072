// Coin flips: `flip a coin`, `pile ou face`, `wirf eine münze`, `flip 5 coins`. `coin collecting`, `coin toss super
// bowl` and `toss a coin to your witcher` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import type { Language } from '../question.ts'

const HINT = /coin|tails|pile|piece|face|munz|kopf|zahl|moneda|cara|moneta|testa|moeda|munt|kop/
const MAX_COINS = 100

const TRIGGERS: Triggers = {
  en: [
    /^(?:flip|toss|throw) (?:a |the |(?<count>\d{1,3}) )?coins?$/,
    /^coin (?:flip|toss|flipper)$/,
    /^heads or tails$/,
  ],
  fr: [/^pile ou face$/, /^(?:lancer|lance|lancez|jouer a) (?:une |(?<count>\d{1,3}) )?(?:pieces?|pile ou face)$/],
  de: [
    /^(?:munze|(?<count>\d{1,3}) munzen) werfen$/,
    /^munzwurf$/,
    /^wirf (?:eine|(?<count>\d{1,3})) munzen?$/,
    /^kopf oder zahl$/,
  ],
  es: [/^(?:lanzar|lanza|tirar|tira) (?:una|(?<count>\d{1,3})) monedas?$/, /^cara o cruz$/, /^cara o sello$/],
  it: [/^(?:lancia|lanciare|tira) (?:una|(?<count>\d{1,3})) monet[ae]$/, /^testa o croce$/],
  pt: [/^(?:jogar|jogue|lancar|lance|tirar) (?:uma |a |(?<count>\d{1,3}) )?moedas?$/, /^cara ou coroa$/],
  nl: [
    /^(?:gooi|werp) (?:een|(?<count>\d{1,3})) (?:munt|munten|muntje|muntjes)$/,
    /^munt(?:je)? (?:gooien|opgooien|werpen)$/,
    /^kop of munt$/,
  ],
}

const SIDES: Readonly<Record<Language, readonly [string, string]>> = {
  en: ['Heads', 'Tails'],
  fr: ['Face', 'Pile'],
  de: ['Kopf', 'Zahl'],
  es: ['Cara', 'Cruz'],
  it: ['Testa', 'Croce'],
  pt: ['Cara', 'Coroa'],
  nl: ['Kop', 'Munt'],
}

export const coin = defineAnswer({
  slug: 'coin',
  title: 'Coin flip',
  summary: 'Flips a coin, or up to 100 of them.',
  examples: [{ q: 'flip a coin' }, { q: 'pile ou face', lang: 'fr' }, { q: 'flip 3 coins' }],
  isPersonal: true,
  reply: z.object({ flips: z.array(z.enum(['heads', 'tails'])), heads: z.int(), tails: z.int() }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ count = '' }) => {
      const wanted = count === '' ? 1 : Number(count)
      return wanted >= 1 && wanted <= MAX_COINS ? { wanted } : undefined
    })
  },
  answer({ wanted, language }, { random }) {
    const flips = Array.from({ length: wanted }, () => (random(2) === 0 ? ('heads' as const) : ('tails' as const)))
    const [head, tail] = SIDES[language]
    const heads = flips.filter((side) => side === 'heads').length
    const shown = flips.map((side) => (side === 'heads' ? head : tail)).join(', ')
    const totals = wanted === 1 ? '' : ` (${head} ${heads}, ${tail} ${wanted - heads})`
    return { text: `${shown}${totals}`, flips, heads, tails: wanted - heads }
  },
})
