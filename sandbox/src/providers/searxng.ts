// A SearXNG instance with JSON switched on: `GET` or `POST /search`, `/autocompleter`. A word that begins with an
// exclamation mark, anywhere in the query, is a command, answered with a redirect to another site; `:de` and `<5` are
// removed from the query. Without `format=json` it answers in HTML, with an unsupported format 403.
import type { Corpus } from '../corpus/corpus.ts'
import { correctSpelling } from '../corpus/spelling.ts'
import { escapeHtml } from './escape-html.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readChoice } from './read-choice.ts'
import { readInteger } from './read-integer.ts'
import { findSearxngResults, SEARXNG_CATEGORIES } from './searxng-results.ts'
import { MS_A_DAY } from './wire-time.ts'

const PAGE_SIZE = 20
const COMPLETIONS = 9
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, year: 365 }
const LANGUAGE = /^(?:all|auto|[a-z]{2,3}(?:-[a-zA-Z]{4})?(?:-[a-zA-Z]{2})?)$/

const error = (status: number, text: string): ProviderReply => ({ status, json: { error: text } })

const html = (status: number, title: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  text: `<!doctype html>\n<html lang="en"><head><title>${escapeHtml(title)}</title></head><body></body></html>\n`,
  contentType: 'text/html; charset=utf-8',
})

export const searxng = defineProvider({
  slug: 'searxng',
  key: '',
  readsHeaders: ['x-requested-with'],
  optionalMembers: (
    'engine parsed_url template content iframe_src audio_src thumbnail thumbnail_src publishedDate pubdate ' +
    'length views author metadata priority engines open_group close_group positions score category resolution ' +
    'img_format source filesize formats answers corrections infoboxes suggestions unresponsive_engines'
  ).split(' '),
  answer(request, corpus) {
    const { method, path, query, body } = request
    if (path === '/search' && method === 'POST') return search(request, new URLSearchParams(body), corpus)
    if (method !== 'GET') return undefined
    switch (path) {
      case '/':
        return query.has('q')
          ? html(308, 'Redirecting...', { location: `/searxng/search?${query.toString()}` })
          : html(200, 'SearXNG')
      case '/search':
        return search(request, query, corpus)
      case '/autocompleter':
        return complete(request, corpus)
      case '/healthz':
        return { status: 200, text: 'OK', contentType: 'text/plain; charset=utf-8' }
      default:
        return undefined
    }
  },
  badKey: () => html(403, '403 Forbidden'),
  throttled: (_now, retryAfterSeconds) =>
    html(429, '429 Too Many Requests', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => error(status, 'search error'),
})

function search({ now }: ProviderRequest, given: URLSearchParams, corpus: Corpus): ProviderReply {
  const format = given.get('format') ?? 'html'
  if (format !== 'html' && format !== 'json') return html(403, '403 Forbidden')
  const invalid = (name: string) => error(400, `Invalid value "${given.get(name)}" for parameter ${name}`)
  const words = (given.get('q') ?? '').split(/\s+/).filter((word) => word !== '')
  if (words.some((word) => word.startsWith('!'))) {
    return html(302, 'Redirecting...', { location: 'https://elsewhere.example/search' })
  }
  const text = words.filter((word) => !/^:[a-z]{2,3}(-\w+)*$|^<\d+$/i.test(word)).join(' ')
  if (text === '') return format === 'json' ? error(400, 'No query') : html(200, 'SearXNG')
  const page = readInteger(given, 'pageno', { from: 1, to: 999_999, fallback: 1 })
  if (page === undefined) return invalid('pageno')
  const safesearch = readInteger(given, 'safesearch', { from: 0, to: 2, fallback: 0 })
  if (safesearch === undefined) return invalid('safesearch')
  const range = readChoice(given, 'time_range', { of: ['', ...Object.keys(DAYS)], fallback: '' })
  if (range === undefined) return invalid('time_range')
  if (!LANGUAGE.test(given.get('language') ?? 'auto')) return invalid('language')
  if (format === 'html') return html(200, `${text} - SearXNG`)

  const days = DAYS[range]
  const asked = (given.get('categories') ?? 'general').split(',')
  const category = SEARXNG_CATEGORIES.find((known) => asked.includes(known)) ?? 'general'
  const correction = correctSpelling(text)
  return {
    status: 200,
    json: {
      query: text,
      results: findSearxngResults(category, corpus, {
        engine: 'searxng',
        text: text.replaceAll('"', ''),
        start: (page - 1) * PAGE_SIZE,
        count: PAGE_SIZE,
        now,
        hidesAdult: safesearch > 0,
        after: days === undefined ? undefined : now - days * MS_A_DAY,
      }),
      answers: [],
      corrections: correction === undefined ? [] : [correction],
      infoboxes: [],
      suggestions: corpus.suggest({ engine: 'searxng', text, count: 4 }),
      unresponsive_engines: [],
    },
  }
}

function complete({ query, headers }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('q') ?? ''
  const completions = corpus.suggest({ engine: 'searxng', text, count: COMPLETIONS })
  if (headers['x-requested-with'] === 'XMLHttpRequest') return { status: 200, json: completions }
  return {
    status: 200,
    headers: { 'content-type': 'application/x-suggestions+json' },
    json: [text, completions, [], [], { 'google:suggestrelevance': completions.map((_, index) => 600 - index) }],
  }
}
