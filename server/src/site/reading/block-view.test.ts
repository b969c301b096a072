import { type Block, parseBlocks, type Run } from '@bowerbird/reader/blocks.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockView } from './block-view.ts'

const TERMS = { pictures: undefined, newTab: false, words: { table: 'Table', code: 'Code' } }
const shown = (blocks: Block[]) => blockView(parseBlocks(JSON.stringify(blocks)), TERMS).text

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom('<script>', '"onload=', "javascript:alert('1')", '</pre>', '&lt;'),
)
const run: fc.Arbitrary<Run> = fc.record(
  { text: hostile, isStrong: fc.boolean(), isEmphasised: fc.boolean(), isCode: fc.boolean(), link: hostile },
  { requiredKeys: ['text'] },
)
const runs = fc.array(run, { maxLength: 4 })
const { block } = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), runs }),
    fc.record({ kind: fc.constant('paragraph' as const), runs }),
    fc.record({ kind: fc.constant('code' as const), text: hostile, language: hostile }),
    fc.record({
      kind: fc.constant('table' as const),
      rows: fc.array(fc.array(runs, { maxLength: 3 }), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('picture' as const), address: hostile, text: hostile }),
    fc.record({ kind: fc.constant('rule' as const) }),
    fc.record({ kind: fc.constant('quote' as const), blocks: fc.array(tie('block'), { maxLength: 3 }) }),
    fc.record({
      kind: fc.constant('list' as const),
      isOrdered: fc.boolean(),
      start: fc.nat(),
      items: fc.array(fc.array(tie('block'), { maxLength: 3 }), { maxLength: 3 }),
    }),
  ),
}))

/** Everything in angle brackets that this view may write. */
const OURS =
  /^<(?:\/?(?:h[2-6]|p|blockquote|code|ol|ul|li|div|table|thead|tbody|tr|th|td|em|strong|figure|pre|a)|br|hr|ol start="\d+"|th scope="col"|pre tabindex="0" dir="ltr" role="region" aria-label="Code"|div class="read-table" tabindex="0" role="region" aria-label="Table"|a href="https?:\/\/[^"<>]*" rel="noopener noreferrer nofollow")>$/

describe('the markup of a page that is read', () => {
  it('has only our own elements and attributes, whatever the page contains', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const text = shown(blocks)
        for (const [tag] of text.matchAll(/<[^>]*>/g)) expect(tag).toMatch(OURS)
        expect(text.replace(/<[^>]*>/g, '')).not.toMatch(/[<>"]/)
      }),
    )
  })

  it('links send no referrer, and lead only to http(s)', () => {
    const runs = [
      { text: 'one ', link: 'https://a.example/?b=1&c=2' },
      { text: 'link', link: 'https://a.example/?b=1&c=2', isStrong: true },
      { text: ' and ' },
      { text: 'none', link: 'javascript:alert(1)' },
    ]
    expect(shown([{ kind: 'paragraph', runs }])).toBe(
      '<p><a href="https://a.example/?b=1&amp;c=2" rel="noopener noreferrer nofollow">one <strong>link</strong></a> and none</p>',
    )
  })

  it('headings never skip a level', () => {
    const levels = [1, 4, 6, 2, 3].map((level): Block => ({ kind: 'heading', level, runs: [{ text: 'x' }] }))
    expect([...shown(levels).matchAll(/<h(\d)>/g)].map(([, level]) => level)).toEqual(['2', '3', '4', '2', '3'])
  })

  it('a list keeps its numbers and nested content', () => {
    const item = (text: string): Block[] => [{ kind: 'paragraph', runs: [{ text }] }]
    const nested: Block = { kind: 'list', isOrdered: false, start: 1, items: [item('b')] }
    expect(shown([{ kind: 'list', isOrdered: true, start: 3, items: [item('a'), [...item('c'), nested]] }])).toBe(
      '<ol start="3"><li>a</li><li>c<ul><li>b</li></ul></li></ol>',
    )
  })
})
