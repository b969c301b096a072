// Random numbers: `random number between 1 and 100`, `zufallszahl zwischen 1 und 6`, `5 random numbers from 1 to 49`.
// The default range is 1 to 100. `random number generator python` is an ordinary search and stays unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { type Parts, readTriggers, type Triggers } from '../lib/read-triggers.ts'

const HINT = /random|zufall|aleat|casual|willekeurig|pick a number|\brng\b/
const MAX_NUMBERS = 100
/** The largest range that the random source supports. */
const MAX_RANGE = 2 ** 48
const NUMBER = String.raw`[-+]?\d[\d.,' ]{0,20}`

/** `between 1 and 6`, `1 to 6`, `1-6`; `opening` and `joint` depend on the language. */
const range = (opening: string, joint: string): string =>
  `(?: (?:${opening})?(?<low>${NUMBER}?) ?(?:${joint}|-|–|\\.\\.) ?(?<high>${NUMBER}))?`
const COUNT = String.raw`(?:(?<count>\d{1,3}) )?`

const TRIGGERS: Triggers = {
  en: [
    new RegExp(
      `^(?:(?:generate|pick|give me|choose|get) )?(?:an? )?${COUNT}random (?:number|integer|int)s?(?: generator)?${range('between |from |in ', 'and|to')}$`,
    ),
    new RegExp(`^pick a number${range('between |from ', 'and|to')}$`),
    new RegExp(`^rng (?<low>${NUMBER}?) ?(?: |-|to) ?(?<high>${NUMBER})$`),
  ],
  fr: [new RegExp(`^(?:un )?${COUNT}(?:nombres?|chiffres?) (?:aleatoires?|au hasard)${range('entre |de ', 'et|a')}$`)],
  de: [new RegExp(`^(?:eine )?${COUNT}zufallszahl(?:en)?(?: generator)?${range('zwischen |von ', 'und|bis')}$`)],
  es: [new RegExp(`^(?:un )?${COUNT}numeros? (?:aleatorios?|al azar)${range('entre |del? ', 'y|al?')}$`)],
  it: [new RegExp(`^(?:un )?${COUNT}numer[oi] casual[ei]${range('tra |fra |da ', 'e|a')}$`)],
  pt: [new RegExp(`^(?:um )?${COUNT}numeros? aleatorios?${range('entre |de ', 'e|a')}$`)],
  nl: [
    new RegExp(
      `^(?:een )?${COUNT}(?:willekeurige?|random) (?:getal|getallen|nummers?)${range('tussen |van ', 'en|tot')}$`,
    ),
  ],
}

export const randomNumber = defineAnswer({
  slug: 'random_number',
  title: 'Random number',
  summary: 'Picks whole numbers between two bounds, both of which can come up.',
  examples: [
    { q: 'random number between 1 and 100' },
    { q: '5 random numbers from 1 to 49' },
    { q: 'zufallszahl zwischen 1 und 6', lang: 'de' },
  ],
  isPersonal: true,
  reply: z.object({ low: z.int(), high: z.int(), numbers: z.array(z.int()) }),
  match(question) {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, (parts, spoken) => readBounds(parts, numberLocale(question, spoken)))
  },
  answer({ low, high, wanted, locale }, { random }) {
    const numbers = Array.from({ length: wanted }, () => low + random(high - low + 1))
    const write = (number: number) => writeNumber(String(number), locale)
    return { text: `${numbers.map(write).join(', ')} (${write(low)} – ${write(high)})`, low, high, numbers }
  },
})

function readBounds({ low = '', high = '', count = '' }: Parts, locale: string) {
  const [bottom, top] = high === '' ? [1, 100] : [low, high].map((written) => Number(readNumber(written, locale)))
  const wanted = count === '' ? 1 : Number(count)
  if (bottom === undefined || top === undefined || wanted < 1 || wanted > MAX_NUMBERS) return undefined
  const isUsable = Number.isSafeInteger(bottom) && Number.isSafeInteger(top) && bottom < top && top - bottom < MAX_RANGE
  return isUsable ? { low: bottom, high: top, wanted, locale } : undefined
}
