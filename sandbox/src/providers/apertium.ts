// Apertium APy: `GET` or form `POST /translate`, `GET /listPairs`, `GET /listLanguageNames`, keyless. It uses ISO 639-3
// codes, with variants such as `por_BR`, and accepts two-letter codes as well. It detects nothing. A word that it knows
// but cannot inflect has a `#` before it, in any text; here that is `station`. Our own choice: which pairs there are.
// The real one has no rate limit; how it would look is a guess.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { type PhrasebookLanguage, translatePhrases } from '../corpus/phrasebook.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

const LANGUAGES: Readonly<Record<string, { words: PhrasebookLanguage; name: string }>> = {
  eng: { words: 'en', name: 'English' },
  eng_US: { words: 'en', name: 'American English' },
  spa: { words: 'es', name: 'Spanish' },
  fra: { words: 'fr', name: 'French' },
  ita: { words: 'it', name: 'Italian' },
  por: { words: 'pt', name: 'Portuguese' },
  por_BR: { words: 'pt', name: 'Brazilian Portuguese' },
}

const PAIRS = [
  ['eng', 'spa'],
  ['spa', 'eng'],
  ['spa', 'eng_US'],
  ['spa', 'fra'],
  ['fra', 'spa'],
  ['spa', 'ita'],
  ['ita', 'spa'],
  ['spa', 'por'],
  ['spa', 'por_BR'],
  ['por', 'spa'],
] as const

const good = (responseData: unknown): ProviderReply => ({
  status: 200,
  json: { responseData, responseDetails: null, responseStatus: 200 },
})

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

const error = (code: number, explanation: string, headers: Record<string, string> = {}): ProviderReply => ({
  status: code,
  headers,
  json: { status: 'error', code, message: MESSAGES[code] ?? 'Unknown', explanation },
})

export const apertium = defineProvider({
  slug: 'apertium',
  key: '',
  readsHeaders: ['content-type'],
  optionalMembers: ['responseDetails'],
  answer(request, corpus) {
    const { method, path } = request
    if (method !== 'GET' && method !== 'POST') return undefined
    const pairs = corpus === EMPTY_CORPUS ? [] : PAIRS
    if (path === '/listPairs') {
      return good(pairs.map(([sourceLanguage, targetLanguage]) => ({ sourceLanguage, targetLanguage })))
    }
    if (path === '/listLanguageNames') return { status: 200, json: namesOf(request.query.get('languages') ?? '') }
    return path === '/translate' ? translate(argumentsOf(request)) : undefined
  },
  badKey: () => error(403, 'Access denied'),
  throttled: (_now, retryAfterSeconds) => error(429, 'Slow down', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => error(status, 'The request failed'),
})

function namesOf(asked: string): Record<string, string> {
  const codes = asked === '' ? Object.keys(LANGUAGES) : asked.split(' ')
  return Object.fromEntries(codes.flatMap((code) => (LANGUAGES[code] ? [[code, LANGUAGES[code].name]] : [])))
}

const argumentsOf = ({ method, query, headers, body }: ProviderRequest): URLSearchParams =>
  method === 'POST' && headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? new URLSearchParams(body)
    : query

function translate(given: URLSearchParams): ProviderReply {
  const pair = given.get('langpair')
  const text = given.get('q')
  if (pair === null) return error(400, 'Missing argument langpair')
  if (text === null) return error(400, 'Missing argument q')
  const [source = '', target = ''] = pair.split('|').map(codeOf)
  const from = LANGUAGES[source]
  const to = LANGUAGES[target]
  if (!from || !to || !PAIRS.some(([left, right]) => left === source && right === target)) {
    return error(400, 'That pair is not installed')
  }
  const translatedText = translatePhrases({ text: text.trimEnd(), source: from.words, target: to.words })
  return good({ translatedText: translatedText.replace(/\bstation\b/g, '#station') })
}

const codeOf = (given: string): string =>
  Object.keys(LANGUAGES).find((code) => LANGUAGES[code]?.words === given && !code.includes('_')) ?? given
