// Open Library: `GET /search.json`, keyless. Sends only the requested fields, without those that a book lacks. Queries
// are in Solr's syntax, of which only `isbn:` is simulated; anything else of it finds nothing.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { findIsbn, type LibraryBook, searchBooks } from '../corpus/library.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'

const DEFAULT_FIELDS =
  'key,title,author_name,author_key,first_publish_year,cover_i,edition_count,ebook_access,has_fulltext,language'

const refusal = (status: number, error: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { error },
})

export const openlibrary = defineProvider({
  slug: 'openlibrary',
  key: '',
  readsHeaders: [],
  optionalMembers:
    'subtitle author_name author_key first_publish_year cover_i edition_count language ebook_access has_fulltext'.split(
      ' ',
    ),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/search.json') return undefined
    return search(request, corpus === EMPTY_CORPUS)
  },
  badKey: () => refusal(403, 'forbidden'),
  throttled: (_now, retryAfterSeconds) =>
    refusal(429, 'Too Many Requests', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => refusal(status, 'Internal Server Error'),
})

function search({ query }: ProviderRequest, hasNothing: boolean): ProviderReply {
  const q = query.get('q')?.trim() ?? ''
  const limit = readInteger(query, 'limit', { from: 0, to: 1_000, fallback: 100 })
  if (limit === undefined) return refusal(422, 'limit must be a whole number')
  const fields = new Set((query.get('fields') ?? DEFAULT_FIELDS).split(','))
  const found = hasNothing ? [] : booksFor(q)
  return {
    status: 200,
    json: {
      numFound: found.length,
      num_found: found.length,
      numFoundExact: true,
      start: 0,
      offset: null,
      q,
      documentation_url: 'https://openlibrary.example/dev/docs/api/search',
      docs: found.slice(0, limit).map((book) => present(book, fields)),
    },
  }
}

function booksFor(q: string): LibraryBook[] {
  const [, isbn] = /^isbn:([\dX]{10,13})$/.exec(q) ?? []
  if (isbn !== undefined) return findIsbn(isbn)
  return /[:"*()~]/.test(q) ? [] : searchBooks(q.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
}

function present(book: LibraryBook, fields: ReadonlySet<string>) {
  const members = {
    key: `/works/${book.work}`,
    title: book.title,
    subtitle: book.subtitle,
    author_name: book.authors.map(({ name }) => name),
    author_key: book.authors.map(({ key }) => key),
    first_publish_year: book.year,
    cover_i: book.cover,
    edition_count: book.editions,
    ebook_access: 'borrowable',
    has_fulltext: true,
    language: book.languages,
  }
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => fields.has(name) && value !== undefined))
}
