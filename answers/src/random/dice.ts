// Dice: `roll a die`, `roll 2 dice`, `roll d20`, `3d6+2`. At most 100 dice of at most 1,000 sides. `die`, `dice`,
// `d20`, `dice game rules` and `3d` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import type { Question } from '../question.ts'

const HINT = /\bdi(?:e|ce)\b|\dd\d|\bd\d|wurf|\bde(?:s)?\b|dado|dadi|dobbel/
/** `3d6+2`, optionally after `roll`. A single die needs the verb or the number: `roll d6`, `1d6`. */
const NOTATION =
  /^(?<roll>(?:roll|throw) (?:a |an )?)?(?<count>\d{1,3})?d(?<sides>\d{1,4})(?: ?(?<sign>[+-]) ?(?<bonus>\d{1,4}))?$/
const MAX_DICE = 100
const MAX_SIDES = 1000

const TRIGGERS: Triggers = {
  en: [
    /^(?:roll|throw) (?:a |the |some |(?<count>\d{1,3}|two|three|four|five|six) )?(?:dice|die)$/,
    /^(?:dice|die) (?:roll|roller|throw)$/,
    /^roll (?:a |an )?(?<sides>\d{1,4})[ -]sided (?:die|dice)$/,
  ],
  fr: [
    /^(?:lancer|lance|jeter|lancez) (?:un|une|les|des|(?<count>\d{1,3}|deux|trois)) des?$/,
    /^(?:lancer|jet|lance) de des?$/,
  ],
  de: [/^(?:wurfeln|wurfle|wurfelwurf)$/, /^(?:wurfle|wirf) (?:mit )?(?:einen|einem|(?<count>\d{1,3})) wurfeln?$/],
  es: [/^(?:lanzar|lanza|tirar|tira) (?:un|el|los|(?<count>\d{1,3})) dados?$/],
  it: [/^(?:lancia|lanciare|tira|tirare) (?:un|il|i|(?<count>\d{1,3})) dad[oi]$/],
  pt: [/^(?:rolar|role|jogar|jogue|lancar|lance) (?:um |o |os |(?<count>\d{1,3}) )?dados?$/],
  nl: [
    /^(?:gooi|werp|rol) (?:een |de |met |(?<count>\d{1,3}) )?dobbelste(?:en|nen)$/,
    /^dobbelste(?:en|nen) (?:gooien|werpen|rollen)$/,
  ],
}

interface Roll {
  count: number
  sides: number
  bonus: number
}

export const dice = defineAnswer({
  slug: 'dice',
  title: 'Dice',
  summary: 'Rolls up to 100 dice of up to 1,000 sides, also in the notation of role-playing games.',
  examples: [{ q: 'roll a die' }, { q: '3d6+2' }, { q: 'roll d20' }, { q: 'lancer un dé', lang: 'fr' }],
  isPersonal: true,
  reply: z.object({ count: z.int(), sides: z.int(), bonus: z.int(), rolls: z.array(z.int()), total: z.int() }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return (
      readNotation(question) ??
      readTriggers(question, TRIGGERS, ({ count = '', sides = '' }) =>
        withinLimits({ count: countOf(count), sides: sides === '' ? 6 : Number(sides), bonus: 0 }),
      )
    )
  },
  answer({ count, sides, bonus }, { random }) {
    const rolls = Array.from({ length: count }, () => random(sides) + 1)
    const total = rolls.reduce((sum, roll) => sum + roll, bonus)
    const name = `${count === 1 ? '' : count}d${sides}${bonus === 0 ? '' : signed(bonus, '')}`
    const sum = `${rolls.join(' + ')}${bonus === 0 ? '' : signed(bonus, ' ')}`
    const text = rolls.length === 1 && bonus === 0 ? `${name}: ${total}` : `${name}: ${sum} = ${total}`
    return { text, count, sides, bonus, rolls, total }
  },
})

const COUNT_WORDS: Readonly<Record<string, number>> = {
  '': 1,
  two: 2,
  deux: 2,
  three: 3,
  trois: 3,
  four: 4,
  five: 5,
  six: 6,
}

const countOf = (count: string): number => COUNT_WORDS[count] ?? Number(count)

const signed = (bonus: number, space: string): string => `${space}${bonus < 0 ? '-' : '+'}${space}${Math.abs(bonus)}`

function readNotation({ folded }: Question): Roll | undefined {
  const { roll, count, sides, sign, bonus } = NOTATION.exec(folded)?.groups ?? {}
  if (sides === undefined || (roll === undefined && count === undefined)) return undefined
  const signedBonus = Number(bonus ?? 0) * (sign === '-' ? -1 : 1)
  return withinLimits({ count: Number(count ?? 1), sides: Number(sides), bonus: signedBonus })
}

const withinLimits = (roll: Roll): Roll | undefined =>
  roll.count >= 1 && roll.count <= MAX_DICE && roll.sides >= 2 && roll.sides <= MAX_SIDES ? roll : undefined
