// Apertium APy: rule-based translation between related languages, from Debian's packages, on the operator's own server.
// It uses ISO 639-3 codes (`eng`) and names variants with an underscore (`por_BR`); variants are left out. It detects
// no languages. It marks words that it doesn't know (`*word`), can't inflect (`#word`) or has no translation for
// (`@word`), the last two even if told not to, so we remove the marks. Text is sent by POST, because its log contains
// URLs.
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import { z } from 'zod'
import { asArray, asObject, asTitle, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const KEPT_SECONDS = 600
const MAX_PAIRS = 2_000
const PLAIN_CODE = /^[a-z]{2,3}$/
/** Marks precede a word; they never occur inside one as in `user@example`. */
const MARKS = [
  /(?<![\p{L}\p{N}])\*(?=\p{L})/gu,
  /(?<![\p{L}\p{N}])#(?=\p{L})/gu,
  /(?<![\p{L}\p{N}])@(?=\p{L})/gu,
] as const

const settings = { baseUrl: setting('APERTIUM_URL') }

const ApertiumPair = z.object({ source: z.string(), target: z.string() })
type ApertiumPair = z.infer<typeof ApertiumPair>

const hasPlainCodes = ({ source, target }: ApertiumPair): boolean => PLAIN_CODE.test(source) && PLAIN_CODE.test(target)

/** The language pairs it can translate. */
export const apertiumPairs = defineCall<typeof settings>()({
  name: 'pairs',
  keepSeconds: KEPT_SECONDS,
  keyOf: (_query: null) => '',
  request: () => getJson('/listPairs'),
  parse(reply, { now }): ApertiumPair[] {
    const { responseData } = jsonReply(reply, { now })
    const pairs = asArray(responseData).slice(0, MAX_PAIRS).map(pairOf)
    const isReadable = Array.isArray(responseData) && (pairs.length === 0 || pairs.some(({ source }) => source !== ''))
    if (!isReadable) throw new UpstreamError('malformed', 'The provider answered with languages that cannot be read.')
    return pairs.filter(hasPlainCodes)
  },
  schema: z.array(ApertiumPair),
})

function pairOf(value: unknown): ApertiumPair {
  const { sourceLanguage: source, targetLanguage: target } = asObject(value)
  return typeof source === 'string' && typeof target === 'string' ? { source, target } : { source: '', target: '' }
}

/** English language names by code. Without its file of names, Apertium knows none. */
export const apertiumNames = defineCall<typeof settings>()({
  name: 'names',
  keepSeconds: KEPT_SECONDS,
  keyOf: ({ codes }: { codes: readonly string[] }) => codes.join(' '),
  request: ({ codes }) => getJson('/listLanguageNames', { locale: 'en', languages: codes.join(' ') }),
  parse(reply, { query, now }): Record<string, string> {
    if (reply.status === 400 || reply.status === 404) return {}
    const names = jsonReply(reply, { now })
    return Object.fromEntries(query.codes.map((code) => [code, asTitle(names[code])]))
  },
  schema: z.record(z.string(), z.string()),
})

interface ApertiumQuery {
  text: string
  /** Codes as in a pair. */
  source: string
  target: string
}

/** Never cached: what people translate is private. */
export const apertiumTranslation = defineCall<typeof settings>()({
  name: 'translation',
  keepSeconds: 0,
  keyOf: ({ text, source, target }: ApertiumQuery) => `${source}\n${target}\n${text}`,
  request: ({ text, source, target }) => ({
    method: 'POST',
    path: '/translate',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      langpair: `${source}|${target}`,
      markUnknown: 'no',
      format: 'txt',
      q: text,
    }).toString(),
  }),
  parse(reply, { query, now }): string {
    const { translatedText } = asObject(jsonReply(reply, { now })['responseData'])
    if (typeof translatedText !== 'string') {
      throw new UpstreamError('malformed', 'The provider answered without a translation.')
    }
    const text = visibleText(withoutMarks(translatedText, query.text))
    return /^\s/.test(query.text) ? text : text.trimStart()
  },
  schema: z.string(),
})

/** If the source text contains a mark, as in `#climate`, all such marks stay: we can't tell which are Apertium's. */
function withoutMarks(translated: string, original: string): string {
  let text = translated
  for (const mark of MARKS) if (original.search(mark) < 0) text = text.replace(mark, '')
  return text
}

export const apertium = defineSource({
  slug: 'apertium',
  name: 'Apertium',
  homepage: 'https://www.apertium.org',
  group: 'translate',
  settings,
  terms: { cacheIn: 'shared', pricePerCallMicros: 0, attribution: '' },
  probe: apertiumPairs,
})
