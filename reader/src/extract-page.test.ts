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
  return { ...facts, markdown, text }
}

const readFixture = (name: string) => read(readFileSync(`${FIXTURES}/${name}.html`))

describe('main content as Markdown', () => {
  it('there are three fixtures of every kind', () => {
    const kinds = names.map((name) => name.split('/')[0])
    expect(kinds).toEqual(KINDS.flatMap((kind) => [kind, kind, kind]))
  })

  it.each(names)('%s', async (name) => {
    const { markdown } = await readFixture(name)
    expect(`${markdown}\n`).toBe(readFileSync(`${FIXTURES}/${name}.md`, 'utf8'))
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
  const sectionsOf = async (written: string | Uint8Array, contentType = 'text/html') => {
    const page = { bytes: Buffer.from(written), contentType, address: 'https://pages.example/kind/' }
    const { content, sections } = await extractPage({ ...page, format: 'sections' })
    expect(content).toBe('')
    return sections ?? []
  }

  it('hold each heading, its level and the plain text below it, starting with the text before any heading', async () => {
    const filler = 'Words and words about the tides. '.repeat(20).trim()
    const html =
      `<article><p>${filler}</p><h2>When <em>low</em></h2><p>At noon.</p><ul><li>at one</li></ul>` +
      `<h3>By night</h3><h2>When high</h2><p>At <a href="/six">six</a>.</p></article>`
    expect(await sectionsOf(html)).toEqual([
      { heading: '', level: 0, text: filler },
      { heading: 'When low', level: 2, text: 'At noon.\n\n- at one' },
      { heading: 'By night', level: 3, text: '' },
      { heading: 'When high', level: 2, text: 'At six.' },
    ])
  })

  it.each(names)('%s has the headings and the words of its Markdown', async (name) => {
    const sections = await sectionsOf(readFileSync(`${FIXTURES}/${name}.html`))
    const { markdown, text } = await readFixture(name)
    const headings = markdown.replace(/^```[\s\S]*?^```$/gm, '').match(/^#+(?= )/gm) ?? []
    expect(sections.map(({ level }) => level).filter(Boolean)).toEqual(headings.map(({ length }) => length))
    const words = sections.flatMap((section) => [section.heading, section.text]).filter(Boolean)
    expect(words.join('\n\n')).toBe(text)
  })

  it('are read from Markdown; plain text is a single section', async () => {
    const markdown = 'Before.\n\n# Tides #\n\nAt *noon*.\n\n```sh\n# no heading\n```\n\n### Later'
    expect(await sectionsOf(markdown, 'text/markdown')).toEqual([
      { heading: '', level: 0, text: 'Before.' },
      { heading: 'Tides', level: 1, text: 'At noon.\n\n# no heading' },
      { heading: 'Later', level: 3, text: '' },
    ])
    expect(await sectionsOf('# Tides', 'text/plain')).toEqual([{ heading: '', level: 0, text: '# Tides' }])
  })

  it('are cut off at the maximum length of a page', async () => {
    const long = `# One\n${'a'.repeat(249_990)}\n# Two\n${'b'.repeat(100)}`
    const sections = await sectionsOf(long, 'text/markdown')
    expect(sections.map(({ heading, text }) => [heading, text.length])).toEqual([
      ['One', 249_990],
      ['T', 0],
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
    const page = await read('# Tides\n\n* 12:00 <low>\r\n* 18:00', 'text/plain; charset=utf-8')
    expect(page).toMatchObject({
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
    const { type, markdown } = await read('{"low": "12:00"}', 'application/problem+json')
    expect({ type, markdown }).toEqual({ type: 'json', markdown: '```json\n{"low": "12:00"}\n```' })
  })

  it('HTML is recognised without a Content-Type', async () => {
    expect((await read(readFileSync(`${FIXTURES}/wiki/salt.html`), '')).type).toBe('html')
  })

  it.each<[what: string, page: [Buffer, string], reason: string]>([
    ['a picture', [Buffer.from('89504e470d0a1a0a00000000', 'hex'), 'image/png'], 'not_text'],
    ['binary data declared as HTML', [Buffer.from([1, 0, 2, 0, 3]), 'text/html'], 'not_text'],
    ['an executable without a Content-Type', [Buffer.from('7f454c4602010100', 'hex'), ''], 'not_text'],
    [
      'a PDF with nothing after its signature',
      [Buffer.from('%PDF-1.7 and nothing else'), 'application/pdf'],
      'not_text',
    ],
    [
      'a page without words',
      [Buffer.from('<html><body><div id="app"></div></body></html>'), 'text/html'],
      'no_content',
    ],
    ['an empty body', [Buffer.from(''), 'text/html'], 'no_content'],
    ['a tag that never ends', [Buffer.from('<html lang="<body><p>Words'), 'text/html'], 'no_content'],
  ])('%s is refused', async (_what, [bytes, contentType], reason) => {
    await expect(read(bytes, contentType)).rejects.toMatchObject({ reason })
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

describe('superscript and subscript numbers', () => {
  it.each([
    ['10<sup>6</sup> of CO<sub>2</sub>', '10⁶ of CO₂'],
    ['s<sup>-1</sup> and s<sup>−2</sup>', 's⁻¹ and s⁻²'],
    ['the 1<sup>st</sup> of 2,600<sup><a href="#n">7</a></sup>', 'the 1st of 2,600[7]'],
  ])('%s', async (html, expected) => {
    const { text } = await read(`<article><p>It was ${html}.</p><p>${'Words and words. '.repeat(40)}</p></article>`)
    expect(text.split('\n\n')[0]).toBe(`It was ${expected}.`)
  })
})

describe('hostile markup is disarmed', () => {
  const paragraph = (html: string) =>
    `<html><body><article><p>${html}</p><p>${'Words and words. '.repeat(40)}</p></article></body></html>`

  it.each([
    ['a link that runs a script', '<a href="javascript:alert(1)">press</a> here', 'press here'],
    ['a link with credentials', '<a href="https://user:pass@bank.example/">bank</a>', 'bank'],
    [
      'a link that ends early',
      '<a href="https://a.example/x) [b](https://b.example/">a</a>',
      '[a](https://a.example/x%29%20[b]%28https://b.example/)',
    ],
    ['a picture made of a link', 'Now!<a href="https://a.example/">a</a>', 'Now\\![a](https://a.example/)'],
    ['invisible characters', 'in\u{e0041}vi\u200bsi\u202eble', 'invisible'],
    ['an entity that becomes a tag', '&amp;lt;script&amp;gt; &lt;script&gt;', '\\&lt;script\\&gt; \\<script>'],
  ])('%s', async (_what, html, expected) => {
    expect((await read(paragraph(html))).markdown.split('\n\n')[0]).toBe(expected)
  })

  it.each([
    'display: none',
    'visibility:hidden',
    'font-size:0',
    'font-size: 0px !important',
    'opacity: 0.0',
    'position:absolute; left:-9999px',
    'text-indent:-1000em',
    'color:#FFF; background-color: #fff',
    'color: transparent',
    'width:1px;height:1px;overflow:hidden',
  ])('text that a style hides: %s', async (style) => {
    const page = await read(paragraph(`Seen <span style="${style}">and obeyed</span> by all.`))
    expect(page.markdown.split('\n\n')[0]).toBe('Seen by all.')
  })

  it.each(['display:inline', 'opacity:0.5', 'font-size:0.8em', 'margin-left:-4px', 'color:red;background:#fff'])(
    'text that a style does not hide stays: %s',
    async (style) => {
      const page = await read(paragraph(`Seen <span style="${style}">and obeyed</span> by all.`))
      expect(page.markdown.split('\n\n')[0]).toBe('Seen and obeyed by all.')
    },
  )

  it('invisible characters in the title and the name of the author', async () => {
    const hidden = '\u{e0068}\u{e0069}\u200b'
    const page = await read(
      `<html><head><title>Ti${hidden}tle of this page</title><meta name="author" content="Au${hidden}thor"></head>${paragraph('Text')}`,
    )
    expect([page.title, page.byline]).toEqual(['Title of this page', 'Author'])
  })
})

describe('links', () => {
  const article = (html: string) =>
    `<html><body><article>${html}<p>${'Words and words. '.repeat(40)}</p></article></body></html>`

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
