// The invented library: a few well-known books with their catalogue data. The numbers of works, authors, covers and
// ISBNs are made up, though their check digits are valid.

export interface LibraryBook {
  work: string
  title: string
  subtitle?: string
  authors: readonly { name: string; key: string }[]
  year: number
  editions: number
  languages: readonly string[]
  cover?: number
  isbn: string
}

const book = (line: string): LibraryBook => {
  const [title = '', author = '', year = '', editions = '', languages = '', isbn = ''] = line.split(' | ')
  const mark = Number(isbn.slice(-6, -1))
  const [name = '', subtitle] = title.split(': ')
  return {
    work: `OL${mark}W`,
    title: name,
    ...(subtitle !== undefined && { subtitle }),
    authors: author.split(', ').map((one, at) => ({ name: one, key: `OL${mark + at}A` })),
    year: Number(year),
    editions: Number(editions),
    languages: languages.split(' '),
    // One in three has no picture.
    ...(mark % 3 !== 0 && { cover: 1_000_000 + mark }),
    isbn,
  }
}

const BOOKS: readonly LibraryBook[] = `
The Hobbit: or, There and Back Again | J. R. R. Tolkien | 1937 | 481 | eng fre ger spa | 9781000010015
The Lord of the Rings | J. R. R. Tolkien | 1954 | 312 | eng fre ger | 9781000020014
Dune | Frank Herbert | 1965 | 210 | eng fre ger spa ita | 9781000030013
Dune Messiah | Frank Herbert | 1969 | 96 | eng fre | 9781000040012
Pride and Prejudice | Jane Austen | 1813 | 3500 | eng fre ger spa ita por dut | 9781000050011
Nineteen Eighty-Four | George Orwell | 1949 | 900 | eng fre ger spa | 9781000060010
The Catcher in the Rye | J. D. Salinger | 1951 | 240 | eng fre ger | 9781000070019
Frankenstein: or, The Modern Prometheus | Mary Shelley | 1818 | 2100 | eng fre ger ita | 9781000080018
Le Petit Prince | Antoine de Saint-Exupéry | 1943 | 700 | fre eng ger spa | 9781000090017
Der Prozess | Franz Kafka | 1925 | 410 | ger eng fre | 9781000100013
Cien años de soledad | Gabriel García Márquez | 1967 | 330 | spa eng fre | 9781000110012
Good Omens | Terry Pratchett, Neil Gaiman | 1990 | 120 | eng fre ger | 9781000120011
`
  .split('\n')
  .filter(Boolean)
  .map(book)

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word must be in the title or a name; the better known book comes first. */
export function searchBooks(words: readonly string[]): LibraryBook[] {
  if (words.length === 0) return []
  return BOOKS.filter(({ title, subtitle = '', authors }) => {
    const names = [title, subtitle, ...authors.map(({ name }) => name)].join(' ')
    const known: string[] = fold(names).match(/[\p{L}\p{N}]+/gu) ?? []
    return words.every((word) => known.includes(fold(word)))
  }).sort((one, other) => other.editions - one.editions)
}

export const findIsbn = (isbn: string): LibraryBook[] => BOOKS.filter((one) => one.isbn === isbn)
