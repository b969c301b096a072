import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { coverAddress, findBooks } from './openlibrary.ts'

const asked = { query: { text: 'x' }, now: 0 }
const parse = (body: unknown, status = 200) =>
  findBooks.parse({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }, asked)
const FIELDS =
  'key%2Ctitle%2Csubtitle%2Cauthor_name%2Cauthor_key%2Cfirst_publish_year%2Ccover_i%2Cedition_count%2Clanguage'

describe('open library', () => {
  it.each([
    [{ text: 'The Hobbit  Tolkien' }, 'the%20hobbit%20tolkien'],
    [{ text: 'title:x AND (y* OR "z")' }, 'title%20x%20and%20y%20or%20z'],
    [{ text: 'crónica' }, 'cr%C3%B3nica'],
    [{ isbn: '9780306406157' }, 'isbn%3A9780306406157'],
    [{ isbn: '080442957X' }, 'isbn%3A080442957X'],
  ])('asks for %o without any of the search’s own signs', (query, q) => {
    expect(findBooks.request(query, { baseUrl: '' }).path).toBe(`/search.json?q=${q}&fields=${FIELDS}&limit=5`)
  })

  it('gives books as plain text', () => {
    const found = findBooks.parse(readFixture('openlibrary-books', 'sources'), asked)
    expect(found).toEqual([
      {
        work: 'OL27448W',
        title: 'The Glass Tower & Other Stories',
        subtitle: 'A book',
        authors: [
          { name: 'Ada Stone', key: 'OL26320A' },
          { name: 'B. Reed', key: '' },
        ],
        firstPublished: 1954,
        editions: 120,
        languages: ['eng', 'fre'],
        cover: 14_625_765,
      },
      {
        work: 'OL2W',
        title: 'Bare',
        subtitle: '',
        authors: [],
        firstPublished: null,
        editions: 0,
        languages: [],
        cover: null,
      },
    ])
    expect(findBooks.schema.parse(found)).toEqual(found)
  })

  it('nothing found is an answer', () => {
    expect(parse({ numFound: 0, docs: [] })).toEqual([])
  })

  it.each([
    ['a web page', '<html>'],
    ['nothing', ''],
    ['half a reply', '{"docs":[{"key"'],
    ['no books', {}],
    ['books of a wrong type', { docs: 'not a list' }],
    ['books that cannot be read', { docs: [{ key: 7, title: 7 }] }],
  ])('malformed: %s', (_what, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    [429, 'throttled'],
    [403, 'blocked'],
    [503, 'unreachable'],
  ])('status %i is %s', (status, kind) => {
    expect(() => parse('', status)).toThrow(expect.objectContaining({ kind }))
  })

  it('gives the URL of a cover', () => {
    expect(coverAddress(7)).toBe('https://covers.openlibrary.org/b/id/7-M.jpg?default=false')
  })
})
