// LibreTranslate: translation on the operator's own server, or on libretranslate.com with a paid key. JSON over HTTP. A
// missing key is a 400, like a wrong parameter, and error texts are localised, so only the status is used. Languages
// and lengths are checked before the call, so a 400 means that the instance is misconfigured.
// Translations are text, not markup: escape them for display.
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import { z } from 'zod'
import { asArray, asObject, asTitle, jsonListReply, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { secret, setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const KEPT_SECONDS = 600
const MAX_LANGUAGES = 500
const CODE = /^[a-z]{2,3}(?:[-_][a-z\d]{1,8}){0,3}$/i

const settings = {
  baseUrl: setting('LIBRETRANSLATE_URL'),
  apiKey: secret('LIBRETRANSLATE_API_KEY', ''),
}

const LibretranslateLanguage = z.object({
  code: z.string(),
  name: z.string(),
  /** The languages it can be translated into; null: old servers don't say. */
  targets: z.array(z.string()).nullable(),
})
type LibretranslateLanguage = z.infer<typeof LibretranslateLanguage>

const codeIn = (value: unknown): string => (typeof value === 'string' && CODE.test(value) ? value : '')

function languageOf(value: unknown): LibretranslateLanguage {
  const { code, name, targets } = asObject(value)
  return {
    code: codeIn(code),
    name: asTitle(name) || codeIn(code),
    targets: Array.isArray(targets) ? asArray(targets).slice(0, MAX_LANGUAGES).map(codeIn).filter(Boolean) : null,
  }
}

/** Needs no key and has no rate limit. */
export const libretranslateLanguages = defineCall<typeof settings>()({
  name: 'languages',
  keepSeconds: KEPT_SECONDS,
  keyOf: (_query: null) => '',
  request: () => getJson('/languages', {}, { 'accept-language': 'en' }),
  parse(reply, { now }): LibretranslateLanguage[] {
    const list = jsonListReply(reply, { now }).slice(0, MAX_LANGUAGES)
    const languages = list.map(languageOf).filter(({ code }) => code !== '')
    if (languages.length === 0 && list.length > 0) {
      throw new UpstreamError('malformed', 'The provider answered with languages that cannot be read.')
    }
    return languages
  },
  schema: z.array(LibretranslateLanguage),
})

/**
 * The longest text it accepts; null: unlimited or unknown. Not every compatible server has this endpoint, so any reply
 * is accepted.
 */
export const libretranslateLongestText = defineCall<typeof settings>()({
  name: 'longest text',
  keepSeconds: KEPT_SECONDS,
  keyOf: (_query: null) => '',
  request: () => getJson('/frontend/settings'),
  parse(reply): number | null {
    const limit = reply.status === 200 ? parseJsonObject(reply.body)?.['charLimit'] : undefined
    return Number.isInteger(limit) && Number(limit) > 0 ? Number(limit) : null
  },
  schema: z.number().nullable(),
})

interface LibretranslateQuery {
  text: string
  /** One of its own codes, or `auto`. */
  source: string
  target: string
  /** The target is known to be available, whatever language the text turns out to be in. */
  isPairSupported: boolean
}

/** Never cached: what people translate is private. */
export const libretranslateTranslation = defineCall<typeof settings>()({
  name: 'translation',
  keepSeconds: 0,
  keyOf: ({ text, source, target }: LibretranslateQuery) => `${source}\n${target}\n${text}`,
  request: ({ text, source, target }, { apiKey }) => ({
    method: 'POST',
    path: '/translate',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ q: text, source, target, format: 'text', ...(apiKey !== '' && { api_key: apiKey }) }),
  }),
  parse(reply, { query, now }) {
    if (reply.status === 400) {
      const message = 'The provider refused the request: it wants an API key, or shorter texts.'
      throw new UpstreamError('rejected', message, { isQueryFault: !query.isPairSupported })
    }
    if (reply.status === 403) {
      throw new UpstreamError('rejected', 'The provider does not accept the API key, or not this server.')
    }
    const { translatedText, detectedLanguage } = jsonReply(reply, { now })
    if (typeof translatedText !== 'string') {
      throw new UpstreamError('malformed', 'The provider answered without a translation.')
    }
    return { text: visibleText(translatedText), detected: codeIn(asObject(detectedLanguage)['language']) }
  },
  schema: z.object({ text: z.string(), detected: z.string() }),
})

export const libretranslate = defineSource({
  slug: 'libretranslate',
  name: 'LibreTranslate',
  homepage: 'https://libretranslate.com',
  group: 'translate',
  settings,
  terms: { cacheIn: 'shared', pricePerCallMicros: 0, attribution: '' },
  probe: { request: () => getJson('/health'), parse: (reply, { now }) => jsonReply(reply, { now }) },
})
