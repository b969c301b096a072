// Documents made to keep a parser busy, or to fill its memory: PDFs, HTML, Markdown and JSON. Each is generated when it
// is needed.
import { deflateSync } from 'node:zlib'

export interface HostileDocument {
  contentType: string
  bytes: Buffer
}

type Generate = () => HostileDocument

const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources 5 0 R>>'
const PAGES = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
const HELVETICA = '<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>'
const HELLO = stream('BT /F1 12 Tf (Low tide is at noon.) Tj ET')

interface PdfParts {
  pages?: string
  page?: string
  content?: string | Buffer
  resources?: string
  /** From number 6 on. */
  more?: (string | Buffer)[]
  trailer?: string
}

/** A PDF of one page. */
function pdf({
  pages = PAGES,
  page = PAGE,
  content = HELLO,
  resources = HELVETICA,
  more = [],
  trailer,
}: PdfParts = {}) {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', pages, page, content, resources, ...more]
  const pieces = [Buffer.from('%PDF-1.7\n')]
  let length = 9
  const offsets = objects.map((object, at) => {
    const piece = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    pieces.push(piece)
    length += piece.length
    return length - piece.length
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n${trailer ?? `<</Size ${size}/Root 1 0 R>>`}\n`
  return asPdf(Buffer.concat([...pieces, Buffer.from(`${end}startxref\n${length}\n%%EOF`)]))
}

const asPdf = (bytes: Buffer): HostileDocument => ({ contentType: 'application/pdf', bytes })

function stream(content: string | Buffer, dictionary = ''): Buffer {
  const bytes = Buffer.from(content)
  const start = `<<${dictionary}/Length ${bytes.length}>>\nstream\n`
  return Buffer.concat([Buffer.from(start), bytes, Buffer.from('\nendstream')])
}

const packed = (content: string | Buffer, dictionary = ''): Buffer =>
  stream(deflateSync(content), `/Filter/FlateDecode${dictionary}`)

const repeated = (text: string, megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1e6, text))

const bomb = (megabytes: number, text = ' '): Buffer => stream(repeated(text, megabytes), '/Filter/FlateDecode')

const withFont = (font: string, more: (string | Buffer)[] = []): HostileDocument =>
  pdf({ resources: `<</Font<</F1 ${font}>>>>`, content: stream('BT /F1 12 Tf <000001> Tj ET'), more })

const DESCRIPTOR = '/Type/FontDescriptor/FontName/A/Flags 4'

/** A font of many letters. */
const composite = ({ encoding = '/Identity-H', toUnicode = '', widths = '' } = {}): string =>
  `<</Type/Font/Subtype/Type0/BaseFont/A/Encoding ${encoding}${toUnicode}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2` +
  `/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>${widths}/FontDescriptor<<${DESCRIPTOR}>>>>]>>`

const TO_UNICODE = { toUnicode: '/ToUnicode 6 0 R' }
const ENCODING = { encoding: '6 0 R' }

const embedded = (subtype: string, file: string): string =>
  `<</Type/Font/Subtype/${subtype}/BaseFont/A/FontDescriptor<<${DESCRIPTOR}/${file} 6 0 R>>>>`

const cmap = (body: string): Buffer =>
  packed(
    `/CIDInit /ProcSet findresource begin begincmap\n${body}\nendcmap CMapName currentdict /CMap defineresource pop end`,
  )

const chained = (count: number, link: (next: string, at: number) => string | Buffer) =>
  Array.from({ length: count }, (_, at) => link(`${7 + at} 0 R`, at))

const form = (content: string, resources: string) =>
  stream(content, `/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources${resources}`)

export const HOSTILE_PDFS: Record<string, Generate> = {
  'a content stream of 100 MB of spaces': () => pdf({ content: bomb(100) }),
  'a content stream of 300 MB of spaces': () => pdf({ content: bomb(300) }),
  'a stream that is packed twice': () =>
    pdf({ content: stream(deflateSync(repeated(' ', 200)), '/Filter[/FlateDecode/FlateDecode]') }),
  'run lengths': () =>
    pdf({ content: stream(Buffer.alloc(3_000_000, Buffer.from([129, 32])), '/Filter/RunLengthDecode') }),
  'a row that is a gigabyte wide': () =>
    pdf({ content: packed('q Q', '/DecodeParms<</Predictor 15/Columns 1000000000>>') }),
  'five million operators': () => pdf({ content: packed('q Q '.repeat(2_500_000)) }),
  'a million words': () => pdf({ content: packed(`BT /F1 12 Tf ${'(tide) Tj '.repeat(1_000_000)}ET`) }),
  'words that are never shown': () => pdf({ content: packed(`BT /F1 12 Tf [${'(a) -9999 '.repeat(500_000)}] TJ ET`) }),
  'two hundred pages of one bomb': () =>
    pdf({ pages: `<</Type/Pages/Kids[${'3 0 R '.repeat(200)}]/Count 200>>`, content: bomb(20) }),
  'a page tree in a circle': () => pdf({ pages: '<</Type/Pages/Kids[2 0 R]/Count 150>>' }),
  'a page tree that claims a hundred pages': () => pdf({ pages: '<</Type/Pages/Kids[3 0 R]/Count 100>>' }),
  'a page tree of twenty thousand levels': () =>
    pdf({
      pages: '<</Type/Pages/Kids[6 0 R]/Count 1>>',
      more: chained(20_000, (next) => `<</Type/Pages/Count 1/Kids[${next}]>>`),
    }),
  'a million arrays in one another': () => pdf({ resources: '['.repeat(1_000_000) }),
  'dictionaries in one another': () => pdf({ resources: '<</A'.repeat(200_000) }),
  'strings in one another': () => pdf({ content: packed(`BT ${'('.repeat(3_000_000)}`) }),
  'a form that draws itself': () =>
    pdf({
      content: stream('/X Do'),
      resources: '<</XObject<</X 6 0 R>>>>',
      more: [form('/X Do', '<</XObject<</X 6 0 R>>>>')],
    }),
  'forms that each draw the next ten times': () =>
    pdf({
      content: stream('/X Do'),
      resources: '<</XObject<</X 6 0 R>>>>',
      more: chained(12, (next) => form('/X Do '.repeat(10), `<</XObject<</X ${next}>>>>`)),
    }),
  'a range of 24 bits': () =>
    withFont(composite(TO_UNICODE), [
      cmap(
        '1 begincodespacerange <000000> <ffffff> endcodespacerange 1 beginbfrange <000000> <ffffff> <0000> endbfrange',
      ),
    ]),
  'a range of 32 bits': () =>
    withFont(composite(TO_UNICODE), [
      cmap(
        '1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange',
      ),
    ]),
  'a hundred ranges of 16 bits': () =>
    withFont(composite(TO_UNICODE), [cmap(`100 beginbfrange ${'<0000> <ffff> <0041>\n'.repeat(100)} endbfrange`)]),
  'an encoding of 24 bits': () =>
    withFont(composite(ENCODING), [
      stream(
        '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <000000> <ffffff> endcodespacerange 1 begincidrange <000000> <ffffff> 0 endcidrange endcmap',
        '/Type/CMap/CMapName/A',
      ),
    ]),
  'an encoding that uses itself': () =>
    withFont(composite(ENCODING), [stream('begincmap endcmap', '/Type/CMap/CMapName/A/UseCMap 6 0 R')]),
  'widths of sixteen million letters': () => withFont(composite({ widths: '/W[0 16777215 500]' })),
  'a font of eight megabytes': () =>
    withFont(embedded('TrueType', 'FontFile2'), [
      packed(Buffer.concat([Buffer.from([0, 1, 0, 0, 0xff, 0xff]), Buffer.alloc(8_000_000, 'glyfloca')])),
    ]),
  'a font that unpacks to 200 MB': () => withFont(embedded('Type1', 'FontFile'), [bomb(200, 'dup 1 1 RD ')]),
  'a font whose letters are bombs': () =>
    withFont(
      '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 1/Widths[1 1]/Encoding<</Differences[0/a/a]>>/CharProcs<</a 6 0 R>>>>',
      [bomb(100)],
    ),
  'names of a million letters': () =>
    withFont(`<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[0 ${'/a '.repeat(1_000_000)}]>>>>`),
  'metadata of 100 MB': () =>
    pdf({ more: [bomb(100, '<a>')], trailer: '<</Size 7/Root<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>>>' }),
  'a cross-reference table in a circle': () => pdf({ trailer: '<</Size 6/Root 1 0 R/Prev 9>>' }),
  'a cross-reference table of ten million entries': () =>
    asPdf(
      Buffer.from(
        `%PDF-1.7\nxref\n0 9999999\n${'0000000009 00000 n \n'.repeat(100_000)}trailer\n<</Size 9999999/Root 1 0 R>>\nstartxref\n9\n%%EOF`,
      ),
    ),
  'a cross-reference stream that unpacks to 300 MB': () => {
    const start = '%PDF-1.7\n1 0 obj\n'
    const table = stream(repeated('\x01\0\0\0', 300), '/Type/XRef/Size 9999999/W[1 2 1]/Root 2 0 R/Filter/FlateDecode')
    return asPdf(Buffer.concat([Buffer.from(start), table, Buffer.from('\nendobj\nstartxref\n9\n%%EOF')]))
  },
  'nine megabytes of objects without a table': () =>
    asPdf(Buffer.from(`%PDF-1.7\n${'1 0 obj\n<<>>\nendobj\n'.repeat(450_000)}`)),
  'nine megabytes of beginnings': () => asPdf(Buffer.from('%PDF-1.7 1 0 obj << '.repeat(450_000))),
}

const html = (body: string): HostileDocument => ({
  contentType: 'text/html; charset=utf-8',
  bytes: Buffer.from(`<!doctype html><html><head><title>A page</title></head><body>${body}</body></html>`),
})

export const HOSTILE_PAGES: Record<string, Generate> = {
  'a hundred thousand elements inside one another': () => html('<div>'.repeat(100_000)),
  'inline elements that are never closed': () => html('<p><b><i><u><a href="/x">'.repeat(5_000)),
  'two thousand tables inside one another': () => html('<table><tr><td>'.repeat(2_000)),
  'five thousand lists inside one another': () => html('<ul><li>'.repeat(5_000)),
  'fifty thousand rows': () => html(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(50_000)}</table>`),
  'a hundred thousand links': () => html('<a href="/x">x</a> '.repeat(100_000)),
  'six thousand rows': () => html(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(6_500)}</table>`),
  'as many elements as are allowed, as deep as they may be': () =>
    html(`${'<div>'.repeat(90)}${'<p>Words, and words, and words.</p>'.repeat(19_000)}`),
  'a hundred thousand attributes': () =>
    html(`<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(' ')}>words`),
  'two megabytes of one attribute': () => html(`<p class="${'a '.repeat(900_000)}">words</p>`),
  'two megabytes of brackets': () => html('<'.repeat(1_900_000)),
  'two megabytes of entities': () => html('&amp;'.repeat(380_000)),
  'two megabytes of comments': () => html('<!--'.repeat(480_000)),
  'spaces in code': () => html(`<article><pre>${' '.repeat(1_800_000)}x</pre></article>`),
  'spaces in a paragraph': () => html(`<article><p>${'a&nbsp;'.repeat(250_000)}</p></article>`),
  'cells that span everything': () =>
    html(`<table>${'<tr><td colspan=1000 rowspan=1000>1<td>2'.repeat(6_000)}</table>`),
  'a deep description': () => html(`<script type="application/ld+json">${'{"a":['.repeat(200_000)}</script><p>words`),
  'headings alone': () => html('<div><h2>x</h2></div>'.repeat(9_000)),
}

const markdown = (text: string): HostileDocument => ({ contentType: 'text/markdown', bytes: Buffer.from(text) })

export const HOSTILE_TEXTS: Record<string, Generate> = {
  'quotes inside one another': () => markdown('>'.repeat(250_000)),
  'lists inside one another': () => markdown(Array.from({ length: 700 }, (_, at) => `${' '.repeat(at)}- a`).join('\n')),
  'brackets that never close': () => markdown('['.repeat(250_000)),
  'pictures that never close': () => markdown('![a]('.repeat(50_000)),
  'marks of emphasis': () => markdown('*a_ '.repeat(60_000)),
  'ever longer fences': () => markdown(Array.from({ length: 700 }, (_, at) => `${'`'.repeat(at)} a`).join(' ')),
  'a table of a hundred thousand columns': () => markdown(`${'|a'.repeat(60_000)}|\n${'|-'.repeat(60_000)}|`),
  'definitions of links': () => markdown('[a]: /x\n'.repeat(30_000)),
  'JSON of a million arrays': () => ({ contentType: 'application/json', bytes: Buffer.from('['.repeat(1_000_000)) }),
}
