import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockView } from '../reading/block-view.ts'
import { blocksOfText, versionFor } from './operator-text.ts'

const render = (text: string): string =>
  blockView(blocksOfText(text), { pictures: undefined, newTab: false, words: { table: '', code: '' } }).text

describe('a text of the operator’s', () => {
  it('has headings, lines, lists, bold words and links', () => {
    expect(
      render(
        '# Who we are\nOur club\nStreet 1\n\n- **One**\n- two\n\nSee [here](https://example.org/a) or https://example.com/b.',
      ),
    ).toBe(
      '<h2>Who we are</h2><p>Our club<br>Street 1</p><ul><li><strong>One</strong></li><li>two</li></ul>' +
        '<p>See <a href="https://example.org/a" rel="noopener noreferrer nofollow">here</a> or ' +
        '<a href="https://example.com/b" rel="noopener noreferrer nofollow">https://example.com/b</a>.</p>',
    )
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](https://user:password@example.org/)',
    '[<b>](https://example.org/"onclick="alert(1))',
    '![x](https://tracker.example/pixel.png)',
    '# <h1 onclick=alert(1)>',
    '- <a href="javascript:alert(1)">x</a>',
    '**<style>*{display:none}</style>**',
    '&lt;script&gt;',
  ])('is only ever text: %s', (text) => {
    const markup = render(text)
    expect(markup).not.toMatch(
      /<(?!\/?(?:h[2-4]|p|ul|li|strong|br|a)\b)|<\w+[^>]*\son|javascript:[^<]*"|<img|user:password@[^<]*"/,
    )
  })

  it('becomes only the elements above, whatever it is', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '[',
      ']',
      '(',
      ')',
      '**',
      '# ',
      '- ',
      '\n',
      'https://',
      'javascript:',
      'a',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const rest = render(parts.join('')).replaceAll(
          /<\/?(?:h[2-4]|p|ul|li|strong|br)>|<a href="https?:[^"<>]*" rel="noopener noreferrer nofollow">|<\/a>/g,
          '',
        )
        expect(rest).not.toMatch(/[<>"]/)
      }),
    )
  })

  it('takes time in proportion to its length', () => {
    const started = performance.now()
    for (const part of ['[', '*', '**a', '[a](https://', 'https://', '# ', '-']) render(part.repeat(5_000))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('the version that is shown', () => {
  const versions = [
    { lang: '', text: 'for all' },
    { lang: 'de', text: 'deutsch' },
    { lang: 'pt-BR', text: 'português' },
  ]

  it.each([
    [['de', 'en'], 'deutsch'],
    [['', 'de'], 'deutsch'],
    [['', 'en'], 'for all'],
    [['', 'pt'], 'português'],
    [['<script>', 'de'], 'deutsch'],
    [['de-AT', 'en'], 'deutsch'],
  ])('for %j is the one %s', (languages, text) => {
    expect(versionFor(versions, languages)?.text).toBe(text)
  })

  it('is none if there is no text', () => {
    expect(versionFor([], ['en'])).toBeUndefined()
  })
})
