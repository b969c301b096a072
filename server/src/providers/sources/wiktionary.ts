// Wiktionary: what a word means, in English, for words of every language. JSON over HTTP, no key.
// Only the English edition has this interface, so definitions are always in English; other editions answer 501.
// Titles are case-sensitive: `serendipity` is a word and `Serendipity` is none. A word it has not got is a 404, which
// is an answer. Definitions are HTML and may be empty. Wikimedia wants to know who asks: the host's User-Agent says so.
import { z } from 'zod'
import { setting } from '../../config/setting.ts'
import { UpstreamError } from '../../errors.ts'
import { plainText } from '../../text/plain-text.ts'
import { jsonReply, list, record } from '../reading/json-reply.ts'
import { defineCall, defineSource } from '../source.ts'

/** A word such as `a` means something in a hundred languages. */
const MOST_ENTRIES = 60
const MOST_SENSES = 10
const MOST_SENSES_READ = 20
const MOST_EXAMPLES = 2
const LONGEST_NAME = 60
const LONGEST_TEXT = 500

const settings = { baseUrl: setting('WIKTIONARY_URL', 'https://en.wiktionary.org') }

const WiktionaryEntry = z.object({
  /** The language of the word, as Wikimedia codes it: `en`, `fr`, or `other`. */
  lang: z.string(),
  /** Its name in English. */
  language: z.string(),
  /** `Noun`, `Verb`, or ''. */
  partOfSpeech: z.string(),
  /** Never empty. In the provider's order, which is that of importance more or less. */
  senses: z.array(z.object({ definition: z.string(), examples: z.array(z.string()) })),
})
export type WiktionaryEntry = z.infer<typeof WiktionaryEntry>

const text = (value: unknown): string => (typeof value === 'string' ? plainText(value, LONGEST_TEXT) : '')
const name = (value: unknown): string => (typeof value === 'string' ? plainText(value, LONGEST_NAME) : '')

const senseOf = (given: unknown): WiktionaryEntry['senses'][number] => {
  const { definition, examples } = record(given)
  return { definition: text(definition), examples: list(examples).map(text).filter(Boolean).slice(0, MOST_EXAMPLES) }
}

const entryOf = (lang: string, given: unknown): WiktionaryEntry => {
  const { partOfSpeech, language, definitions } = record(given)
  const senses = list(definitions).slice(0, MOST_SENSES_READ).map(senseOf)
  return {
    lang: name(lang),
    language: name(language),
    partOfSpeech: name(partOfSpeech),
    senses: senses.filter(({ definition }) => definition !== '').slice(0, MOST_SENSES),
  }
}

/** Whether anything in the reply is as the contract says. That every definition is empty can be true of a real page. */
const isReadable = (groups: readonly unknown[]): boolean => {
  const definitions = groups.flatMap(list).flatMap((entry) => list(record(entry)['definitions']))
  return definitions.some((given) => typeof record(given)['definition'] === 'string')
}

/** A word as one part of a path, as titles are written there. */
const titleOf = (word: string): string => encodeURIComponent(word.replaceAll(' ', '_').toWellFormed())

/** The page of a word, for people. */
export const wiktionaryPage = (word: string): string => `https://en.wiktionary.org/wiki/${titleOf(word)}`

/** Every entry for a word, in all languages; [] when Wiktionary has not got it. */
export const wiktionaryDefinitions = defineCall<typeof settings>()({
  name: 'definitions',
  keepSeconds: 86_400,
  keyOf: ({ word }: { word: string }) => word,
  request: ({ word }) => ({
    // A redirect is never followed, so a page that only points elsewhere is asked for as it stands.
    path: `/api/rest_v1/page/definition/${titleOf(word)}?redirect=false`,
    headers: { accept: 'application/json' },
  }),
  parse: (reply, { now }): WiktionaryEntry[] => {
    if (reply.status === 404) return []
    const languages = jsonReply(reply, { now })
    const groups = Object.values(languages)
    if (groups.length > 0 && !isReadable(groups)) {
      throw new UpstreamError('malformed', 'The provider answered with definitions that cannot be read.')
    }
    return Object.entries(languages)
      .flatMap(([lang, entries]) => list(entries).map((entry): [string, unknown] => [lang, entry]))
      .slice(0, MOST_ENTRIES)
      .map(([lang, entry]) => entryOf(lang, entry))
      .filter(({ senses }) => senses.length > 0)
  },
  found: z.array(WiktionaryEntry),
})

export const wiktionary = defineSource({
  slug: 'wiktionary',
  name: 'Wiktionary',
  homepage: 'https://en.wiktionary.org',
  group: 'cards',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Definitions from Wiktionary, CC BY-SA 4.0',
    rateLimit: { calls: 200, perSeconds: 60 },
  },
})
