// arXiv: `GET /api/query`, keyless, Atom. Every third paper has appeared in a journal and has its DOI. The feed is written
// from JSON, so that faults can reshape it. Our own choice: the errors beyond the Atom of a wrong parameter.
import type { Corpus } from '../corpus/corpus.ts'
import { isRecord } from '../is-record.ts'
import { escapeHtml } from './escape-html.ts'
import { authorsOf, doiOf, journalOf } from './papers.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'
import { isoSeconds } from './wire-time.ts'

const WORD = /^all:\S+$/
const DATES = /^submittedDate:\[(\d{4})(\d{2})(\d{2})(\d{2})(\d{2}) TO \d{12}\]$/
const DAY_MS = 86_400_000

const plain = (status: number, text: string, headers = {}): ProviderReply => ({
  status,
  headers,
  text,
  contentType: 'text/plain',
})
const refused = (what: string): ProviderReply => ({
  status: 400,
  json: { entries: [{ id: `http://arxiv.example/api/errors#${what}`, title: 'Error', summary: `incorrect ${what}` }] },
})

export const arxiv = defineProvider({
  slug: 'arxiv',
  key: '',
  readsHeaders: [],
  optionalMembers: ['title', 'summary', 'published', 'authors', 'pdf', 'doi', 'journal_ref'],
  answer: (request, corpus) =>
    request.method === 'GET' && request.path === '/api/query' ? found(request, corpus) : undefined,
  writeJson: feedOf,
  badKey: () => plain(403, 'Forbidden'),
  throttled: (_now, seconds) => plain(429, 'Rate exceeded.', { 'retry-after': String(seconds) }),
  failure: (_now, status) => plain(status, 'An error occurred'),
})

function found({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const start = readInteger(query, 'start', { from: 0, to: 30_000, fallback: 0 })
  const count = readInteger(query, 'max_results', { from: 0, to: 2_000, fallback: 10 })
  if (start === undefined) return refused('start')
  if (count === undefined) return refused('max_results')
  const parts = (query.get('search_query') ?? '').split(' AND ')
  const dates = DATES.exec(parts.at(-1) ?? '')
  const words = dates ? parts.slice(0, -1) : parts
  if (words.length === 0 || !words.every((word) => WORD.test(word))) return refused('search_query')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = dates?.slice(1).map(Number) ?? []
  const { total, hits } = corpus.search({
    engine: 'arxiv',
    text: words.map((word) => word.slice('all:'.length)).join(' '),
    start,
    count,
    now,
    hidesAdult: true,
    after: dates ? Date.UTC(year, month - 1, day, hour, minute) : undefined,
  })
  const entries = hits.map((hit) => ({
    id: `http://arxiv.example/abs/2611.${String(hit.mark % 100_000).padStart(5, '0')}v${1 + (hit.mark % 3)}`,
    title: hit.title,
    summary: `  ${hit.sentences.join('\n')}\n`,
    published: isoSeconds(hit.publishedAt ?? now - 400 * DAY_MS),
    authors: authorsOf(hit).map(({ given, family }) => `${given} ${family}`),
    pdf: `https://arxiv.example/pdf/2611.${hit.mark % 100_000}`,
    ...(hit.mark % 3 === 0 && { doi: doiOf(hit), journal_ref: journalOf(hit) }),
  }))
  return { status: 200, headers: { 'content-type': 'application/atom+xml' }, json: { total, entries } }
}

const element = (name: string, value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `<${name}>${escapeHtml(String(value))}</${name}>\n` : ''

function entryOf(value: unknown): string {
  const { id, title, published, pdf, summary, authors, journal_ref: journal, doi } = isRecord(value) ? value : {}
  return [
    '<entry>\n',
    element('id', id),
    element('title', title),
    element('published', published),
    typeof pdf === 'string' ? `<link title="pdf" href="${escapeHtml(pdf)}" rel="related"/>\n` : '',
    element('summary', summary),
    ...(Array.isArray(authors) ? authors : []).map((name) => `<author>${element('name', name)}</author>\n`),
    element('arxiv:journal_ref', journal),
    element('arxiv:doi', doi),
    '</entry>\n',
  ].join('')
}

/** Reshaped JSON may be anything, and is then not a feed either. */
function feedOf(json: unknown): string {
  if (!isRecord(json) || !Array.isArray(json['entries'])) return JSON.stringify(json)
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <title>arXiv Query</title>
${element('opensearch:totalResults', json['total'])}${json['entries'].map(entryOf).join('')}</feed>
`
}
