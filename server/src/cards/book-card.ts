// A book, from Open Library. It allows one call a second, so it is called only if the query hints at a book: an ISBN,
// the word itself (`The Hobbit book`, `roman Der Prozess`), or `<title> by <author>`. Shown if the book found has that
// title, ignoring a leading article and a subtitle, and that author if the query names one. An ISBN is proof by itself.

import { type Book, coverAddress, findBooks, openlibrary } from '@bowerbird/engines/sources/openlibrary.ts'
import { z } from 'zod'
import { Attribution, type CardContext, defineCard } from './card.ts'
import { createSubjectFinder, isSameName, wordsOf } from './names.ts'

const bookCalled = createSubjectFinder([
  {
    before:
      'book|the book|novel|the novel|livre|le livre|roman|le roman|buch|das buch|der roman|libro|el libro|' +
      'il libro|novela|la novela|romanzo|il romanzo|livro|o livro|romance|boek|het boek',
  },
  { after: 'book|novel|paperback|livre|roman|buch|libro|novela|romanzo|livro|boek' },
])

/** Not `de` or `van` as in French or Dutch: too many titles contain them. */
const TITLE_BY_AUTHOR = /^(.{1,150}?),? (?:by|von) (.{2,80})$/i

const MAX_WORDS = 14

type Sought = { isbn: string } | { title: string; author: string }

/** ISBN-13 alternates the weights 1 and 3; ISBN-10 weighs from 10 down to 1, and X is ten. */
function isIsbn(digits: string): boolean {
  const values = digits.split('').map((digit) => (digit === 'X' ? 10 : Number(digit)))
  if (/^97[89]\d{10}$/.test(digits))
    return values.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0
  if (/^\d{9}[\dX]$/.test(digits)) return values.reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11 === 0
  return false
}

function parseBookQuery(text: string): Sought | undefined {
  const digits = text
    .replace(/^isbn(?:-1[03])?[:\s]{0,3}/i, '')
    .replace(/[\s-]/g, '')
    .toUpperCase()
  if (isIsbn(digits)) return { isbn: digits }
  if (wordsOf(text).length > MAX_WORDS) return undefined
  const called = bookCalled(text)
  const [, title, author] = TITLE_BY_AUTHOR.exec(called ?? text) ?? []
  if (title !== undefined && author !== undefined) return { title, author }
  return called === undefined ? undefined : { title: called, author: '' }
}

/** Every word of the typed name is in an author's name; a single letter matches as an initial. */
const isAuthor = (names: readonly string[], asked: string): boolean =>
  names.some((name) => {
    const nameWords = wordsOf(name)
    return wordsOf(asked).every((word) =>
      nameWords.some((part) => part === word || (word.length === 1 && part[0] === word)),
    )
  })

function matchesQuery({ title, subtitle, authors }: Book, sought: Sought): boolean {
  if ('isbn' in sought) return true
  const names = authors.map(({ name }) => name)
  const isTitled = [title, `${title} ${subtitle}`, title.split(':')[0] ?? ''].some((one) =>
    isSameName(one, sought.title),
  )
  return isTitled && names.length > 0 && (sought.author === '' || isAuthor(names, sought.author))
}

const SITE = 'https://openlibrary.org'

async function findBook(sought: Sought, { ask }: CardContext): Promise<Book | undefined> {
  const query = 'isbn' in sought ? sought : { text: `${sought.title} ${sought.author}` }
  const books = (await ask(openlibrary, findBooks, query)) ?? []
  return books.find((book) => matchesQuery(book, sought))
}

export const bookCard = defineCard({
  kind: 'book',
  summary: 'A book, from Open Library.',
  sources: [openlibrary],
  reply: z.object({
    title: z.string(),
    subtitle: z.string(),
    authors: z.array(z.object({ name: z.string(), url: z.string() })),
    first_published: z.int().nullable().describe('Year of first publication.'),
    editions: z.int(),
    languages: z.array(z.string()).describe('Languages it was published in, as three-letter codes.'),
    cover_url: z.string().describe('An image of the cover, or empty.'),
    url: z.string(),
    attribution: Attribution,
  }),
  async ask(context) {
    const sought = parseBookQuery(context.text)
    const book = sought && (await findBook(sought, context))
    if (!book) return null
    const url = `${SITE}/works/${book.work}`
    return {
      title: book.title,
      subtitle: book.subtitle,
      authors: book.authors.map(({ name, key }) => ({ name, url: key === '' ? '' : `${SITE}/authors/${key}` })),
      first_published: book.firstPublished,
      editions: book.editions,
      languages: book.languages,
      cover_url: book.cover === null ? '' : coverAddress(book.cover),
      url,
      attribution: {
        text: 'Open Library',
        url,
        licence: 'Public domain or CC0',
        licence_url: `${SITE}/developers/licensing`,
      },
    }
  },
})
