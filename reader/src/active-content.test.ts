// Programs that show Markdown load its pictures and run its HTML. Whatever a page is, its Markdown has neither, and no
// links but those to the web: held against CommonMark's own parser.
import { readFileSync } from 'node:fs'
import { Parser } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractPage } from './extract-page.ts'
import { UnreadablePage } from './extracted-page.ts'
import { markdownWindowOf } from './text-window.ts'

async function markdownOf(text: string, contentType: string): Promise<string> {
  try {
    const page = { bytes: Buffer.from(text), contentType, address: 'https://pages.example/' }
    return (await extractPage({ ...page, format: 'markdown' })).content
  } catch (error) {
    if (error instanceof UnreadablePage) return ''
    throw error
  }
}

/** What a program that shows this Markdown would load, run or follow, other than links to the web. */
function activeIn(markdown: string): string[] {
  const found: string[] = []
  const walker = new Parser().parse(markdown).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    if (!step.entering) continue
    const { type, destination, literal } = step.node
    if (type === 'image' || type === 'html_inline' || type === 'html_block')
      found.push(`${type} ${literal ?? destination}`)
    if (type === 'link' && !/^https?:\/\//.test(destination ?? '')) found.push(`link ${destination}`)
  }
  return found
}

// The file is ours. The pieces are put together at random; those of code hold what would be active outside of it.
const { sources, pieces, code } = JSON.parse(
  readFileSync(new URL('../fixtures/active-content.json', import.meta.url), 'utf8'),
) as { sources: Record<string, string>; pieces: string[]; code: string[] }
const TYPES = ['text/markdown', 'text/plain', 'text/html']

describe('the Markdown of a page holds nothing active', () => {
  it('the parser finds what it is to find', () => {
    const active = `![p](https://evil.example/) <b onclick=x> [a](javascript:x) <mailto:a@b.example>\n\n<script>`
    expect(activeIn(active)).toHaveLength(5)
    expect(activeIn('[a](https://a.example/) `<b>`\n\n```\n<b>\n```')).toEqual([])
  })

  it.each(Object.entries(sources))('with %s', async (_what, source) => {
    for (const type of TYPES) expect(activeIn(await markdownOf(source, type)), type).toEqual([])
  })

  const source = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 24 }).map((parts) => parts.join(''))

  it('nor does any part of it, and the parts are all of it', async () => {
    const withCode = fc.array(fc.constantFrom(...pieces, ...code), { minLength: 5, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(withCode, fc.integer({ min: 1, max: 40 }), fc.nat(10), async (parts, length, start) => {
        const markdown = await markdownOf(parts.join(''), 'text/markdown')
        const active: string[] = []
        let at = start
        while (at < markdown.length) {
          const part = markdownWindowOf(markdown, at, length)
          active.push(...activeIn(part.content).map((what) => `${what} in ${part.content}`))
          at += part.length
        }
        expect(active).toEqual([])
        expect(at).toBe(Math.max(start, markdown.length))
      }),
      { numRuns: 1_000 },
    )
  })

  it('a part that ends in code closes it, and the next one opens it again', () => {
    const markdown = '- One\n\n  ```html\n  <img src=x>\n  <img src=y>\n  ```\n\nUse `<img src=z>` or not.'
    const [first, second] = [markdownWindowOf(markdown, 0, 36), markdownWindowOf(markdown, 36, 35)]
    expect(first).toEqual({ content: '- One\n\n  ```html\n  <img src=x>\n  <im\n  ```', length: 36 })
    expect(second.content).toBe('  ```\n  g src=y>\n  ```\n\nUse \\`\\<img src=z>\\` o')
    expect(markdownWindowOf(markdown, 0, 1_000)).toEqual({ content: markdown, length: markdown.length })
  })

  it.each(TYPES)('whatever is in a page of %s', async (type) => {
    await fc.assert(
      fc.asyncProperty(source, async (written) => {
        // Readability looks for an article, and finds one only if there is enough text.
        const body =
          type === 'text/html' ? `<article>${written}<p>${'Words and words. '.repeat(40)}</article>` : written
        expect(activeIn(await markdownOf(body, type))).toEqual([])
      }),
      { numRuns: type === 'text/html' ? 300 : 2_000 },
    )
  })
})
