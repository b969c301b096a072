// arXiv: preprints in physics, mathematics, computing and neighbouring fields. Atom over HTTP, no key. Abstracts are in
// English and every submission is moderated, so it is inherently English and safe. Every word must occur; arXiv's query
// syntax is not passed on. One call every three seconds, for all nodes together.
import { defineEngine, type EngineQuery, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { parseTimestamp, rangeStart } from '../parsing/dates.ts'
import { asArray, asString, hitsOf, type JsonObject } from '../parsing/json-reply.ts'
import { queryString } from '../parsing/json-request.ts'
import { offsetOf } from '../parsing/read-hits.ts'
import { paperHit } from '../parsing/read-paper.ts'
import { statusError } from '../parsing/status-error.ts'
import { attributeIn, elementsIn, tagsIn } from '../parsing/xml.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const MAX_WORDS = 30
const OPERATOR = /^(?:AND|OR|ANDNOT)$/

/** `202611080000` */
const formatMinute = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(0, 12)

function expressionOf(query: EngineQuery): string {
  const words = query.text.split(/[\s"()[\]{}:\\]+/).filter((part) => part !== '' && !OPERATOR.test(part))
  const expression = (words.length === 0 ? [query.text] : words.slice(0, MAX_WORDS))
    .map((part) => `all:${part}`)
    .join(' AND ')
  const start = rangeStart(query)
  return start
    ? `${expression} AND submittedDate:[${formatMinute(start)} TO ${formatMinute(new Date(query.now))}]`
    : expression
}

/** `http://arxiv.org/abs/2611.01234v2` → `2611.01234`. */
const idIn = (address: string): string =>
  (/\/abs\/([\w.-]{1,40}(?:\/\w{1,20})?)$/.exec(address.trim())?.[1] ?? '').replace(/v\d{1,3}$/, '')

const entryOf = (xml: string): Readonly<Record<string, string>> => {
  const names = ['id', 'title', 'summary', 'published', 'arxiv:doi', 'arxiv:journal_ref']
  return Object.fromEntries(names.map((name) => [name, elementsIn(xml, name)[0] ?? '']))
}

/** The year in brackets, `Phys. Rev. D 101, 1 (2020)`, or the only number that can be one, `ACM, 2020`. */
function yearIn(journalReference: string): string | undefined {
  const inBrackets = /\(([12]\d{3})\)/.exec(journalReference)?.[1]
  const [year, ...others] = new Set(journalReference.match(/\b(?:19|20)\d{2}\b/g))
  return inBrackets ?? (others.length === 0 ? year : undefined)
}

function paperOf(entry: JsonObject) {
  const id = idIn(asString(entry['id']))
  if (id === '') return undefined
  const url = `https://arxiv.org/abs/${id}`
  const doi = asString(entry['arxiv:doi'])
  return paperHit({
    doi,
    url,
    title: entry['title'],
    authors: asArray(entry['authors']),
    journal: entry['arxiv:journal_ref'],
    abstract: entry['summary'],
    // Of a paper that a journal printed later, the year is the journal's.
    published: yearIn(asString(entry['arxiv:journal_ref'])) ?? (doi === '' && entry['published']),
    publishedAt: parseTimestamp(entry['published']),
    links: { ...(doi !== '' && { arXiv: url }), PDF: asString(entry['pdf']).replace(/^http:/, 'https:') },
  })
}

export const arxiv = defineEngine({
  slug: 'arxiv',
  name: 'arXiv',
  homepage: 'https://arxiv.org',
  settings: { baseUrl: setting('ARXIV_URL', 'https://export.arxiv.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Thank you to arXiv for use of its open access interoperability',
    asOf: '2026-11-15',
    unverified: 'never tried; terms and limits as remembered',
    rateLimit: { calls: 1, perSeconds: 3 },
  },
  tabs: {
    science: {
      lastPage: 50,
      honours: ['safe', 'date', 'lang'],
      byNature: ['safe', 'lang'],
      languages: ['en'],
      request: (query) => ({
        path: `/api/query${queryString({
          search_query: expressionOf(query),
          start: offsetOf(query),
          max_results: PAGE_SIZE,
          sortBy: 'relevance',
          sortOrder: 'descending',
        })}`,
        headers: { accept: 'application/atom+xml' },
      }),
      parse: (reply, query) => {
        const entries = atomEntries(reply, query)
        if (entries.some((entry) => elementsIn(entry, 'id')[0]?.includes('/api/errors'))) {
          throw new UpstreamError('rejected', 'The provider refused the request.')
        }
        const found = entries.map((xml) => ({
          ...entryOf(xml),
          authors: elementsIn(xml, 'name'),
          pdf: linkIn(xml, 'pdf'),
        }))
        return { correction: '', hits: hitsOf(found, paperOf) }
      },
    },
  },
})

/** The URL of the first link with this title, or ''. */
export function linkIn(xml: string, title: string): string {
  const link = tagsIn(xml, 'link').find((attributes) => attributeIn(attributes, 'title') === title)
  return attributeIn(link ?? '', 'href')
}

/** Returns the feed's entries. Throws UpstreamError for an error status or a body that isn't a complete feed. */
export function atomEntries(reply: ProviderReply, { now }: { now: number }): string[] {
  if (reply.status < 200 || reply.status > 299) throw statusError(reply, now)
  const body = reply.body.trim()
  if (!/^(?:<\?xml[^>]{0,200}>\s*)?<feed[\s>]/.test(body) || !body.endsWith('</feed>')) {
    throw new UpstreamError('malformed', 'The provider answered with something that is not a whole feed.')
  }
  return elementsIn(body, 'entry')
}
