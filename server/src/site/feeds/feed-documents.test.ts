import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FeedDocument, feedItemsOf, jsonFeed, rssFeed } from './feed-documents.ts'

const ITEM = {
  id: 'example.org/tides',
  url: 'https://example.org/tides?a=1&b=2',
  title: 'Tides & <waves>',
  text: '<img src=x onerror=alert(1)> & more',
  publishedAt: Date.UTC(2026, 4, 3, 9, 30),
}
const FEED: FeedDocument = {
  title: 'tides – Bowerbird',
  description: 'Search results for “tides”.',
  pageUrl: 'https://search.example.org/search?q=tides&tab=news',
  feedUrl: 'https://search.example.org/feeds/secret.xml',
  language: 'en',
  lifeSeconds: 3_600,
  items: [ITEM],
}
const UNDATED: FeedDocument = { ...FEED, language: '', items: [{ ...ITEM, text: '', publishedAt: undefined }] }

const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(([, text = '']) => text)
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const unescaped = (text = ''): string => text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name] ?? '')

describe('RSS', () => {
  it('has what a reader needs: where it is, how long it lasts, and each item with its date', () => {
    const xml = rssFeed(FEED)
    expect(xml).toContain('<atom:link href="https://search.example.org/feeds/secret.xml" rel="self"')
    expect(xml).toContain('<link>https://search.example.org/search?q=tides&amp;tab=news</link>')
    expect(textsOf(xml, 'ttl')).toEqual(['60'])
    expect(textsOf(xml, 'language')).toEqual(['en'])
    expect(textsOf(xml, 'pubDate')).toEqual(['Sun, 03 May 2026 09:30:00 GMT'])
    expect(textsOf(xml, 'guid')).toEqual(['example.org/tides'])
  })

  it('shows what an engine found as text, in readers that render HTML', () => {
    const [, shown] = textsOf(rssFeed(FEED), 'description').map(unescaped)
    expect(shown).toBe('&lt;img src=x onerror=alert(1)&gt; &amp; more')
    expect(textsOf(rssFeed(FEED), 'title').map(unescaped)[1]).toBe(ITEM.title)
  })

  it('invents no date and no language', () => {
    expect(rssFeed(UNDATED)).not.toMatch(/pubDate|language|Date/)
  })

  it('stays one item of XML, whatever an engine found', () => {
    // Halves of pairs included.
    const anyText = fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((codes) => String.fromCodePoint(...codes))
    const printable = (text: string) => text.replace(/[^!-~]/g, '')
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string(), fc.constant(']]>&#0;<!--')), (text) => {
        const xml = rssFeed({ ...FEED, title: text, items: [{ ...ITEM, title: text, text }] })
        const [channel, item = ''] = textsOf(xml, 'title').map(unescaped)
        expect(channel).toBe(item)
        expect(printable(item)).toEqual(printable(text))
        expect(unescaped(unescaped(textsOf(xml, 'description')[1]))).toBe(item)
        expect(xml.match(/<item>/g)?.length).toBe(1)
        expect(xml.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('JSON Feed', () => {
  it('keeps to the rules of version 1.1', () => {
    expect(JSON.parse(jsonFeed(FEED))).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: FEED.title,
      home_page_url: FEED.pageUrl,
      feed_url: FEED.feedUrl,
      description: FEED.description,
      language: 'en',
      items: [
        {
          id: ITEM.id,
          url: ITEM.url,
          title: ITEM.title,
          content_text: ITEM.text,
          date_published: '2026-05-03T09:30:00.000Z',
        },
      ],
    })
  })

  it('has content in every item, and no date or language that nobody knows', () => {
    const { language, items } = JSON.parse(jsonFeed(UNDATED))
    expect(language).toBeUndefined()
    expect(items).toEqual([{ id: ITEM.id, url: ITEM.url, title: ITEM.title, content_text: ITEM.title }])
  })
})

describe('an item', () => {
  const itemOf = (hit: object, result: object = {}) =>
    // A test needs no more of a result than its hit.
    feedItemsOf({ results: [{ hit, ...result }] } as unknown as Parameters<typeof feedItemsOf>[0])[0]

  it.each([
    [
      'of the web',
      { kind: 'web', description: 'About tides', publishedAt: 5 },
      { text: 'About tides', publishedAt: 5 },
    ],
    [
      'that is a video',
      { kind: 'video', publisher: 'Channel', publishedAt: undefined },
      { text: 'Channel', publishedAt: undefined },
    ],
    [
      'of a day that no calendar has',
      { kind: 'web', description: 'Then', publishedAt: 9e15 },
      { publishedAt: undefined },
    ],
    ['without a title', { kind: 'web', title: '', description: '' }, { title: 'https://www.example.org/tides' }],
  ])('%s has what is known of it', (_what, hit, expected) => {
    const item = itemOf({ title: 'Tides', url: 'https://www.example.org/tides', ...hit })
    expect(item).toMatchObject({ id: 'example.org/tides', url: 'https://www.example.org/tides', ...expected })
  })

  it('is not taken for another picture of its page, nor for another page when a rule changes its address', () => {
    const url = 'https://www.example.org/tides'
    const pictures = ['https://a.example/1.png', 'https://a.example/2.png']
    expect(pictures.map((thumbnailUrl) => itemOf({ kind: 'image', title: 'Tides', url, thumbnailUrl }))).toEqual([
      { id: `example.org/tides ${pictures[0]}`, url, title: 'Tides', text: '', publishedAt: undefined },
      { id: `example.org/tides ${pictures[1]}`, url, title: 'Tides', text: '', publishedAt: undefined },
    ])
    const rewritten = { kind: 'web', title: 'Tides', url: 'https://front.example/tides', description: '' }
    expect(itemOf(rewritten, { originalUrl: url })).toMatchObject({ id: 'example.org/tides', url: rewritten.url })
  })
})
