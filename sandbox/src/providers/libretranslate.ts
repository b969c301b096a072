// LibreTranslate: `POST /translate`, `GET /languages`, `/frontend/settings` and `/health`. The key is a member of the
// body; without one the answer is 400 and not 401, with a wrong one 403. Every error is `{"error": "…"}`. Codes are
// case-insensitive, and `zh`, `zt`, `pb` are other names of `zh-Hans`, `zh-Hant`, `pt-BR`.
// Our own choice: that a key is required, and the confidence of a detection.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { guessLanguage, type PhrasebookLanguage, translatePhrases } from '../corpus/phrasebook.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readJsonObject } from './read-json-object.ts'

const KEY = 'sandbox-libretranslate-key'

interface Language {
  code: string
  name: string
  words: PhrasebookLanguage
}

const LANGUAGES: readonly Language[] = [
  { code: 'en', name: 'English', words: 'en' },
  { code: 'nl', name: 'Dutch', words: 'nl' },
  { code: 'fr', name: 'French', words: 'fr' },
  { code: 'de', name: 'German', words: 'de' },
  { code: 'it', name: 'Italian', words: 'it' },
  { code: 'pt', name: 'Portuguese', words: 'pt' },
  { code: 'pt-BR', name: 'Portuguese (Brazil)', words: 'pt' },
  { code: 'es', name: 'Spanish', words: 'es' },
]

/** There is no translation from Dutch into Brazilian Portuguese, as an example of a missing pair. */
const targetsOf = ({ code }: Language): string[] =>
  LANGUAGES.map((target) => target.code).filter((target) => code !== 'nl' || target !== 'pt-BR')

const SETTINGS = {
  charLimit: -1,
  frontendTimeout: 500,
  apiKeys: true,
  keyRequired: true,
  suggestions: false,
  filesTranslation: false,
  supportedFilesFormat: [],
  language: { source: { code: 'auto', name: 'Auto Detect' }, target: { code: 'es', name: 'Spanish' } },
}

const error = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { error: text },
})

export const libretranslate = defineProvider({
  slug: 'libretranslate',
  key: KEY,
  readsHeaders: ['content-type'],
  optionalMembers: ['detectedLanguage', 'alternatives'],
  answer(request, corpus) {
    const { method, path } = request
    if (method === 'POST' && path === '/translate') return translate(request)
    if (method !== 'GET') return undefined
    if (path === '/health') return { status: 200, json: { status: 'ok' } }
    if (path === '/frontend/settings') return { status: 200, json: SETTINGS }
    if (path === '/translate') return error(405, 'The method is not allowed for the requested URL.')
    if (path !== '/languages') return undefined
    const known = corpus === EMPTY_CORPUS ? [] : LANGUAGES
    return { status: 200, json: known.map((one) => ({ code: one.code, name: one.name, targets: targetsOf(one) })) }
  },
  badKey: () => error(403, 'Invalid API key'),
  throttled: (_now, retryAfterSeconds) =>
    error(429, 'Slowdown: 10 per 1 minute', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => error(status, 'The server encountered an internal error.'),
})

function translate({ headers, body }: ProviderRequest): ProviderReply {
  const isJson = headers['content-type']?.startsWith('application/json')
  const given = isJson ? readJsonObject(body) : Object.fromEntries(new URLSearchParams(body))
  if (!given) return error(400, 'Invalid JSON format')
  if (given['api_key'] === undefined) return error(400, 'Please contact the server operator to get an API key')
  if (given['api_key'] !== KEY) return error(403, 'Invalid API key')
  for (const name of ['q', 'source', 'target']) {
    if (!given[name]) return error(400, `Invalid request: missing ${name} parameter`)
  }
  const { q, source, target, format = 'text' } = given
  if (format !== 'text' && format !== 'html') return error(400, `${String(format)} format is not supported`)
  return translated(String(q), String(source).toLowerCase(), String(target))
}

function translated(text: string, source: string, target: string): ProviderReply {
  const guess = source === 'auto' ? guessLanguage(text) : undefined
  const from = languageOf(source === 'auto' ? (guess ?? 'en') : source)
  const to = languageOf(target)
  if (!from) return error(400, `${source} is not supported`)
  if (!to) return error(400, `${target} is not supported`)
  if (!targetsOf(from).includes(to.code)) {
    return error(400, `${to.name} (${to.code}) is not available as a target language from ${from.name} (${from.code})`)
  }
  const detectedLanguage = { confidence: guess ? 92 : 0, language: from.code }
  return {
    status: 200,
    json: {
      ...(source === 'auto' && { detectedLanguage }),
      translatedText: translatePhrases({ text, source: from.words, target: to.words }),
    },
  }
}

function languageOf(given: string): Language | undefined {
  const code = given.toLowerCase() === 'pb' ? 'pt-br' : given.toLowerCase()
  return LANGUAGES.find((language) => language.code.toLowerCase() === code)
}
