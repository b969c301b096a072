import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { brave } from './brave.ts'

const { web, images, news, videos } = brave.tabs
const QUERY: EngineQuery = { text: 'bowrbird', page: 1, safe: true, date: undefined, lang: '', now: 1_794_700_000_000 }

const SETTINGS = { apiKey: 'k', baseUrl: '' }

const parametersIn = (path = '') => Object.fromEntries(new URL(path, 'https://provider.example').searchParams)

const parametersFor = (change: Partial<EngineQuery>) =>
  parametersIn(web?.request({ ...QUERY, ...change }, SETTINGS).path)

const pageOf = (body: unknown) => web?.parse({ status: 200, headers: {}, body: JSON.stringify(body) }, QUERY)

const refusalOf = (status: number, error: unknown, headers = {}) => {
  try {
    web?.parse({ status, headers, body: JSON.stringify(error) }, QUERY)
  } catch (thrown) {
    return thrown
  }
  return undefined
}

describe('brave web request', () => {
  it('is the documented one, with the key in its header', () => {
    expect(web?.request({ ...QUERY, text: 'a b' }, SETTINGS)).toEqual({
      path:
        '/res/v1/web/search?q=a%20b&count=10&offset=0&safesearch=strict&country=ALL&spellcheck=true' +
        '&text_decorations=false&result_filter=web%2Cquery',
      headers: { accept: 'application/json', 'x-subscription-token': 'k' },
    })
  })

  it('takes days instead of a time range', () => {
    const [dateFrom, dateTo] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 9)]
    expect(parametersFor({ dateFrom, dateTo })).toMatchObject({ freshness: '2026-11-01to2026-11-09' })
    expect(parametersFor({ dateTo })).toMatchObject({ freshness: '1970-01-01to2026-11-09' })
    expect(parametersFor({ dateFrom })).toMatchObject({ freshness: '2026-11-01to2026-11-14' })
    // The later of the two.
    expect(parametersFor({ dateFrom, date: 'd' })).toMatchObject({ freshness: '2026-11-13to2026-11-14' })
  })

  it('counts pages from 0 and never beyond 9', () => {
    expect(parametersFor({ page: 3 })).toMatchObject({ offset: '2', count: '10' })
    expect(web?.lastPage).toBe(10)
  })

  it.each([
    ['d', 'pd'],
    ['w', 'pw'],
    ['m', 'pm'],
    ['y', 'py'],
  ] as const)('calls the time range %s %s', (date, freshness) => {
    expect(parametersFor({ date })).toMatchObject({ freshness })
  })

  it.each([
    ['de', 'de', 'ALL'],
    ['de-AT', 'de', 'AT'],
    ['en-GB', 'en-gb', 'GB'],
    ['en-us', 'en', 'US'],
    ['ja', 'jp', 'ALL'],
    ['ja-JP', 'jp', 'JP'],
    ['no', 'nb', 'ALL'],
    ['nn-NO', 'nb', 'NO'],
    ['pt', 'pt-pt', 'ALL'],
    ['pt-BR', 'pt-br', 'BR'],
    ['zh', 'zh-hans', 'ALL'],
    ['zh-TW', 'zh-hant', 'TW'],
    ['zh-HK', 'zh-hant', 'HK'],
    ['zh-Hant', 'zh-hant', 'ALL'],
    ['zh-Hans-HK', 'zh-hans', 'HK'],
    ['sr-Latn-RS', 'sr', 'ALL'],
    ['es-419', 'es', 'ALL'],
    ['tlh', undefined, 'ALL'],
    ['', undefined, 'ALL'],
  ])('takes %j for search_lang %s in country %s', (lang, language, country) => {
    const parameters = parametersFor({ lang })
    expect(parameters['search_lang']).toBe(language)
    expect(parameters['country']).toBe(country)
  })

  it('turns the safe filter off only with safe=off', () => {
    expect(parametersFor({ safe: false })).toMatchObject({ safesearch: 'off' })
  })
})

describe('brave web reply', () => {
  it('gives title, description, icon, date and sitelinks as plain text', () => {
    expect(web?.parse(readFixture('brave-web-page'), QUERY).hits[0]).toEqual({
      title: 'Bowers & nests: a field guide',
      url: 'https://birds.example.org/bowers',
      description: "A bower isn't a nest: it is built to be looked at, of sticks < 30 cm.",
      faviconUrl: 'https://imgs.search.brave.com/fav/birds',
      publishedAt: Date.UTC(2026, 10, 12, 8),
      sitelinks: [
        { title: 'Satin & regent', url: 'https://birds.example.org/satin' },
        { title: 'Sound archive', url: 'https://birds.example.org/sounds' },
      ],
    })
  })

  it('corrects only when something else was searched for', () => {
    expect(web?.parse(readFixture('brave-web-page'), QUERY).correction).toBe('bowerbird nests')
    expect(pageOf({ type: 'search', query: { original: 'Python ', altered: 'python' } })?.correction).toBe('')
    expect(pageOf({ type: 'search', query: { original: 'python', altered: null } })?.correction).toBe('')
  })

  it('is malformed when it is another kind of answer', () => {
    expect(() => pageOf({ type: 'images', results: [] })).toThrow(UpstreamError)
  })
})

describe('brave refusal', () => {
  it.each(['SUBSCRIPTION_TOKEN_INVALID', 'SUBSCRIPTION_NOT_FOUND'])('%s concerns the key, not the query', (code) => {
    expect(refusalOf(422, { error: { code } })).toMatchObject({ kind: 'rejected', isQueryFault: false })
    expect(refusalOf(404, { errors: [{ code }] })).toMatchObject({ kind: 'rejected', isQueryFault: false })
  })

  it('of the query itself is the searcher’s fault', () => {
    const error = { code: 'VALIDATION', meta: { errors: [{ loc: ['query', 'q'], type: 'too_long' }] } }
    expect(refusalOf(422, { error })).toMatchObject({ kind: 'rejected', isQueryFault: true })
  })

  it('of any other parameter is ours', () => {
    const error = { code: 'VALIDATION', meta: { errors: [{ loc: ['header', 'x-subscription-token'] }] } }
    expect(refusalOf(422, { error })).toMatchObject({ kind: 'rejected', isQueryFault: false })
  })

  it('for too many calls says when the second or the month is over', () => {
    const headers = { 'x-ratelimit-reset': '1, 1419704' }
    expect(refusalOf(429, { error: { code: 'RATE_LIMITED' } }, headers)).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 1,
    })
    expect(refusalOf(429, { error: { code: 'QUOTA_LIMITED' } }, headers)).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 1_419_704,
    })
  })

  it('for too many calls goes by Retry-After where there is one', () => {
    const headers = { 'x-ratelimit-reset': '1, 1419704', 'retry-after': '30' }
    expect(refusalOf(429, { error: { code: 'RATE_LIMITED' } }, headers)).toMatchObject({ retryAfterSeconds: 30 })
  })
})

describe('brave images', () => {
  const pictures = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      title: `Picture ${index + 1}`,
      url: `https://photos.example/${index + 1}`,
      thumbnail: { src: `https://imgs.search.brave.com/t/${index + 1}` },
    }))
  const titlesOn = (page: number, results: unknown[]) =>
    images
      ?.parse({ status: 200, headers: {}, body: JSON.stringify({ type: 'images', results }) }, { ...QUERY, page })
      .hits.map(({ title }) => title)

  it('are requested without page, time range or decorations', () => {
    expect(images?.request({ ...QUERY, date: 'w', lang: 'ja-JP' }, SETTINGS).path).toBe(
      '/res/v1/images/search?q=bowrbird&count=10&safesearch=strict&country=JP&search_lang=jp&spellcheck=true',
    )
  })

  it('of page p are the last 10 of the best p × 10, up to 200', () => {
    expect(images?.lastPage).toBe(20)
    expect(parametersIn(images?.request({ ...QUERY, page: 3 }, SETTINGS).path)).toMatchObject({ count: '30' })
    expect(parametersIn(images?.request({ ...QUERY, page: 20 }, SETTINGS).path)).toMatchObject({ count: '200' })
    expect(titlesOn(2, pictures(20))?.[0]).toBe('Picture 11')
    expect(titlesOn(2, pictures(20))?.length).toBe(10)
    expect(titlesOn(3, pictures(24))).toEqual(['Picture 21', 'Picture 22', 'Picture 23', 'Picture 24'])
    expect(titlesOn(3, pictures(20))).toEqual([])
  })

  it('fall back on the picture itself, and are dropped without one', () => {
    const page = images?.parse(readFixture('brave-images-page'), QUERY)
    expect(page?.hits.map(({ thumbnailUrl }) => thumbnailUrl)).toEqual([
      'https://imgs.search.brave.com/t/satin',
      'https://cdn.journal.example/plate-2.png',
      'https://imgs.search.brave.com/t/regent',
    ])
    expect(page?.correction).toBe('bowerbird')
    expect(images?.parse(readFixture('brave-images-bare'), QUERY).hits.length).toBe(3)
  })
})

describe('brave news', () => {
  it('are requested by page and time range', () => {
    expect(news?.request({ ...QUERY, page: 2, date: 'd', safe: false }, SETTINGS).path).toBe(
      '/res/v1/news/search?q=bowrbird&count=10&offset=1&freshness=pd&safesearch=off&country=ALL&spellcheck=true',
    )
  })

  it('name the publisher, else its site, and show no logo for a picture', () => {
    expect(news?.parse(readFixture('brave-news-page'), QUERY).hits).toMatchObject([
      {
        description: 'The keys were found in a bower, beside 40 bottle caps.',
        publishedAt: Date.UTC(2026, 10, 14, 12, 30),
        publisher: 'The Example Gazette',
        thumbnailUrl: 'https://imgs.search.brave.com/t/keys',
      },
      { publisher: 'herald.example', thumbnailUrl: '' },
      { publisher: 'museum.example', publishedAt: undefined },
    ])
  })
})

describe('brave videos', () => {
  it('are requested by page and time range', () => {
    expect(videos?.request({ ...QUERY, page: 10, date: 'y' }, SETTINGS).path).toBe(
      '/res/v1/videos/search?q=bowrbird&count=10&offset=9&freshness=py&safesearch=strict&country=ALL&spellcheck=true',
    )
  })

  it('say how long they are and whose: the channel, else the platform', () => {
    expect(videos?.parse(readFixture('brave-videos-page'), QUERY).hits).toMatchObject([
      { publisher: 'Bower Channel', durationSeconds: 13_500, publishedAt: Date.UTC(2025, 1, 12) },
      { publisher: 'Stick by Stick', durationSeconds: 225, thumbnailUrl: '' },
      { publisher: 'Forest Live', durationSeconds: undefined },
    ])
  })

  it('are malformed as an answer to another search', () => {
    expect(() => videos?.parse(readFixture('brave-news-page'), QUERY)).toThrow(
      expect.objectContaining({ kind: 'malformed' }),
    )
  })
})

describe('brave suggest', () => {
  it('costs a tenth of a search', () => {
    expect(brave.suggest?.priceFactor).toBe(0.1)
  })

  it.each([
    ['', {}],
    ['ja-JP', { lang: 'jp', country: 'JP' }],
    ['pt-BR', { lang: 'pt-br', country: 'BR' }],
    ['zh', { lang: 'zh-hans' }],
    ['tlh', {}],
  ])('calls the language %j %j', (lang, named) => {
    const { path } = brave.suggest?.request({ text: 'bower', lang }, SETTINGS) ?? {}
    expect(parametersIn(path)).toEqual({ q: 'bower', count: '10', ...named })
  })

  it('gives the completions as plain text, in order', () => {
    expect(brave.suggest?.parse(readFixture('brave-suggest-page'))).toEqual([
      'bowerbird',
      'bowerbird nest & bower',
      'bower meaning',
    ])
  })

  it('without their own subscription are refused like a bad key', () => {
    expect(() => brave.suggest?.parse(readFixture('brave-suggest-refusal'))).toThrow(
      expect.objectContaining({ kind: 'rejected', isQueryFault: false }),
    )
  })
})
