// Definitions of a word, from Wiktionary. Shown if the query asks about a word (`define petrichor`, `petrichor
// meaning`), or is nothing but one lower-case word that the dictionary lists as a noun, verb, adjective, adverb or
// interjection in the requested language: that rules out names. Definitions are in English, whatever the language of
// the word. With `safe` on, senses that Wiktionary marks as vulgar or offensive are left out.

import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import {
  type WiktionaryEntry,
  wiktionary,
  wiktionaryDefinitions,
  wiktionaryPage,
} from '@bowerbird/engines/sources/wiktionary.ts'
import { z } from 'zod'
import { Attribution, type CardContext, CC_BY_SA_4, defineCard } from './card.ts'
import { createSubjectFinder } from './names.ts'

const meaningOf = createSubjectFinder([
  { before: 'what does|what do', after: 'mean|means' },
  {
    before:
      'define the word|define|definition of|meaning of the word|meaning of|what is the meaning of|' +
      'what is the definition of|definition de|definition du mot|signification de|que signifie|' +
      'que veut dire|definition von|bedeutung von|was bedeutet|definicion de|significado de|que significa|' +
      'definizione di|significato di|cosa significa|che significa|definicao de|o que significa|' +
      'definitie van|betekenis van|wat betekent',
  },
  {
    after:
      'definition|meaning|define|signification|bedeutung|significado|definicion|definizione|significato|' +
      'definicao|definitie|betekenis',
  },
])

const WORD = /^[\p{L}\p{M}][\p{L}\p{M}'’-]{0,38}$/u
const LOWER_CASE_WORD = /^[\p{Ll}\p{Lo}\p{M}'’-]{3,30}$/u

const COMMON_PARTS = new Set(['Noun', 'Verb', 'Adjective', 'Adverb', 'Interjection'])
const OFFENSIVE = /^\([^()]{0,120}\b(?:vulgar|offensive|slur|obscene|taboo)\b/i

const MAX_ENTRIES = 4
const MAX_SENSES = 4
/** German nouns are capitalised, even if people type them in lower case. */
const LANGUAGE_WITH_CAPITALISED_NOUNS = 'de'

interface SoughtWord {
  word: string
  isAskedFor: boolean
}

function parseWordQuery(text: string): SoughtWord | undefined {
  const word = meaningOf(text)
  if (word !== undefined) return WORD.test(word) ? { word, isAskedFor: true } : undefined
  return LOWER_CASE_WORD.test(text) && WORD.test(text) ? { word: text, isAskedFor: false } : undefined
}

/** The word as typed, then as the dictionary might spell it. */
function spellings({ word, isAskedFor }: SoughtWord, base: string): string[] {
  const capitalised = word.charAt(0).toUpperCase() + word.slice(1)
  const others = [
    ...(isAskedFor ? [word.toLowerCase()] : []),
    ...(base === LANGUAGE_WITH_CAPITALISED_NOUNS ? [capitalised] : []),
  ]
  return [...new Set([word, ...others])]
}

/** The entries in one language: the requested one or, if the query asks about the word, any that has it. */
function entriesIn(entries: readonly WiktionaryEntry[], base: string, isAskedFor: boolean): WiktionaryEntry[] {
  const wanted = base || 'en'
  const inLanguage = (lang: string | undefined) => entries.filter((entry) => entry.lang === lang)
  if (!isAskedFor) {
    const found = inLanguage(wanted)
    return found.some(({ partOfSpeech }) => COMMON_PARTS.has(partOfSpeech)) ? found : []
  }
  return [wanted, 'en', entries[0]?.lang].map(inLanguage).find((found) => found.length > 0) ?? []
}

const withoutOffensive = (entries: readonly WiktionaryEntry[]): WiktionaryEntry[] =>
  entries
    .map((entry) => ({ ...entry, senses: entry.senses.filter(({ definition }) => !OFFENSIVE.test(definition)) }))
    .filter(({ senses }) => senses.length > 0)

async function lookUp(sought: SoughtWord, context: CardContext) {
  const { base } = languageTag(context.lang)
  for (const word of spellings(sought, base)) {
    const found = (await context.ask(wiktionary, wiktionaryDefinitions, { word })) ?? []
    const entries = entriesIn(found, base, sought.isAskedFor)
    const shown = context.safe ? withoutOffensive(entries) : entries
    if (shown.length > 0) return { word, entries: shown }
  }
  return undefined
}

export const dictionaryCard = defineCard({
  kind: 'dictionary',
  summary: 'Definitions of a word.',
  sources: [wiktionary],
  reply: z.object({
    word: z.string(),
    lang: z.string().describe('The language of the word.'),
    language: z.string().describe('The name of that language in English.'),
    entries: z.array(
      z.object({
        part_of_speech: z.string(),
        senses: z.array(z.object({ definition: z.string(), examples: z.array(z.string()) })),
      }),
    ),
    url: z.string(),
    attribution: Attribution,
  }),
  async ask(context) {
    const sought = parseWordQuery(context.text)
    const found = sought && (await lookUp(sought, context))
    const [first] = found?.entries ?? []
    if (!found || !first) return null
    const url = wiktionaryPage(found.word)
    return {
      word: found.word,
      lang: first.lang,
      language: first.language,
      entries: found.entries.slice(0, MAX_ENTRIES).map(({ partOfSpeech, senses }) => ({
        part_of_speech: partOfSpeech,
        senses: senses.slice(0, MAX_SENSES),
      })),
      url,
      attribution: { text: 'Wiktionary contributors', url, ...CC_BY_SA_4 },
    }
  },
})
