// A link from an instant answer to the tool that gives it, with its values filled in.
import type { InstantAnswer } from '@bowerbird/answers/answers.ts'
import type { currency } from '@bowerbird/answers/live/currency.ts'
import type { units } from '@bowerbird/answers/numbers/units.ts'
import type { colour } from '@bowerbird/answers/text/colour.ts'
import type { z } from 'zod'
import { addressOf } from '../parts/address.ts'
import { pathOf } from './define-tool.ts'

const LINKS: Readonly<Record<string, (answer: InstantAnswer, lang: string) => string>> = {
  // The casts are safe: the `type` of an answer identifies its declaration.
  units(answer) {
    const { dimension, from, to } = answer as unknown as z.output<typeof units.reply>
    return addressOf(pathOf({ name: 'units' }), { kind: dimension, amount: from.value, from: from.unit, to: to.unit })
  },
  currency(answer) {
    const { amount, from, to } = answer as unknown as z.output<typeof currency.reply>
    return addressOf(pathOf({ name: 'currency' }), { amount, from, to })
  },
  calculator: ({ query }, lang) => addressOf(pathOf({ name: 'calculator' }), { sum: query, lang }),
  colour(answer) {
    const { hex } = answer as unknown as z.output<typeof colour.reply>
    return addressOf(pathOf({ name: 'colour' }), { colour: hex })
  },
}

/** `lang`: the language of the search, which decides how numbers are read. '': there is no tool for this answer. */
export const changeLink = (answer: InstantAnswer, lang: string): string =>
  Object.hasOwn(LINKS, answer.type) ? (LINKS[answer.type]?.(answer, lang) ?? '') : ''
