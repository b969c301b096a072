// Definitions of words, in English, from Wiktionary: `define serendipity`, `meaning of ephemeral`, `serendipity
// definition`, `what does laconic mean`. One to three words. Must not answer: `meaning of life`, `definition of done
// scrum`, `high definition tv`, `define css variable`, nor a word that Wiktionary doesn't have.

import {
  type WiktionaryEntry,
  wiktionary,
  wiktionaryDefinitions,
  wiktionaryPage,
} from '@bowerbird/engines/sources/wiktionary.ts'
import { z } from 'zod'
import { type AnswerContext, defineAnswer } from '../answer.ts'

const HINT = /defin|meaning|\bmean\b|dictionary/
const MAX_QUERY_LENGTH = 60
const WORD = "[\\p{L}][\\p{L}'’-]{0,30}"
const PHRASE = `(${WORD}(?: ${WORD}){0,2})`

/** Matched against the lower-case text, not the folded one, so that words keep their accents. */
const TRIGGERS = [
  new RegExp(`^(?:define the word|define|dictionary definition of|definition of|definition for) ${PHRASE}$`, 'u'),
  new RegExp(`^(?:what is the |what's the )?(?:meaning|definition) of (?:the word )?["“]?${PHRASE}["”]?$`, 'u'),
  new RegExp(`^what (?:does|do) (?:the word )?["“]?${PHRASE}["”]? mean$`, 'u'),
  new RegExp(`^(${WORD}) (?:definition|meaning|define)$`, 'u'),
]

/** With a colon, the word is meant as a word. */
const CERTAIN = new RegExp(`^(?:define|definition|dictionary) ?: ?${PHRASE}$`, 'u')

/** Questions that a dictionary doesn't settle. */
const NOT_FOR_DICTIONARY =
  /^(?:life|done|love|it|this|that|high|my .*|your .*|his .*|the .*|name|names|dreams?|song|lyrics|double|urban|user|hidden|true|real|css .*)$/
const MAX_SENSES = 3

const Sense = z.object({ definition: z.string(), examples: z.array(z.string()) })

export const dictionaryDefinition = defineAnswer({
  slug: 'dictionary_definition',
  title: 'Definition',
  summary: 'The meaning of a word, in English, from Wiktionary.',
  examples: [{ q: 'define serendipity' }, { q: 'meaning of ephemeral' }, { q: 'serendipity definition' }],
  reply: z.object({
    word: z.string(),
    language: z.string().describe('The language of the word, in English'),
    entries: z.array(z.object({ part_of_speech: z.string(), senses: z.array(Sense) })),
    attribution: z.object({ text: z.string(), url: z.string(), licence: z.string(), licence_url: z.string() }),
  }),
  match({ text, folded }): { word: string } | null {
    if (folded.length > MAX_QUERY_LENGTH || !HINT.test(folded)) return null
    const plain = text.replace(/[?!.]{1,3}$/, '')
    const lower = plain.toLowerCase()
    const certain = CERTAIN.exec(lower)?.[1]
    if (certain !== undefined) return { word: plain.slice(plain.length - certain.length) }
    for (const trigger of TRIGGERS) {
      const word = trigger.exec(lower)?.[1]
      if (word !== undefined && !NOT_FOR_DICTIONARY.test(word))
        return { word: plain.slice(lower.indexOf(word)).slice(0, word.length) }
    }
    return null
  },
  async answer({ word }, context) {
    const source = context.find(wiktionary)
    if (!source) return null
    const [found, entries] = await lookUp(word, context)
    const [first] = entries
    if (!first) return null
    const [sense] = first.senses
    const kind = [first.partOfSpeech.toLowerCase(), first.lang === 'en' ? '' : first.language].filter(
      (part) => part !== '',
    )
    return {
      text: `${found}${kind.length > 0 ? ` (${kind.join(', ')})` : ''}: ${sense?.definition ?? ''}`,
      word: found,
      language: first.language,
      entries: entries.map(({ partOfSpeech, senses }) => ({
        part_of_speech: partOfSpeech,
        senses: senses.slice(0, MAX_SENSES),
      })),
      attribution: {
        text: source.source.terms.attribution,
        url: wiktionaryPage(found),
        licence: 'CC BY-SA 4.0',
        licence_url: 'https://creativecommons.org/licenses/by-sa/4.0/',
      },
    }
  },
})

/** Tries lower case first, which suits most words but not names and German nouns. Returns entries in one language. */
async function lookUp(word: string, { find, deadline }: AnswerContext): Promise<[string, WiktionaryEntry[]]> {
  const source = find(wiktionary)
  for (const spelling of new Set([word.toLowerCase(), word])) {
    const found = source ? (await source.ask(wiktionaryDefinitions, { word: spelling }, deadline)).found : []
    const english = found.filter(({ lang }) => lang === 'en')
    const entries = english.length > 0 ? english : found.filter(({ lang }) => lang === found[0]?.lang)
    if (entries.length > 0) return [spelling, entries]
  }
  return [word, []]
}
