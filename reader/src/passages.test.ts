import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../engines/test/cpu-timer.ts'
import { type Passage, passagesOf, rankPassages, tokensOf } from './passages.ts'

const PAGE = `# Tides

The sea rises and falls **twice** a day.

## Causes

The [Moon](https://example.org/moon) pulls at the water.

- The Sun helps.
- So does the shape of the coast.

\`\`\`js
const moon = 1

const sun = 0.46
\`\`\`

---

| place | metres |
| --- | --- |
| Bay of Fundy | 16 |`

function choosePassages(query: string, pages: readonly Passage[][], tokens: number): Passage[][] {
  const ranking = rankPassages(query)
  for (const page of pages) ranking.add(page)
  return ranking.choose(tokens)
}

const textsOf = (query: string, pages: readonly string[], tokens: number) =>
  choosePassages(query, pages.map(passagesOf), tokens).map((passages) => passages.map(({ text }) => text))

describe('the passages of a page', () => {
  it('are its blocks, with their number, place and heading', () => {
    const passages = passagesOf(PAGE)
    expect(passages.map(({ block, heading, text }) => [block, heading, text.split('\n')[0]])).toEqual([
      [2, 'Tides', 'The sea rises and falls **twice** a day.'],
      [4, 'Causes', 'The Moon pulls at the water.'],
      [5, 'Causes', '- The Sun helps.'],
      [6, 'Causes', '```js'],
      [8, 'Causes', '| place | metres |'],
    ])
    for (const { start, text } of passages)
      expect(PAGE.slice(start, start + 4)).toBe(text.replace('The Moon', 'The [').slice(0, 4))
  })

  it('a long block is several passages of whole sentences, and nothing of it is lost', () => {
    const page = Array.from({ length: 60 }, (_, at) => `This is sentence ${at} of a paragraph without end.`).join(' ')
    const passages = passagesOf(page)
    expect(passages.length).toBeGreaterThan(2)
    expect(passages.map(({ text }) => text).join(' ')).toBe(page)
    expect(passages.every(({ text, block }) => text.endsWith('.') && text.length <= 1_200 && block === 1)).toBe(true)
  })

  it('any text is cut into passages that begin where they say', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 2_000 }), { maxLength: 8 }), (blocks) => {
        const page = blocks.join('\n\n')
        let last = -1
        for (const passage of passagesOf(page)) {
          if (passage.start <= last || passage.block < 1 || !passage.text.isWellFormed())
            expect.fail(JSON.stringify(passage))
          last = passage.start
        }
      }),
      { seed: 26 },
    )
  })

  it.each(['[', '```\n\n', '\\', 'a', '\n'])('a page of nothing but %j is read in a moment', (piece) => {
    const page = piece.repeat(250_000 / piece.length)
    const spentMs = startCpuTimer()
    choosePassages('a', [passagesOf(page)], 1_000)
    expect(spentMs()).toBeLessThan(500)
  })

  it('a page of many passages has 2,000, with headings of 200 characters', () => {
    const passages = passagesOf(`# ${'𝕙'.repeat(10_000)}\n\n${'a\n\n'.repeat(20_000)}`)
    expect(passages).toHaveLength(2_000)
    expect(new Set(passages.map(({ heading }) => heading))).toEqual(new Set(['𝕙'.repeat(100)]))
  })
})

describe('choosing passages', () => {
  it('the passage with the rarest words of the query is first within the budget', () => {
    expect(textsOf('does the sun help', [PAGE], 14)).toEqual([['- The Sun helps.\n- So does the shape of the coast.']])
    expect(textsOf('highest tide: Fundy', [PAGE], 30)[0]?.[0]).toContain('| Bay of Fundy | 16 |')
  })

  it('finds other forms of a word, words with accents, and languages without spaces', () => {
    expect(textsOf('influences', ['Nothing.\n\nHow they influence it.'], 100)).toEqual([['How they influence it.']])
    expect(textsOf('cafe creme', ['Thé.\n\nCafé crème.'], 100)).toEqual([['Café crème.']])
    expect(textsOf('月の引力', ['海は青い。\n\n潮は月の引力で動く。'], 100)).toEqual([['潮は月の引力で動く。']])
  })

  it('the budget is for all pages together, and each keeps its order', () => {
    const first = 'Tides are slow.\n\nNothing here.\n\nTides are long waves.'
    const second = 'Tides tides tides.'
    expect(textsOf('tides', [first, second], 1_000)).toEqual([['Tides are slow.', 'Tides are long waves.'], [second]])
    expect(textsOf('tides', [first, second], tokensOf(second))).toEqual([[], [second]])
  })

  it('a query that no page has a word of gets the beginnings', () => {
    expect(textsOf('xyzzy', ['One.\n\nTwo.', 'Three.\n\nFour.'], 3)).toEqual([['One.'], ['Three.']])
    expect(textsOf('?', [''], 100)).toEqual([[]])
  })

  it('never spends more than the budget', () => {
    const article = readFileSync(new URL('./passages.ts', import.meta.url), 'utf8')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), fc.string({ maxLength: 60 }), (tokens, query) => {
        const chosen = choosePassages(query, [passagesOf(article), passagesOf(PAGE)], tokens).flat()
        expect(chosen.reduce((sum, { text }) => sum + tokensOf(text), 0)).toBeLessThanOrEqual(tokens)
      }),
      { seed: 26 },
    )
  })
})

describe('a long query', () => {
  /** Different characters of a script without spaces: every two of them are a word. */
  const chinese = (length: number, from = 0) =>
    Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((from + at * 7) % 20_000))).join('')
  const pages = Array.from({ length: 5 }, (_, at) => passagesOf(chinese(100_000, at)))

  it('costs about as much as a short one, on long pages', () => {
    const cost = (query: string) => {
      const spentMs = startCpuTimer()
      choosePassages(query, pages, 8_000)
      return spentMs()
    }
    cost(chinese(2))
    expect(cost(chinese(490))).toBeLessThan(3 * cost(chinese(64)) + 200)
  })

  it('is about its first words', () => {
    const page = ['The first word.', 'The last word.'].join('\n\n')
    const between = Array.from({ length: 70 }, (_, at) => `w${at}`).join(' ')
    expect(textsOf(`first ${between} last`, [page], 100)).toEqual([['The first word.']])
  })
})

describe('tokens', () => {
  it.each([
    ['', 0],
    ['four', 1],
    ['The quick brown fox jumps over the lazy dog.', 11],
    ['Быстрая лиса', 6],
    ['引力', 2],
  ])('%j has %i', (text, tokens) => {
    expect(tokensOf(text)).toBe(tokens)
  })
})
