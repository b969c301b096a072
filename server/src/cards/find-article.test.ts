import { describe, expect, it } from 'vitest'
import { anArticle, stageCard } from './card.test-harness.ts'
import { findArticle } from './find-article.ts'

const find = async (text: string, says: Record<string, unknown>, lang = '') => {
  const { context, asked } = stageCard({ text, lang, says })
  return { article: await findArticle(context, context.ask), asked }
}
const named = (rest = {}, isSection = false) => [{ asked: 0, isSection, article: anArticle(rest) }]
const titlesAsked = async (text: string) => {
  const { asked } = await find(text, { 'articles-by-title': named() })
  return asked.map(({ query }) => (query as { titles: string[] }).titles)
}

describe('the article that a query names', () => {
  it.each([
    ['Glass Tower', ['Glass Tower']],
    ['glass tower', ['glass tower', 'Glass Tower']],
    ['lord of the rings', ['lord of the rings', 'Lord of the Rings']],
    ['who is ada lovelace', ['who is ada lovelace', 'Who Is Ada Lovelace', 'ada lovelace', 'Ada Lovelace']],
    ['Wer war Ada Lovelace?', ['Wer war Ada Lovelace?', 'Ada Lovelace']],
    ['ada lovelace wiki', ['ada lovelace wiki', 'Ada Lovelace Wiki', 'ada lovelace', 'Ada Lovelace']],
  ])('is looked for under the titles it may have: %s', async (text, titles) => {
    expect(await titlesAsked(text)).toEqual([titles])
  })

  it('is one that bears the title, or that the title leads to', async () => {
    expect((await find('glass tower', { 'articles-by-title': named() })).article?.title).toBe('Glass Tower')
  })

  it.each([
    ['a list of meanings', named({ isDisambiguation: true })],
    ['a section of something larger', named({}, true)],
  ])('is not %s, and then nothing is searched for', async (_what, found) => {
    const { article, asked } = await find('mercury', { 'articles-by-title': found })
    expect([article, asked.length]).toEqual([undefined, 1])
  })

  it('is searched for when no page has the title, and must bear the name all the same', async () => {
    const search = [anArticle({ title: 'Glass Towers of the World' }), anArticle({ title: 'GLASS-tower' })]
    const says = { 'articles-by-title': [], 'articles-by-search': search }
    expect((await find('the glass tower', says)).article?.title).toBe('GLASS-tower')
    expect((await find('glass tower height', says)).article).toBeUndefined()
  })

  it('a list of meanings that a search finds is none either', async () => {
    const says = { 'articles-by-title': [], 'articles-by-search': [anArticle({ isDisambiguation: true })] }
    expect((await find('glass tower', says)).article).toBeUndefined()
  })

  it.each([
    ['insource:/a{9}/ tower', 'insource a 9 tower'],
    ['"glass" ~tower -steel', 'glass tower steel'],
    ['c#', 'c#'],
  ])('nothing of the search’s own language gets through: %s', async (text, plain) => {
    const { asked } = await find(text, { 'articles-by-title': [], 'articles-by-search': [] })
    expect(asked.at(-1)?.query).toMatchObject({ text: plain })
  })

  it('a title that cannot be one is not asked for', async () => {
    const { asked } = await find('c# [list]', { 'articles-by-search': [] })
    expect(asked.map(({ of }) => of)).toEqual(['wikipedia articles-by-search'])
  })

  it.each(['one two three four five six', 'x '.repeat(13), 'x'.repeat(121), '???'])(
    'nothing is searched for what no article is called: %s',
    async (text) => {
      const { asked } = await find(text, { 'articles-by-title': [] })
      expect(asked.filter(({ of }) => of.endsWith('search'))).toEqual([])
    },
  )

  it('is in the language asked for', async () => {
    const { asked } = await find('tour', { 'articles-by-title': named() }, 'fr')
    expect(asked[0]?.query).toMatchObject({ edition: { code: 'fr' } })
  })
})
