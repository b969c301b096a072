import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, joined, type Piece } from './html.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '&lt;b&gt;',
  '<!--',
  ']]>',
]

/** What a browser makes of the text: entities back to characters. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('the html template', () => {
  it.each(HOSTILE)('hostile text stays text: %s', (text) => {
    const { text: page } = html`<p title="${text}">${text}</p>`
    expect(page).toMatch(/^<p title="[^"<>]*">[^"<>]*<\/p>$/)
  })

  it('any text comes out with nothing special in it, and means what went in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { text: escaped } = html`${text}`
        expect(escaped).not.toMatch(/[<>"']/)
        expect(unescaped(escaped)).toBe(text)
      }),
    )
  })

  it('templates within templates are not escaped twice, lists are joined, nothing is nothing', () => {
    const items = ['a', 'b&c'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a</li><li>b&amp;c</li></ul>')
    expect(html`${false}${null}${undefined}${''}${[]}${0}`.text).toBe('0')
    expect(html`${['<', [html`<br>`, '>']]}`.text).toBe('&lt;<br>&gt;')
  })

  it('an object that only looks like markup is not taken for it', () => {
    // What JSON of somebody else's could hold, and what no type lets through.
    const forged = { text: '<script>' } as unknown as Piece
    expect(html`${forged}`.text).toBe('')
  })

  it('joined puts a separator between non-empty pieces', () => {
    expect(joined(['a', false, 'b<'], html`<br>`).text).toBe('a<br>b&lt;')
    expect(joined([], ', ').text).toBe('')
  })
})
