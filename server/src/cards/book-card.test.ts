import type { Book } from '@bowerbird/engines/sources/openlibrary.ts'
import { describe, expect, it } from 'vitest'
import { bookCard } from './book-card.ts'
import { stageCard } from './card.test-harness.ts'

const book = (title: string, author: string, rest: Partial<Book> = {}): Book => ({
  work: 'OL1W',
  title,
  subtitle: '',
  authors: [{ name: author, key: 'OL2A' }],
  firstPublished: 1937,
  editions: 3,
  languages: ['eng'],
  cover: 7,
  ...rest,
})
const HOBBIT = book('The Hobbit', 'J. R. R. Tolkien', { subtitle: 'or, There and Back Again' })
const ask = async (text: string, ...books: Book[]) => {
  const { context, asked } = stageCard({ text, says: { books } })
  return { body: await bookCard.ask(context), query: asked[0]?.query }
}

describe('the book card', () => {
  it.each([
    ['The Hobbit book', 'The Hobbit '],
    ['hobbit novel', 'hobbit '],
    ['the hobbit by tolkien', 'the hobbit tolkien'],
    ['The Hobbit, by J. R. R. Tolkien', 'The Hobbit J. R. R. Tolkien'],
    ['the hobbit by j tolkien book', 'the hobbit j tolkien'],
    ['Buch The Hobbit von Tolkien', 'The Hobbit Tolkien'],
    ['livre The Hobbit', 'The Hobbit '],
    ['the hobbit or there and back again by tolkien', 'the hobbit or there and back again tolkien'],
  ])('%s', async (text, asked) => {
    const { body, query } = await ask(text, HOBBIT)
    expect([body?.title, query]).toEqual(['The Hobbit', { text: asked }])
  })

  it.each(['9780306406157', '978-0-306-40615-7', 'isbn 080442957x', 'ISBN-13: 978 0 306 40615 7'])(
    'an ISBN is proof by itself: %s',
    async (text) => {
      const { body, query } = await ask(text, HOBBIT)
      expect(body?.title).toBe('The Hobbit')
      expect(query).toEqual({ isbn: expect.stringMatching(/^(?:9780306406157|080442957X)$/) })
    },
  )

  it.each([
    ['another title', 'dune book', [HOBBIT]],
    ['another author', 'the hobbit by frank herbert', [HOBBIT]],
    ['only part of the title', 'there and back book', [HOBBIT]],
    ['a book that nobody wrote', 'the hobbit book', [book('The Hobbit', '', { authors: [] })]],
    ['nothing found', 'the hobbit book', []],
  ])('null: %s', async (_what, text, books) => {
    expect((await ask(text, ...books)).body).toBeNull()
  })

  it.each(['the hobbit', '9780306406158', '0804429570', 'book', '555-1234', 'stand up', `${'a '.repeat(20)}book`])(
    'nobody is asked for %j',
    async (text) => {
      expect((await ask(text, HOBBIT)).query).toBeUndefined()
    },
  )

  it('shows the first book that matches, with its links', async () => {
    const { body } = await ask('the hobbit book', book('The Hobbit Companion', 'X'), HOBBIT)
    expect(body).toEqual({
      title: 'The Hobbit',
      subtitle: 'or, There and Back Again',
      authors: [{ name: 'J. R. R. Tolkien', url: 'https://openlibrary.org/authors/OL2A' }],
      first_published: 1937,
      editions: 3,
      languages: ['eng'],
      cover_url: 'https://covers.openlibrary.org/b/id/7-M.jpg?default=false',
      url: 'https://openlibrary.org/works/OL1W',
      attribution: expect.objectContaining({ text: 'Open Library', url: 'https://openlibrary.org/works/OL1W' }),
    })
  })
})
