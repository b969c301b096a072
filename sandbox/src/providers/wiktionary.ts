// Wiktionary: `GET /api/rest_v1/page/definition/{term}`, keyless: a map from languages to lists of entries. Definitions
// are HTML, with links on their words as the real ones have. Titles are case-sensitive, and an unknown one is a 404.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { type DictionaryEntry, lookUpWord } from '../corpus/dictionary.ts'
import { escapeHtml } from './escape-html.ts'
import { mediaWikiFailures, mediaWikiGate } from './mediawiki.ts'
import { defineProvider, type ProviderReply } from './provider.ts'

const PATH = '/api/rest_v1/page/definition/'

export const wiktionary = defineProvider({
  slug: 'wiktionary',
  key: '',
  readsHeaders: ['user-agent'],
  optionalMembers: ['parsedExamples', 'examples'],
  answer(request, corpus) {
    if (request.method !== 'GET' || !request.path.startsWith(PATH)) return undefined
    const term = decodeTerm(request.path.slice(PATH.length))
    return mediaWikiGate(request) ?? (corpus === EMPTY_CORPUS ? notFound(term) : define(term))
  },
  ...mediaWikiFailures,
})

function decodeTerm(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll('_', ' ')
  } catch {
    return ''
  }
}

function define(term: string): ProviderReply {
  const entries = lookUpWord(term)
  if (entries.length === 0) return notFound(term)
  const languages = Object.entries(Object.groupBy(entries, ({ lang }) => lang))
  const presented = languages.map(([lang, group = []]) => [lang, group.map((entry) => present(entry, term))])
  return { status: 200, json: Object.fromEntries(presented) }
}

const present = ({ partOfSpeech, language, senses }: DictionaryEntry, term: string) => ({
  partOfSpeech,
  language,
  definitions: senses.map(({ definition, example }) => ({
    definition: linked(definition),
    ...(example !== '' && { parsedExamples: [{ example: marked(example, term) }], examples: [marked(example, term)] }),
  })),
})

/** Long words link to their own pages. */
const linked = (definition: string): string =>
  escapeHtml(definition).replace(
    /\b[a-z]{8,}\b/g,
    (word) => `<a rel="mw:WikiLink" href="/wiki/${word}" title="${word}">${word}</a>`,
  )

const marked = (example: string, term: string): string =>
  escapeHtml(example).replace(escapeHtml(term), (word) => `<b>${word}</b>`)

const notFound = (term: string): ProviderReply => ({
  status: 404,
  headers: { 'content-type': 'application/problem+json' },
  json: {
    type: 'https://mediawiki.example/wiki/HyperSwitch/errors/not_found',
    title: 'Not found.',
    method: 'get',
    detail: 'Page or revision not found.',
    uri: `/en.wiktionary.example/v1/page/definition/${encodeURIComponent(term.toWellFormed())}`,
  },
})
