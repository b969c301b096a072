// Questions about a fact that a card has: `eiffel tower height`, `who wrote the hobbit`, `when was ada lovelace born`. Cards are
// then looked up for the thing instead of the whole question, so it costs no other call, and if its card has that very
// fact, the fact is shown above the results. Without it there is neither. Phrases that are titles as well (`age of empires`,
// `art director`) aren't among these.
import type { z } from 'zod'
import { createSubjectFinder } from '../../cards/names.ts'
import type { wikipediaCard } from '../../cards/wikipedia-card.ts'

export type WikipediaCard = z.output<typeof wikipediaCard.reply>

interface CardQuestion {
  /** What the question is about, as typed. */
  subject: string
  /** Wikidata's properties that answer it, the best first. */
  properties: readonly string[]
}

/** Folded, in English, German, French and Spanish. */
const QUESTIONS: readonly { properties: string; phrasings: readonly { before?: string; after?: string }[] }[] = [
  {
    properties: 'P2048 P2044',
    phrasings: [
      {
        before:
          'how tall is|how high is|height of|wie hoch ist|wie gross ist|hohe von|hauteur de|hauteur du|altura de|altura del|cuanto mide',
      },
      { after: 'height|hohe|hauteur|altura' },
    ],
  },
  {
    properties: 'P2044',
    phrasings: [{ before: 'elevation of|altitude of|altitude de|altitud de' }],
  },
  { properties: 'P2043', phrasings: [{ before: 'how long is|length of|wie lang ist|longueur de|longitud de' }] },
  {
    properties: 'P50',
    phrasings: [
      {
        before:
          'who wrote|who is the author of|author of|wer schrieb|autor von|autorin von|qui a ecrit|auteur de|quien escribio|autor de',
      },
      { before: 'wer hat', after: 'geschrieben' },
    ],
  },
  {
    properties: 'P57',
    phrasings: [
      { before: 'who directed|who is the director of|director of|regisseur von|qui a realise|quien dirigio' },
      { before: 'wer hat', after: 'gedreht' },
    ],
  },
  {
    properties: 'P84',
    phrasings: [
      { before: 'who designed|who was the architect of|architect of|architekt von|architecte de|arquitecto de' },
    ],
  },
  {
    properties: 'P112',
    phrasings: [
      {
        before:
          'who founded|founder of|founders of|wer grundete|grunder von|qui a fonde|fondateur de|quien fundo|fundador de',
      },
    ],
  },
  {
    properties: 'P169',
    phrasings: [{ before: 'who is the ceo of|ceo of|ceo von|pdg de|director ejecutivo de' }],
  },
  {
    properties: 'P569',
    phrasings: [
      { before: 'when was|wann wurde|wann ist', after: 'born|geboren' },
      { before: 'quand est ne|quand est nee|cuando nacio|birthday of|date of birth of|geburtstag von' },
      { after: 'birthday|date of birth|geburtsdatum|date de naissance|fecha de nacimiento' },
    ],
  },
  {
    properties: 'P19',
    phrasings: [
      { before: 'where was|wo wurde|wo ist', after: 'born|geboren' },
      { before: 'ou est ne|ou est nee|donde nacio|birthplace of' },
      { after: 'birthplace|geburtsort' },
    ],
  },
  {
    properties: 'P570',
    phrasings: [
      { before: 'when did', after: 'die' },
      { before: 'wann starb|quand est mort|quand est morte|cuando murio' },
      { before: 'wann ist', after: 'gestorben' },
    ],
  },
  {
    properties: 'P571 P1619',
    phrasings: [
      { before: 'when was|wann wurde', after: 'built|founded|established|gebaut|gegrundet|erbaut' },
      { before: 'quand a ete construit|quand a ete construite|quand a ete fondee|cuando se construyo|cuando se fundo' },
    ],
  },
  {
    properties: 'P577',
    phrasings: [
      { before: 'when was|wann wurde', after: 'released|published|veroffentlicht' },
      { before: 'when did', after: 'come out' },
      { before: 'release date of' },
      { after: 'release date' },
    ],
  },
  {
    properties: 'P1082',
    phrasings: [
      {
        before:
          'population of|how many people live in|einwohner von|wie viele einwohner hat|population de|poblacion de',
      },
    ],
  },
  { properties: 'P6', phrasings: [{ before: 'who is the mayor of|mayor of|burgermeister von|maire de|alcalde de' }] },
  {
    properties: 'P36',
    phrasings: [{ before: 'capital of|what is the capital of|hauptstadt von|capitale de|capital de' }],
  },
]

const FINDERS = QUESTIONS.map(({ properties, phrasings }) => ({
  properties: properties.split(' '),
  subjectOf: createSubjectFinder(phrasings),
}))

/** Before a thing, but not before a work, whose title begins with it: `wie hoch ist der Eiffelturm`, `wer schrieb Der Prozess`. */
const ARTICLE = /^(?:(?:der|die|das|den|dem|la|le|les|el|los|las) |l['’])/i
const OF_WORKS = new Set(['P50', 'P57', 'P577'])

/** `undefined`: not such a question. */
export function readCardQuestion(text: string): CardQuestion | undefined {
  for (const { properties, subjectOf } of FINDERS) {
    const subject = subjectOf(text)
    const isOfWork = properties.some((property) => OF_WORKS.has(property))
    if (subject) return { subject: isOfWork ? subject : subject.replace(ARTICLE, ''), properties }
  }
  return undefined
}

/** The fact that answers the question, as an instant answer; `undefined`: the card doesn't have it. */
export function factAnswer({ properties }: CardQuestion, card: WikipediaCard | null | undefined, query: string) {
  const fact = properties
    .map((property) => card?.facts.find((one) => one.property === property))
    .find((one) => one !== undefined)
  if (!card || !fact) return undefined
  const values = fact.values.map(({ text }) => text).join(', ')
  const source = card.sources.find(({ name }) => name === 'Wikidata')
  return {
    type: 'card_fact',
    query,
    text: `${card.title}, ${fact.label}: ${values}`,
    attribution: { text: source?.name ?? card.attribution.text, url: source?.url ?? card.attribution.url },
  }
}
