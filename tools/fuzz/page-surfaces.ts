// What reads pages of the web: robots.txt in the event loop, everything else outside of it, for at most three seconds.
import type { ContentFormat } from '@bowerbird/reader/extracted-page.ts'
import { allowing, type Surface } from './surface.ts'

const PAGE_BYTES = 250_000

type PageSurface = Pick<Surface, 'name' | 'files' | 'seeds'>

const page = (contentType: string, surface: PageSurface, formats: readonly ContentFormat[] = FORMATS): Surface => ({
  when: 'page',
  limit: PAGE_BYTES,
  boundMs: 3_000,
  isEndedByTime: true,
  ...surface,
  async load() {
    const { extractPage } = await import('@bowerbird/reader/extract-page.ts')
    const { UnreadablePage } = await import('@bowerbird/reader/extracted-page.ts')
    const address = 'https://page.example/a/b'
    return allowing([UnreadablePage], async (text) => {
      const bytes = Buffer.from(text)
      for (const format of formats) await extractPage({ bytes, contentType, address, format })
    })
  },
})

const FORMATS: readonly ContentFormat[] = ['markdown', 'sections', 'blocks']

const ARTICLE = `<!doctype html><html lang="en"><head><title>Tides</title><meta name="author" content="Ada"></head><body>
<nav><a href="/">Home</a></nav><article><h1>Tides</h1><p>By Ada</p><p>${'The moon pulls the sea, and the sea follows it. '.repeat(12)}</p>
<h2>Spring <b>tides</b></h2><p>Twice a month <a href="/x">the pull</a> adds up<sup>2</sup>, <code>a*b</code>.</p>
<ul><li>one</li><li>two<ol start="3"><li>three</li></ol></li></ul><pre><code class="language-js">let a = 1</code></pre>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><blockquote><p>quoted</p></blockquote>
<figure><img src="/a.png" width="300" height="200" alt="a"></figure></article></body></html>`

const MARKDOWN = `# Tides

By *Ada*, [2026](https://page.example/ "t"). ![p](https://a.example/p.png) <b onclick=x>bold</b>

## Spring tides ##

- one
  1. two
> quoted

\`\`\`js
let a = 1
\`\`\`

| a | b |
|---|---|
| 1 | 2 |
`

export const PAGE_SURFACES: readonly Surface[] = [
  {
    name: 'robots.txt',
    when: 'page',
    limit: 100_000,
    boundMs: 60,
    files: ['server/src/reader/robot-rules.ts'],
    seeds: [
      'User-agent: *\nDisallow: /private/*.html$\nAllow: /\n\nUser-agent: Bowerbird\nDisallow: /a%20b*\n',
      'user-agent:*\nallow:/',
    ],
    async load() {
      const { readRobotRules } = await import('../../server/src/reader/robot-rules.ts')
      const path = `/${'a'.repeat(2_000)}`
      return (text) => readRobotRules(text, 'Bowerbird').isAllowed(path)
    },
  },
  {
    // Two inputs, each at its limit: what they cost is their product, if nothing prevents it.
    name: 'query and passages of a page',
    when: 'page',
    limit: 100_500,
    boundMs: 60,
    files: ['reader/src/passages.ts'],
    seeds: [MARKDOWN, '月の引力 潮は月の引力で動く。', `# a\n\n${'a b c\n\n'.repeat(100)}`],
    async load() {
      const { passagesOf, rankPassages } = await import('@bowerbird/reader/passages.ts')
      return (text) => {
        const ranking = rankPassages(text.slice(0, 500))
        ranking.add(passagesOf(text.slice(500)))
        return ranking.choose(8_000)
      }
    },
  },
  page(
    'text/html',
    {
      name: 'HTML page',
      files: [
        'reader/src/html-page.ts',
        'reader/src/read-blocks.ts',
        'reader/src/read-table.ts',
        'reader/src/markdown.ts',
      ],
      seeds: [ARTICLE],
    },
    ['markdown'],
  ),
  page(
    'text/markdown',
    {
      name: 'Markdown page',
      files: ['reader/src/text-page.ts', 'reader/src/markdown.ts'],
      seeds: [MARKDOWN],
    },
    ['markdown'],
  ),
  page('text/plain', {
    name: 'text page',
    files: ['reader/src/text-page.ts', 'reader/src/markdown.ts'],
    seeds: [
      'First paragraph,\nsecond line.\n\n  - not a list\n1. nor this\n\n# nor a heading\n---\n* a_b_c <b> &amp; ~~x~~',
    ],
  }),
  page('application/json', {
    name: 'JSON page',
    files: ['reader/src/text-page.ts'],
    seeds: ['{"a":[1,2,{"b":"```"}]}'],
  }),
]
