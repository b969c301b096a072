// Wiktionary: definitions, in English, of words in every language. JSON over HTTP, no key. Only the English edition has
// this API, so definitions are always in English; other editions reply 501. Titles are case-sensitive: `serendipity` is
// a word, `Serendipity` isn't. An unknown word is a 404, which is an answer. Definitions are HTML and may be empty.
// Wikimedia wants callers to identify themselves, which the host's User-Agent does.
import { z } from 'zod'
import { asArray, asObject, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { plainText } from '../parsing/plain-text.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

/** Words such as `a` exist in a hundred languages. */
const MAX_ENTRIES = 60
const MAX_SENSES = 10
const MAX_SENSES_READ = 20
const MAX_EXAMPLES = 2
const MAX_NAME_LENGTH = 60
const MAX_TEXT_LENGTH = 500

const settings = { baseUrl: setting('WIKTIONARY_URL', 'https://en.wiktionary.org') }

const WiktionaryEntry = z.object({
  /** Wikimedia's code for the word's language: `en`, `fr`, or `other`. */
  lang: z.string(),
  /** Its name in English. */
  language: z.string(),
  /** `Noun`, `Verb`, or ''. */
  partOfSpeech: z.string(),
  /** Never empty. In the provider's order, which is roughly by importance. */
  senses: z.array(z.object({ definition: z.string(), examples: z.array(z.string()) })),
})
export type WiktionaryEntry = z.infer<typeof WiktionaryEntry>

const asText = (value: unknown): string => (typeof value === 'string' ? plainText(value, MAX_TEXT_LENGTH) : '')
const asName = (value: unknown): string => (typeof value === 'string' ? plainText(value, MAX_NAME_LENGTH) : '')

const senseOf = (given: unknown): WiktionaryEntry['senses'][number] => {
  const { definition, examples } = asObject(given)
  return {
    definition: asText(definition),
    examples: asArray(examples).map(asText).filter(Boolean).slice(0, MAX_EXAMPLES),
  }
}

const entryOf = (lang: string, given: unknown): WiktionaryEntry => {
  const { partOfSpeech, language, definitions } = asObject(given)
  const senses = asArray(definitions).slice(0, MAX_SENSES_READ).map(senseOf)
  return {
    lang: asName(lang),
    language: asName(language),
    partOfSpeech: asName(partOfSpeech),
    senses: senses.filter(({ definition }) => definition !== '').slice(0, MAX_SENSES),
  }
}

/** Whether anything in the reply has the expected shape. On a real page, every definition may be empty. */
const isReadable = (groups: readonly unknown[]): boolean => {
  const definitions = groups.flatMap(asArray).flatMap((entry) => asArray(asObject(entry)['definitions']))
  return definitions.some((given) => typeof asObject(given)['definition'] === 'string')
}

/** A word as a path segment, in the form of a page title. */
const titleOf = (word: string): string => encodeURIComponent(word.replaceAll(' ', '_').toWellFormed())

/** The public page of a word. */
export const wiktionaryPage = (word: string): string => `https://en.wiktionary.org/wiki/${titleOf(word)}`

/** Fetches every entry for a word, in all languages; [] if Wiktionary has none. */
export const wiktionaryDefinitions = defineCall<typeof settings>()({
  name: 'definitions',
  keepSeconds: 86_400,
  keyOf: ({ word }: { word: string }) => word,
  // We never follow HTTP redirects, so request the redirect page itself.
  request: ({ word }) => getJson(`/api/rest_v1/page/definition/${titleOf(word)}`, { redirect: 'false' }),
  parse: (reply, { now }): WiktionaryEntry[] => {
    if (reply.status === 404) return []
    const languages = jsonReply(reply, { now })
    const groups = Object.values(languages)
    if (groups.length > 0 && !isReadable(groups)) {
      throw new UpstreamError('malformed', 'The provider answered with definitions that cannot be read.')
    }
    return Object.entries(languages)
      .flatMap(([lang, entries]) => asArray(entries).map((entry): [string, unknown] => [lang, entry]))
      .slice(0, MAX_ENTRIES)
      .map(([lang, entry]) => entryOf(lang, entry))
      .filter(({ senses }) => senses.length > 0)
  },
  schema: z.array(WiktionaryEntry),
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
