// Open Library: books, by title, author or ISBN. JSON over HTTP, no key. It is slow at times. It allows one call a
// second to anonymous callers and three to those who identify themselves; the rate limit is the former. The search
// takes Solr syntax, so only letters, digits and spaces of a query are passed on. The data is mostly in the public
// domain.
import { z } from 'zod'
import { asArray, asObject, asString, asTitle, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('OPENLIBRARY_URL', 'https://openlibrary.org') }

const MAX_BOOKS = 5
const MAX_AUTHORS = 5
const MAX_LANGUAGES = 10
const FIELDS = 'key,title,subtitle,author_name,author_key,first_publish_year,cover_i,edition_count,language'

const Book = z.object({
  /** As in `OL27448W`. */
  work: z.string(),
  title: z.string(),
  subtitle: z.string(),
  /** `key` as in `OL26320A`, or ''. */
  authors: z.array(z.object({ name: z.string(), key: z.string() })),
  firstPublished: z.number().nullable(),
  editions: z.number(),
  /** Three-letter codes, as libraries use: `eng`. */
  languages: z.array(z.string()),
  /** The id of its cover picture, or null. */
  cover: z.number().nullable(),
})
export type Book = z.infer<typeof Book>

const positiveInteger = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null

const WORK = /^(?:\/works\/)?(OL\d{1,12}W)$/
const AUTHOR = /^(?:\/authors\/)?(OL\d{1,12}A)$/
const keyIn = (value: unknown, form: RegExp): string => form.exec(asString(value))?.[1] ?? ''

const bookOf = (value: unknown): Book | undefined => {
  const book = asObject(value)
  const [work, name] = [keyIn(book['key'], WORK), asTitle(book['title'])]
  if (work === '' || name === '') return undefined
  const keys = asArray(book['author_key'])
  const authors = asArray(book['author_name']).map((author, at) => ({
    name: asTitle(author),
    key: keyIn(keys[at], AUTHOR),
  }))
  return {
    work,
    title: name,
    subtitle: asTitle(book['subtitle']),
    authors: authors.filter((author) => author.name !== '').slice(0, MAX_AUTHORS),
    firstPublished: positiveInteger(book['first_publish_year']),
    editions: positiveInteger(book['edition_count']) ?? 0,
    languages: asArray(book['language'])
      .map(asString)
      .filter((code) => /^[a-z]{3}$/.test(code))
      .slice(0, MAX_LANGUAGES),
    cover: positiveInteger(book['cover_i']),
  }
}

/** Everything else is Solr syntax: `:`, `"`, `*`, `(`, upper-case `AND`. */
const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

type BookQuery = { text: string } | { isbn: string }

const searchTextOf = (query: BookQuery): string =>
  'isbn' in query ? `isbn:${query.isbn.replace(/[^\dX]/g, '')}` : plainWords(query.text)

/** Finds books by words in title and author, or by ISBN; best first. */
export const findBooks = defineCall<typeof settings>()({
  name: 'books',
  keepSeconds: 86_400,
  keyOf: searchTextOf,
  request: (query: BookQuery) => getJson('/search.json', { q: searchTextOf(query), fields: FIELDS, limit: MAX_BOOKS }),
  parse: (reply, { now }): Book[] => {
    const { docs } = jsonReply(reply, { now })
    const books = asArray(docs)
      .map(bookOf)
      .filter((book) => book !== undefined)
    if (!Array.isArray(docs) || (books.length === 0 && docs.length > 0)) {
      throw new UpstreamError('malformed', 'The provider answered with no books.')
    }
    return books
  },
  schema: z.array(Book),
})

/** The provider's sizes are S, M and L. `default=false`: 404 instead of a blank picture if there is no cover. */
export const coverAddress = (cover: number): string =>
  `https://covers.openlibrary.org/b/id/${cover}-M.jpg?default=false`

export const openlibrary = defineSource({
  slug: 'openlibrary',
  name: 'Open Library',
  homepage: 'https://openlibrary.org',
  group: 'cards',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Books from Open Library',
    rateLimit: { calls: 1, perSeconds: 1 },
    rateLimitedHost: 'openlibrary.org',
  },
})
