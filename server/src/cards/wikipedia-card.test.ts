import type { WikidataItem } from '@bowerbird/engines/sources/wikidata.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it, vi } from 'vitest'
import { anArticle, stageCard } from './card.test-harness.ts'
import { findArticle, wikipediaCard } from './wikipedia-card.ts'

const thing = (id: string) => ({ value: { type: 'item' as const, id }, pointInTime: '', hasEnded: false })
const text = (value: string) => ({ value: { type: 'text' as const, text: value }, pointInTime: '', hasEnded: false })
const anItem = (rest: Partial<WikidataItem> = {}): WikidataItem => ({ id: 'Q1', kinds: [], statements: {}, ...rest })
const labels = { P57: 'director', P17: 'country', P106: 'occupation', P856: 'website', Q7: 'Ada', Q8: 'Utopia' }

const card = async (item: unknown, safe = true) => {
  const stage = stageCard({ text: 'x', safe, says: { item, labels }, article: anArticle({ item: 'Q1' }) })
  return { body: await wikipediaCard.ask(stage.context), asked: stage.asked }
}

describe('the wikipedia card', () => {
  it('shows the facts that matter for the kind of thing, in the requested language', async () => {
    const statements = { P57: [thing('Q7')], P17: [thing('Q8')], P856: [text('https://film.example/')] }
    const film = await card(anItem({ kinds: ['Q11424'], statements }))
    expect(film.body?.facts).toEqual([
      { property: 'P57', label: 'director', values: [{ text: 'Ada', url: 'https://www.wikidata.org/wiki/Q7' }] },
    ])
    const other = await card(anItem({ statements: { P17: [thing('Q8')], P856: [text('https://x.example/')] } }))
    expect(other.body?.facts.map(({ property }) => property)).toEqual(['P17', 'P856'])
    expect(other.body?.facts[1]?.values).toEqual([{ text: 'https://x.example/', url: 'https://x.example/' }])
  })

  it('a thing of an unknown kind is recognised by its properties', async () => {
    const { body } = await card(anItem({ kinds: ['Q999999'], statements: { P57: [thing('Q7')] } }))
    expect(body?.facts.map(({ property }) => property)).toEqual(['P57'])
  })

  it('without a requested language, facts are in the article’s', async () => {
    const day = { type: 'time' as const, time: '+1889-03-31T00:00:00Z', precision: 11 }
    const item = anItem({ statements: { P571: [{ value: day, pointInTime: '', hasEnded: false }] } })
    const article = anArticle({ item: 'Q1', lang: 'de' })
    const { context, asked } = stageCard({ text: 'x', says: { item, labels: { P571: 'Gründung' } }, article })
    expect((await wikipediaCard.ask(context))?.facts[0]?.values[0]?.text).toBe('31. März 1889')
    expect(asked[1]?.query).toEqual({ ids: ['P571'], lang: 'de' })
  })

  it('leaves out properties and items without a label', async () => {
    const { body } = await card(anItem({ statements: { P17: [thing('Q404')], P131: [thing('Q8')] } }))
    expect(body).toMatchObject({ facts: [], sources: [{ name: 'Wikipedia' }] })
  })

  it('only http(s) addresses become links', async () => {
    const { body } = await card(anItem({ statements: { P856: [text('javascript:alert(1)')] } }))
    expect(body?.facts[0]?.values).toEqual([{ text: 'javascript:alert(1)', url: '' }])
  })

  it.each([
    ['what it is', anItem({ kinds: ['Q185529'] })],
    ['what somebody does', anItem({ kinds: ['Q5'], statements: { P106: [thing('Q488111')] } })],
  ])('safe: pornography is left out, by %s', async (_what, item) => {
    expect((await card(item)).body).toBeNull()
    expect((await card(item, false)).body).not.toBeNull()
  })

  it('if Wikidata fails, it is shown without facts and marked as lacking', async () => {
    const failure = new UpstreamError('timeout', 'late')
    const stage = stageCard({ text: 'x', says: { item: failure }, article: anArticle({ item: 'Q1' }) })
    const markIncomplete = vi.fn()
    const body = await wikipediaCard.ask({ ...stage.context, markIncomplete })
    expect(body?.facts).toEqual([])
    expect(markIncomplete).toHaveBeenCalledOnce()
  })

  it('links the picture’s page, which states its licence', async () => {
    const picture = { url: 'https://upload.wikimedia.org/x.jpg', width: 330, height: 200, file: 'A tower & more.jpg' }
    const { context } = stageCard({ text: 'x', article: anArticle({ picture }) })
    expect((await wikipediaCard.ask(context))?.image).toEqual({
      url: 'https://upload.wikimedia.org/x.jpg',
      width: 330,
      height: 200,
      page_url: 'https://en.wikipedia.org/wiki/File:A_tower_%26_more.jpg',
    })
  })

  it('null: no article, or one without text', async () => {
    expect(await wikipediaCard.ask(stageCard({ text: 'x' }).context)).toBeNull()
    expect(await wikipediaCard.ask(stageCard({ text: 'x', article: anArticle({ extract: '' }) }).context)).toBeNull()
  })
})

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
  ])('is looked up by all its possible titles: %s', async (text, titles) => {
    expect(await titlesAsked(text)).toEqual([titles])
  })

  it.each([
    ['a list of meanings', named({ isDisambiguation: true })],
    ['a section of something larger', named({}, true)],
  ])('is not %s, and no search follows', async (_what, found) => {
    const { article, asked } = await find('mercury', { 'articles-by-title': found })
    expect([article, asked.length]).toEqual([undefined, 1])
  })

  it('is searched for if no page has the title, and must still have the name', async () => {
    const search = [anArticle({ title: 'Glass Towers of the World' }), anArticle({ title: 'GLASS-tower' })]
    const says = { 'articles-by-title': [], 'articles-by-search': search }
    expect((await find('the glass tower', says)).article?.title).toBe('GLASS-tower')
    expect((await find('glass tower height', says)).article).toBeUndefined()
  })

  it('is never a disambiguation page found by the search', async () => {
    const says = { 'articles-by-title': [], 'articles-by-search': [anArticle({ isDisambiguation: true })] }
    expect((await find('glass tower', says)).article).toBeUndefined()
  })

  it.each([
    ['insource:/a{9}/ tower', 'insource a 9 tower'],
    ['"glass" ~tower -steel', 'glass tower steel'],
    ['c#', 'c#'],
  ])('search operators are removed from the query: %s', async (text, plain) => {
    const { asked } = await find(text, { 'articles-by-title': [], 'articles-by-search': [] })
    expect(asked.at(-1)?.query).toMatchObject({ text: plain })
  })

  it('invalid titles are not looked up', async () => {
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

  it('is in the requested language', async () => {
    const { asked } = await find('tour', { 'articles-by-title': named() }, 'fr')
    expect(asked[0]?.query).toMatchObject({ edition: { code: 'fr' } })
  })
})
