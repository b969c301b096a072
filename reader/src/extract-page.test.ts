// Pages of ten kinds, each with hand-written Markdown: `fixtures/` has a folder for each kind. Their address is
// https://pages.example/kind/.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extractPage } from './extract-page.ts'

const FIXTURES = resolve(import.meta.dirname, '../fixtures')
const KINDS = ['article', 'code', 'docs', 'forum', 'listing', 'recipe', 'rtl', 'shop', 'table', 'wiki']

const names = globSync('*/*.html', { cwd: FIXTURES })
  .map((file) => file.slice(0, -'.html'.length))
  .toSorted()

async function read(written: string | Uint8Array, contentType = 'text/html') {
  const page = { bytes: Buffer.from(written), contentType, address: 'https://pages.example/kind/' }
  const { content: markdown, ...facts } = await extractPage({ ...page, format: 'markdown' })
  const { content: text } = await extractPage({ ...page, format: 'text' })
  const { content, sections = [] } = await extractPage({ ...page, format: 'sections' })
  expect(content).toBe('')
  return { ...facts, markdown, text, sections }
}

/** With as many words as it takes to be the main content of a page. */
const article = (html: string) => `<article>${html}<p>${'Words and words. '.repeat(40)}</p></article>`

const readFixture = (name: string) => read(readFileSync(`${FIXTURES}/${name}.html`))

describe('main content as Markdown', () => {
  it('there are three fixtures of every kind', () => {
    const kinds = names.map((name) => name.split('/')[0])
    expect(kinds).toEqual(KINDS.flatMap((kind) => [kind, kind, kind]))
  })

  it.each(names)('%s, and its sections have the same headings and words', async (name) => {
    const { markdown, text, sections } = await readFixture(name)
    expect(`${markdown}\n`).toBe(readFileSync(`${FIXTURES}/${name}.md`, 'utf8'))
    const headings = markdown.replace(/^```[\s\S]*?^```$/gm, '').match(/^#+(?= )/gm) ?? []
    expect(sections.map(({ level }) => level).filter(Boolean)).toEqual(headings.map(({ length }) => length))
    const words = sections.flatMap((section) => [section.heading, section.text]).filter(Boolean)
    expect(words.join('\n\n')).toBe(text)
  })
})

describe('metadata', () => {
  it('has the title, author, site, language and date', async () => {
    expect(await readFixture('article/lighthouse')).toMatchObject({
      type: 'html',
      title: 'The lamp that never went out',
      byline: 'Ines Calloway',
      siteName: 'Harbour Gazette',
      language: 'en-GB',
      published: '2026-03-04T08:30:00.000Z',
    })
  })

  it('is empty where the page has none', async () => {
    expect(await readFixture('table/ferries')).toMatchObject({ byline: '', siteName: '', published: '' })
  })
})

describe('sections', () => {
  it('hold each heading, its level and the plain text below it, starting with the text before any heading', async () => {
    const filler = 'Words and words about the tides. '.repeat(20).trim()
    const html =
      `<article><p>${filler}</p><h2>When <em>low</em></h2><p>At noon.</p><ul><li>at one</li></ul>` +
      `<h3>By night</h3><h2>When high</h2><p>At <a href="/six">six</a>.</p></article>`
    expect((await read(html)).sections).toEqual([
      { heading: '', level: 0, text: filler },
      { heading: 'When low', level: 2, text: 'At noon.\n\n- at one' },
      { heading: 'By night', level: 3, text: '' },
      { heading: 'When high', level: 2, text: 'At six.' },
    ])
  })

  it('are read from Markdown; plain text is a single section', async () => {
    const markdown = 'Before.\n\n# Tides #\n\nAt *noon*.\n\n```sh\n# no heading\n```\n\n### Later'
    expect((await read(markdown, 'text/markdown')).sections).toEqual([
      { heading: '', level: 0, text: 'Before.' },
      { heading: 'Tides', level: 1, text: 'At noon.\n\n# no heading' },
      { heading: 'Later', level: 3, text: '' },
    ])
    expect((await read('# Tides', 'text/plain')).sections).toEqual([{ heading: '', level: 0, text: '# Tides' }])
  })

  it('are cut off at the maximum length of a page', async () => {
    const long = `# One\n${'a'.repeat(249_990)}\n# Two\n${'b'.repeat(100)}`
    const { sections } = await read(long, 'text/markdown')
    expect(sections).toMatchObject([
      { heading: 'One', text: 'a'.repeat(249_990) },
      { heading: 'T', text: '' },
    ])
  })
})

describe('encodings', () => {
  const TEXT = `<html><head>META</head><body><p>${'Blåbærsyltetøy på brød, año tras año. '.repeat(20)}</p></body></html>`
  const latin = (meta = '') => Buffer.from(TEXT.replace('META', meta), 'latin1')

  it.each([
    ['the header', latin(), 'text/html; charset=ISO-8859-1'],
    ['a meta element', latin('<meta charset="iso-8859-1">'), 'text/html'],
    [
      'a meta element in the old form',
      latin('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
      'text/html',
    ],
    ['a guess, if it is not valid UTF-8', latin(), 'text/html'],
    ['a guess, if it is valid UTF-8', Buffer.from(TEXT), 'text/html'],
    ['a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'text/html; charset=utf-8'],
    ['a guess, if the named encoding does not exist', Buffer.from(TEXT), 'text/html; charset=klingon'],
  ])('are detected by %s', async (_what, bytes, contentType) => {
    expect((await read(bytes, contentType)).text).toContain('Blåbærsyltetøy på brød, año tras año.')
  })
})

describe('pages that are not HTML', () => {
  it('plain text is escaped in Markdown, and left alone as text', async () => {
    expect(await read('# Tides\n\n* 12:00 <low>\r\n* 18:00', 'text/plain; charset=utf-8')).toMatchObject({
      type: 'text',
      text: '# Tides\n\n* 12:00 <low>\n* 18:00',
      markdown: '\\# Tides\n\n\\* 12:00 \\<low>  \n\\* 18:00',
    })
  })

  it('Markdown stays Markdown, without HTML and pictures', async () => {
    const source =
      '# Tides\n\nAt *noon* <img src=x>![pixel](https://spy.example/p.gif)and `<six>`, by [boat](../boat).\n\n' +
      '| Year | Low |\n|---|---|\n| 2026 | 1 |\n\n- [x] one\n- two\n\n```html\n<b>\n```'
    const { markdown, text } = await read(source, 'text/markdown')
    expect(markdown).toBe(
      '# Tides\n\nAt *noon* and `<six>`, by [boat](https://pages.example/boat).\n\n' +
        '| Year | Low |\n| --- | --- |\n| 2026 | 1 |\n\n- one\n- two\n\n```html\n<b>\n```',
    )
    expect(text).toBe('Tides\n\nAt noon and <six>, by boat.\n\nYear\tLow\n2026\t1\n\n- one\n- two\n\n<b>')
  })

  it('JSON is code', async () => {
    const expected = { type: 'json', markdown: '```json\n{"low": "12:00"}\n```' }
    expect(await read('{"low": "12:00"}', 'application/problem+json')).toMatchObject(expected)
  })

  it('HTML is recognised without a Content-Type', async () => {
    expect((await read(readFileSync(`${FIXTURES}/wiki/salt.html`), '')).type).toBe('html')
  })

  it.each([
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\0', 'image/png', 'not_text'],
    ['binary data declared as HTML', '\x01\0\x02\0\x03', 'text/html', 'not_text'],
    ['an executable without a Content-Type', '\x7fELF\x02\x01\x01\0', '', 'not_text'],
    ['a PDF with nothing after its signature', '%PDF-1.7 and nothing else', 'application/pdf', 'not_text'],
    ['a page without words', '<html><body><div id="app"></div></body></html>', 'text/html', 'no_content'],
    ['an empty body', '', 'text/html', 'no_content'],
    ['a tag that never ends', '<html lang="<body><p>Words', 'text/html', 'no_content'],
  ])('%s is refused', async (...[, body, contentType, reason]) => {
    await expect(read(Buffer.from(body, 'latin1'), contentType)).rejects.toMatchObject({ reason })
  })

  it('a PDF has its text, title and author', async () => {
    const page = await read(readFileSync(`${FIXTURES}/leaflet.pdf`), 'application/octet-stream')
    expect(page).toMatchObject({
      type: 'pdf',
      title: 'Harbour leaflet',
      byline: 'Harbour office',
      text: 'Low tide is at noon.\n\nHigh tide is at six.',
    })
  })
})

describe('a paragraph', () => {
  const rows = readFileSync(`${FIXTURES}/paragraphs.txt`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))

  it.each(rows)('%s', async (row) => {
    const [html = '', expected] = row.split(' → ')
    const { markdown } = await read(article(`<p>${html}</p>`))
    expect(markdown.split('\n\n')[0]).toBe(expected)
  })

  it('has no invisible characters in the title and the name of the author either', async () => {
    const hidden = '\u{e0068}\u{e0069}\u200b'
    const head = `<title>Ti${hidden}tle of this page</title><meta name="author" content="Au${hidden}thor">`
    const page = await read(`<html><head>${head}</head><body>${article('<p>Text</p>')}</body></html>`)
    expect(page).toMatchObject({ title: 'Title of this page', byline: 'Author' })
  })
})

describe('links', () => {
  it('are those of the content, absolute, as Markdown shows them, each once', async () => {
    const { links, markdown } = await read(
      article(
        '<p><a href="/one">one</a> <a href="https://b.example/x(y)">two</a> <a href="/one">again</a></p><ul><li><a href="three">three</a></li></ul><p><a href="javascript:alert(1)">no</a> <a href="#top">no</a></p>',
      ),
    )
    expect(links).toEqual([
      'https://pages.example/one',
      'https://b.example/x%28y%29',
      'https://pages.example/kind/three',
    ])
    for (const link of links ?? []) expect(markdown).toContain(`(${link})`)
  })

  it('are at most 200', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `<p>Word <a href="/${at}">number ${at}</a> of the text.</p>`)
    expect((await read(article(many.join('')))).links).toHaveLength(200)
  })

  it('there are none in a page without', async () => {
    expect((await read(article('<p>Text.</p>'))).links).toBeUndefined()
  })
})
