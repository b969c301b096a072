// Documents made to keep a parser busy, or to fill its memory. `fixtures/hostile-documents.json` has a recipe for each, and
// they are made when they are needed.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

export interface HostileDocument {
  contentType: string
  bytes: Buffer
}

/** A text, or its pieces. `["[", 1000]` is a piece a thousand times. */
type Recipe = string | (string | [piece: string, times: number] | PdfStream)[]

interface PdfStream {
  stream: Recipe
  /** How many times it is compressed. */
  deflate?: number
  dictionary?: string
}

/** Objects of a PDF of one page, where they differ from those of an ordinary one. */
interface PdfRecipe {
  pages?: Recipe
  content?: PdfStream
  resources?: Recipe
  /** The font that the page is written in. */
  font?: Recipe
  /** Object number 6, and as many copies after it. `{next}` is the number of the object after it. */
  more?: Recipe | PdfStream
  copies?: number
  trailer?: string
  /** The whole file instead. */
  file?: Recipe
}

const file = new URL('../fixtures/hostile-documents.json', import.meta.url)
// The file is ours, and a test reads each document in it.
const { pdf, ...texts } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, Recipe>> & {
  pdf: Record<string, PdfRecipe>
}

/** Makes a document, by its name. */
export const HOSTILE_DOCUMENTS = new Map<string, () => HostileDocument>()

function add(contentType: string, name: string, make: () => Buffer): void {
  HOSTILE_DOCUMENTS.set(name, () => ({ contentType, bytes: make() }))
}

for (const [name, recipe] of Object.entries(pdf)) add('application/pdf', name, () => makePdf(recipe))
for (const [type, recipes] of Object.entries(texts))
  for (const [name, recipe] of Object.entries(recipes)) add(type, name, () => grow(recipe))

const growEach = (times: number, make: (at: number) => string) =>
  Array.from({ length: times }, (_, at) => make(at)).join('')
add('text/html', 'a hundred thousand attributes', () => grow(`<p ${growEach(100_000, (at) => ` a${at}=1`)}>words`))
add('text/markdown', 'lists inside one another', () => grow(growEach(700, (at) => `${' '.repeat(at)}- a\n`)))
add('text/markdown', 'ever longer fences', () => grow(growEach(700, (at) => `${'`'.repeat(at)} a `)))

function grow(recipe: Recipe): Buffer {
  if (typeof recipe === 'string') return Buffer.from(recipe, 'latin1')
  const pieces = recipe.map((part) => {
    if (typeof part === 'string') return grow(part)
    if ('stream' in part) return makeStream(part)
    const [piece, times] = part
    return Buffer.alloc(piece.length * times, piece, 'latin1')
  })
  return Buffer.concat(pieces)
}

function makeStream({ stream, deflate = 0, dictionary = '' }: PdfStream): Buffer {
  let bytes = grow(stream)
  for (let round = 0; round < deflate; round += 1) bytes = deflateSync(bytes)
  const filter = deflate > 0 ? `/Filter[${'/FlateDecode'.repeat(deflate)}]` : ''
  const start = `<<${filter}${dictionary}/Length ${bytes.length}>>\nstream\n`
  return Buffer.concat([Buffer.from(start), bytes, Buffer.from('\nendstream')])
}

const makeObject = (part: Recipe | PdfStream): Buffer =>
  typeof part === 'object' && 'stream' in part ? makeStream(part) : grow(part)

function makePdf(recipe: PdfRecipe): Buffer {
  if (recipe.file) return grow(recipe.file)
  const { font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>', more, copies = 1 } = recipe
  const shown = recipe.font ? '<000001>' : '(Low tide is at noon.)'
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    grow(recipe.pages ?? '<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources 5 0 R>>'),
    makeStream(recipe.content ?? { stream: `BT /F1 12 Tf ${shown} Tj ET` }),
    recipe.resources ? grow(recipe.resources) : Buffer.concat([grow('<</Font<</F1 '), grow(font), grow('>>>>')]),
  ]
  if (more !== undefined)
    for (let at = 0; at < copies; at += 1)
      objects.push(makeObject(JSON.parse(JSON.stringify(more).replaceAll('{next}', String(7 + at)))))
  const size = objects.length + 1
  const { trailer = `<</Size ${size}/Root 1 0 R>>` } = recipe

  const pieces = [Buffer.from('%PDF-1.7\n')]
  let [length, table] = [9, '']
  for (const [index, object] of objects.entries()) {
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    pieces.push(piece)
    table += `${String(length).padStart(10, '0')} 00000 n \n`
    length += piece.length
  }
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${length}\n%%EOF`
  return Buffer.concat([...pieces, Buffer.from(end)])
}
