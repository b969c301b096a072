// Random choice: `choose pizza, pasta or rice`, `pick one: red, green, blue`, `wähle zwischen a oder b`. The query must
// begin with the verb and list at least two things. `pizza or pasta`, `how to choose a tent` and `choose your own
// adventure` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { fold, type Question } from '../question.ts'

const MAX_CHOICES = 20
const MAX_CHOICE_LENGTH = 60
const MAX_WORDS_PER_CHOICE = 3

/** The first words of OPENING, folded: a quick check before the precise one. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  'choose pick decide random choisis choisir choisissez wahle entscheide elige escoge scegli escolha escolhe kies'.split(
    ' ',
  ),
)
const OPENING = new RegExp(
  '^(?:' +
    '(?:choose|pick|decide)(?: for me| one| randomly)?(?: from| of| between| among)?|random (?:choice|pick)(?: from| of| between)?|' +
    'choisi(?:s|r|ssez)(?: entre| parmi)?|(?:wahle|entscheide)(?: zwischen| aus)?|(?:elige|escoge)(?: entre)?|' +
    'scegli(?: tra| fra)?|escolh[ae](?: entre)?|kies(?: tussen| uit)?' +
    ')(?::| )',
)
const SEPARATOR = /\s*[,;]\s*(?:(?:or|and|ou|et|oder|und|o|y|e|of|en)\s+)?|\s+(?:or|ou|oder|o|of)\s+/i
const PAIR = /\s+(?:and|et|und|y|e|en)\s+/i
const BETWEEN = /(?:between|among|entre|parmi|zwischen|tra|fra|tussen)(?::| )$/

export const choose = defineAnswer({
  slug: 'choose',
  title: 'Choose for me',
  summary: 'Chooses one of several things at random.',
  examples: [{ q: 'choose pizza, pasta or rice' }, { q: 'pick one: red, green, blue' }],
  isPersonal: true,
  reply: z.object({ choices: z.array(z.string()), chosen: z.string() }),
  match(question) {
    if (!FIRST_WORDS.has(question.words[0]?.replace(':', '') ?? '')) return null
    const choices = readChoices(question)
    return choices ? { choices } : null
  },
  answer({ choices }, { random }) {
    const chosen = choices[random(choices.length)] ?? ''
    return { text: chosen, choices, chosen }
  },
})

function readChoices({ text, folded }: Question): string[] | undefined {
  const opening = OPENING.exec(folded)?.[0]
  if (opening === undefined) return undefined
  // The choices as typed. Folding may change the length of a text; then they can't be found in it.
  const rest = text.slice(opening.length).replace(/\?$/, '').trim()
  if (fold(rest) !== folded.slice(opening.length).replace(/\?$/, '').trim()) return undefined
  const listed = rest.split(SEPARATOR)
  const isExplicit = BETWEEN.test(opening) || opening.endsWith(':')
  const choices = listed.length > 1 || !isExplicit ? listed : rest.split(PAIR)
  return isSensible(choices) ? choices : undefined
}

/** Choices are short; anything longer is prose. */
const isSensible = (choices: readonly string[]): boolean =>
  choices.length >= 2 &&
  choices.length <= MAX_CHOICES &&
  new Set(choices).size === choices.length &&
  choices.every(
    (choice) => choice !== '' && choice.length <= MAX_CHOICE_LENGTH && choice.split(' ').length <= MAX_WORDS_PER_CHOICE,
  )
