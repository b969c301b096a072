import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery, ProviderReply } from '../engine.ts'
import { DOCUMENT_ENGINES } from './all.ts'
import { checkDocument } from './check-document.ts'
import { engineFrom } from './engine-from.ts'
import { extended } from './extend-document.ts'

const WEB = {
  paging: { by: 'request', lastPage: 5 },
  request: { path: '/search', query: { q: '${query}', page: '${page}' } },
  reply: { results: '/results', hit: { title: '/title', url: '/url' } },
}

interface Changes {
  document?: object
  web?: object
  request?: object
  reply?: object
}

/** An engine of a document with these changes, which must be valid. */
function engineWith({ document = {}, web = {}, request = {}, reply = {} }: Changes) {
  const checked = checkDocument({
    bowerbird: 1,
    slug: 'example',
    name: 'Example',
    homepage: 'https://engine.example',
    terms: { cacheSeconds: 60, asOf: '2026-11-16' },
    tabs: { web: { ...WEB, request: { ...WEB.request, ...request }, reply: { ...WEB.reply, ...reply }, ...web } },
    ...document,
  })
  if (!checked.ok) throw new Error(JSON.stringify(checked.mistakes))
  return engineFrom(checked.document)
}

const requestOf = (changes: Changes, query: EngineQuery, settings: Record<string, string> = {}) =>
  engineWith(changes).tabs.web?.request(query, { baseUrl: '', ...settings })

const SETTINGS = { baseUrl: 'http://10.0.0.7:8000', linkUrl: 'https://mine.example/app/' }
const reply = (body: unknown, status = 200): ProviderReply => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const pageOf = (changes: Changes, body: unknown, { status = 200, query = ANY } = {}) =>
  engineWith(changes).tabs.web?.parse(reply(body, status), query, SETTINGS)
const hitOf = (hit: object, result: object, around: object = {}) =>
  pageOf(
    { reply: { hit: { ...WEB.reply.hit, ...hit }, ...around } },
    { results: [{ url: 'https://a.example/', ...result }] },
  )?.hits[0]

describe('the request of a document', () => {
  const RANGE = { since: '${since.date}', until: '${until.seconds}' }
  const pathFor = (query: Record<string, string>, web: object, asked: Partial<EngineQuery>) =>
    requestOf({ request: { query: { q: '${query}', page: '${page}', ...query } }, web }, { ...ANY, ...asked })?.path

  it('has both ends of a range of dates, if the provider takes them', () => {
    const web = { honours: ['date'], takesDateRange: true }
    expect(pathFor(RANGE, web, BOUNDS)).toMatch(/&since=2026-11-01&until=1794182400$/)
    expect(pathFor(RANGE, web, { ...BOUNDS, date: 'w' })).toMatch(/&since=2026-11-08&/)
    expect(pathFor({ since: '${since.date}' }, { honours: ['date'] }, BOUNDS)).not.toContain('since')
  })

  it('has the domains, with commas in an address and as a list in a body', () => {
    const domains = { is: '${domains}', only: '${domains.only}', not: '${notDomains}' }
    const several = { includeDomains: ['a.org', 'b.org'], excludeDomains: ['c.a.org'] }
    expect(pathFor(domains, {}, several)).toMatch(/&is=a\.org%2Cb\.org&not=c\.a\.org$/)
    expect(pathFor(domains, {}, { includeDomains: ['a.org'] })).toMatch(/&is=a\.org&only=a\.org$/)
    expect(pathFor(domains, {}, { includeDomains: [] })).toMatch(/&page=1$/)
    const body = { q: '${query}', page: '${page}', ...domains }
    const sent = requestOf({ request: { method: 'POST', query: undefined, body } }, { ...ANY, ...several })?.body
    expect(JSON.parse(sent ?? '')).toMatchObject({ is: ['a.org', 'b.org'], not: ['c.a.org'] })
  })

  it('has every variable, percent-encoded, and leaves out what has no value', () => {
    const query = {
      q: 'v=${query}',
      page: '${page}',
      page0: '${page0}',
      offset: '${offset}',
      offset1: '${offset1}',
      count: '${count}',
      upTo: '${upTo}',
      lang: '${lang}',
      base: '${lang.base}',
      region: '${lang.region}',
      iso: '${since.iso}',
      day: '${since.date}',
      seconds: '${since.seconds}',
      ms: '${since.ms}',
      literal: '$${query}',
    }
    const changes = { request: { query }, web: { honours: ['date', 'lang'] } }
    expect(requestOf(changes, QUERY)?.path).toBe(
      '/search?q=v%3Doak%20tree&page=2&page0=1&offset=10&offset1=11&count=10&upTo=20&lang=de-AT&base=de&region=AT' +
        '&iso=2026-11-08T00%3A00%3A00.000Z&day=2026-11-08&seconds=1794096000&ms=1794096000000&literal=%24%7Bquery%7D',
    )
    expect(requestOf(changes, ANY)?.path).toBe(
      '/search?q=v%3Doak%20tree&page=1&page0=0&offset=0&offset1=1&count=10&upTo=10&literal=%24%7Bquery%7D',
    )
  })

  it('has a body of JSON that a query cannot break out of, in which numbers stay numbers', () => {
    const body = {
      q: '${query}',
      from: '${offset}',
      filter: [{ $by: 'date', '*': { since: '${since.seconds}' } }],
      level: { $by: 'safe', on: 2, off: 0 },
    }
    const changes = { request: { method: 'POST', query: {}, body }, web: { honours: ['date', 'safe'] } }
    const text = '","admin":true,"x":"'
    expect(JSON.parse(requestOf(changes, { ...QUERY, text })?.body ?? '')).toEqual({
      q: text,
      from: 10,
      filter: [{ since: 1_794_096_000 }],
      level: 2,
    })
    expect(JSON.parse(requestOf(changes, ANY)?.body ?? '')).toEqual({ q: 'oak tree', from: 0, filter: [], level: 0 })
  })

  it('chooses by the tag, by its base language, and otherwise by *', () => {
    const code = { $by: 'lang', 'de-AT': 'aut', de: 'deu', '*': '${lang.base}', '': 'all' }
    const changes = { request: { query: { ...WEB.request.query, code } }, web: { honours: ['lang'] } }
    const codeOf = (lang: string) => requestOf(changes, { ...ANY, lang })?.path.split('code=')[1]
    expect([codeOf('de-AT'), codeOf('de-CH'), codeOf('fr'), codeOf('')]).toEqual(['aut', 'deu', 'fr', 'all'])
  })

  it('takes the regions and operators that it declares, and passes the region on', () => {
    const query = { ...WEB.request.query, gl: '${region.lower}', country: '${region}' }
    const changes = { request: { query }, web: { regions: ['AT', 'CH'], operators: ['quotes'] } }
    expect(requestOf(changes, { ...ANY, region: 'AT' })?.path).toBe('/search?q=oak%20tree&page=1&gl=at&country=AT')
    expect(requestOf(changes, ANY)?.path).toBe('/search?q=oak%20tree&page=1')
    const { web } = engineWith(changes).tabs
    expect([web?.takesRegion?.('CH', ''), web?.takesRegion?.('DE', ''), web?.operators]).toEqual([
      true,
      false,
      ['quotes'],
    ])
  })

  it('keeps a setting in the path one segment', () => {
    const changes = { document: { settings: { index: {} } }, request: { path: '/i/${setting.index}/s' } }
    expect(requestOf(changes, ANY, { index: 'a/../b?c#d' })?.path).toBe('/i/a%2F..%2Fb%3Fc%23d/s?q=oak%20tree&page=1')
    for (const index of ['..', '.']) {
      expect(() => requestOf(changes, ANY, { index })).toThrow(expect.objectContaining({ kind: 'rejected' }))
    }
  })

  it.each([
    [{ bearer: 'apiKey' }, { authorization: 'Bearer k' }],
    [{ header: 'x-api-key', secret: 'apiKey' }, { 'x-api-key': 'k' }],
    [{ header: 'authorization', prefix: 'Token ', secret: 'apiKey' }, { authorization: 'Token k' }],
    [{ basic: { user: 'user', password: 'apiKey' } }, { authorization: `Basic ${btoa('ada:k')}` }],
  ])('has the credentials of %j', (auth, headers) => {
    const changes = { document: { auth, settings: { user: { default: '' } } } }
    expect(requestOf(changes, ANY, { apiKey: 'k', user: 'ada' })?.headers).toEqual({
      accept: 'application/json',
      ...headers,
    })
  })

  it('has a key in the query where a provider takes it nowhere else, and none where an optional one is not set', () => {
    const changes = { document: { auth: { query: 'key', secret: 'apiKey', optional: true } } }
    expect(requestOf(changes, ANY, { apiKey: 'k&x' })?.path).toBe('/search?q=oak%20tree&page=1&key=k%26x')
    expect(requestOf(changes, ANY, { apiKey: '' })?.path).toBe('/search?q=oak%20tree&page=1')
  })

  it('never has a line break in a header', () => {
    const changes = { document: { settings: { user: {} } }, request: { headers: { 'x-user': '${setting.user}' } } }
    expect(requestOf(changes, ANY, { user: 'ada' })?.headers).toMatchObject({ 'x-user': 'ada' })
    expect(() => requestOf(changes, ANY, { user: 'a\r\nx-evil: 1' })).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })
})

describe('the settings of a document', () => {
  it('are named after its slug; a service of the operator has an address for readers', () => {
    const { settings } = engineWith({
      document: {
        auth: { bearer: 'apiKey' },
        settings: { indexName: { default: 'web' }, mode: { default: 'a', oneOf: ['a', 'b'] } },
      },
    })
    expect(settings).toEqual({
      apiKey: { env: 'EXAMPLE_API_KEY', isSecret: true, fallback: undefined },
      indexName: { env: 'EXAMPLE_INDEX_NAME', isSecret: false, fallback: 'web' },
      mode: { env: 'EXAMPLE_MODE', isSecret: false, fallback: 'a', oneOf: ['a', 'b'] },
      linkUrl: { env: 'EXAMPLE_LINK_URL', isSecret: false, fallback: '' },
      baseUrl: { env: 'EXAMPLE_URL', isSecret: false, fallback: undefined },
    })
  })

  it('of a public engine are its address and its key', () => {
    const { settings } = engineWith({ document: { baseUrl: 'https://api.engine.example' } })
    expect(settings).toEqual({
      baseUrl: { env: 'EXAMPLE_URL', isSecret: false, fallback: 'https://api.engine.example' },
    })
  })

  it('a private engine is marked, and cached only in memory', () => {
    const { isPrivate, terms } = engineWith({ document: { private: true } })
    expect({ isPrivate, cacheIn: terms.cacheIn }).toEqual({ isPrivate: true, cacheIn: 'memory' })
  })
})

describe('a value', () => {
  it('is the first that is not empty', () => {
    expect(hitOf({ title: ['/a', '/b', '/c'] }, { a: null, b: ' ', c: 'third' })?.title).toBe('third')
  })

  it('is joined from every element; a number becomes text', () => {
    expect(
      hitOf({ title: { from: '/title/*/value', join: '' } }, { title: [{ value: 'oak' }, { value: 7 }] })?.title,
    ).toBe('oak7')
    expect(hitOf({ description: '/lines' }, { lines: ['one', 'two'] })?.description).toBe('one … two')
    expect(hitOf({ description: { from: '/marks/*/0' } }, { marks: { a: ['x', 'y'], b: ['z'] } })?.description).toBe(
      'x … z',
    )
  })

  it('follows ~1 and ~0, and reaches nothing but own members', () => {
    expect(hitOf({ title: '/formats/image~1jpeg' }, { formats: { 'image/jpeg': 'yes' } })?.title).toBe('yes')
    for (const pointer of ['/constructor/name', '/__proto__/a', '/list/length', '/list/-1', '/list/01']) {
      expect(hitOf({ title: pointer }, { list: [1] })?.title).toBe('')
    }
  })

  it('is looked up by key, by position, or where two are equal', () => {
    const body = {
      results: [{ id: 7, url: 'https://a.example/' }],
      byId: { 7: { text: ['by key'] } },
      inOrder: [{ text: 'by index' }],
      topics: [{ id: 3 }, { id: 7, title: 'by equal ids' }],
    }
    const titleOf = (title: object) => pageOf({ reply: { hit: { title, url: '/url' } } }, body)?.hits[0]?.title
    expect(titleOf({ in: '#/byId', key: '/id', take: '/text/0' })).toBe('by key')
    expect(titleOf({ in: '#/inOrder', index: true, take: '/text' })).toBe('by index')
    expect(titleOf({ in: '#/topics', where: '/id', is: '/id', take: '/title' })).toBe('by equal ids')
  })

  it('is built: encoded as a segment, as a path, or not at all', () => {
    const urlOf = (template: string, result: object, around: object = {}) =>
      hitOf({ url: { template } }, { url: null, ...result }, around)?.url
    expect(urlOf('${link}/d/${/id}', { id: 'a/b c' })).toBe('https://mine.example/app/d/a%2Fb%20c')
    expect(urlOf('${link}/d/${/id:path}', { id: 'a/b c' })).toBe('https://mine.example/app/d/a/b%20c')
    expect(urlOf('https://x.example/${/id:raw}', { id: 'a?b=c' })).toBe('https://x.example/a?b=c')
    const kind = { from: '/kind', map: { 0: 'helm' } }
    expect(urlOf('${link}/${kind}/${/id}', { id: 1, kind: 0 }, { let: { kind } })).toBe(
      'https://mine.example/app/helm/1',
    )
    expect(() => urlOf('${link}/d/${/id}', { id: null })).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it('is what follows the last mark', () => {
    expect(hitOf({ title: { from: '/uri', after: '/' } }, { uri: 'at://did/post/3k' })?.title).toBe('3k')
  })

  it('is read from Markdown or HTML', () => {
    expect(hitOf({ description: '/text' }, { text: 'an <em>oak</em> &amp; more' })?.description).toBe('an oak & more')
    expect(
      hitOf({ description: { from: '/text', markup: 'markdown' } }, { text: '# Oak\n[tree](https://x.example)' })
        ?.description,
    ).toBe('Oak tree')
  })

  it('is a date in any common form, or in a unit that is said', () => {
    const dateOf = (publishedAt: unknown, date: unknown) => hitOf({ publishedAt }, { date })?.publishedAt
    const time = Date.UTC(2026, 10, 14)
    expect(dateOf('/date', '2026-11-14')).toBe(time)
    expect(dateOf('/date', time / 1000)).toBe(time)
    expect(dateOf({ from: '/date', unit: 'ms' }, time)).toBe(time)
    expect(dateOf('/date', 'Sat, 14 Nov 2026 00:00:00 GMT')).toBe(time)
  })

  it('of a url: a leading slash is the origin of the address for readers, and what is no address is passed over', () => {
    expect(hitOf({}, { url: '/wiki/Oak' })?.url).toBe('https://mine.example/wiki/Oak')
    expect(hitOf({ url: ['/a', '/b'] }, { a: 'javascript:alert(1)', b: 'https://b.example/' })?.url).toBe(
      'https://b.example/',
    )
  })
})

describe('a paper of a document', () => {
  const paper = { authors: '/by/*/name', venue: '/in', year: '/on', doi: '/doi', citedBy: '/cited' }
  const hit = { ...WEB.reply.hit, description: '/text', paper }
  const result = {
    title: 'Heat',
    url: 'https://a.example/1',
    text: 'We <b>measured</b>.',
    by: [{ name: 'Noether, E.' }, { name: 'A. Lovelace' }],
  }
  const hitsIn = (tab: 'science' | 'web', ...results: object[]) =>
    engineWith({ document: { tabs: { [tab]: { ...WEB, reply: { results: '/results', hit } } } } }).tabs[tab]?.parse(
      reply({ results }),
      ANY,
      SETTINGS,
    ).hits
  const papersIn = (tab: 'science' | 'web', ...results: object[]) => hitsIn(tab, ...results)?.map(({ paper }) => paper)

  it('has what its fields say', () => {
    const known = { in: 'Journal', on: '1948-07-01', doi: 'doi:10.5555/Heat.1', cited: 12 }
    expect(papersIn('science', { ...result, ...known })).toEqual([
      {
        authors: ['Noether, E.', 'A. Lovelace'],
        authorCount: 2,
        venue: 'Journal',
        year: 1948,
        doi: '10.5555/heat.1',
        abstract: 'We measured.',
        citedBy: 12,
      },
    ])
    expect(papersIn('science', { url: result.url, by: 'A. One; B. Two', cited: '-1', on: '19480' })).toEqual([{}])
  })

  it('is described by its authors, its journal and its text', () => {
    const by = [{ name: 'Andr&eacute; Dupont' }, { name: 'Bo Lee' }]
    expect(hitsIn('science', { ...result, by, in: 'Journal' })?.[0]).toMatchObject({
      description: 'André Dupont, Bo Lee · Journal · We measured.',
      paper: { authors: ['André Dupont', 'Bo Lee'], authorCount: 2 },
    })
  })

  it('is one only in science', () => {
    expect(papersIn('web', result)).toEqual([undefined])
  })
})

describe('the reply of a document', () => {
  const RESULT = { title: 'Oak', url: 'https://a.example/' }

  it.each([
    ['', [RESULT]],
    ['/a/b', { a: { b: [RESULT] } }],
    ['/a', { a: { 1: RESULT } }],
    [['/a', '/b'], { b: [RESULT] }],
  ])('has its results at %j', (results, body) => {
    expect(pageOf({ reply: { results } }, body)?.hits).toHaveLength(1)
  })

  it('without its results is malformed, unless a condition says that nothing was found', () => {
    expect(() => pageOf({}, { error: 'oops' })).toThrow(expect.objectContaining({ kind: 'malformed' }))
    const mayLack = { mayLack: { at: '#/success', is: true } }
    expect(pageOf({ reply: mayLack }, { success: true })?.hits).toEqual([])
    expect(() => pageOf({ reply: mayLack }, { success: false })).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it('keeps what meets the conditions; a member that decides and is in no result is malformed', () => {
    const keep = { reply: { keep: [{ at: '/type', is: 'page' }] } }
    const results = [
      { ...RESULT, type: 'page' },
      { ...RESULT, type: 'user' },
    ]
    expect(pageOf(keep, { results })?.hits).toHaveLength(1)
    expect(pageOf(keep, { results: [results[1]] })?.hits).toEqual([])
    expect(() => pageOf(keep, { results: [RESULT] })).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it('tells which results became no hits, and why', () => {
    const { web } = engineWith({ reply: { keep: [{ at: '/type', isNot: 'user' }] } }).tabs
    const results = [RESULT, { ...RESULT, type: 'user' }, { title: 'No address', url: 'mailto:ada@a.example' }]
    expect(web?.explainDropped?.(reply({ results }), ANY, SETTINGS)).toEqual([
      'Result 2 does not meet the condition at /type in keep.',
      'Result 3 has no http(s) address in url.',
    ])
  })

  it('is cut where the provider has no pages', () => {
    const results = Array.from({ length: 25 }, (_, at) => ({ title: `${at}`, url: `https://a.example/${at}` }))
    const changes = { web: { paging: { by: 'cut', lastPage: 3 } }, request: { query: { q: '${query}' } } }
    const titlesOf = (page: number) =>
      pageOf(changes, { results }, { query: { ...ANY, page } })?.hits.map(({ title }) => title)
    expect(titlesOf(3)).toEqual(['20', '21', '22', '23', '24'])
  })

  it('may be one event of an event stream', () => {
    expect(pageOf({}, `event: message\ndata: ${JSON.stringify({ results: [RESULT] })}\n\n`)?.hits).toHaveLength(1)
  })

  it('is an error by status, by a member, or only on later pages', () => {
    const errors = [
      { status: 404, page: 'later', means: 'empty' },
      { status: 400, means: 'query' },
      { when: { at: '#/timed_out', is: true }, means: 'unreachable' },
      { when: { at: '#/code', is: 'slow' }, means: 'throttled', waitSeconds: '#/wait' },
    ]
    const failure = (body: unknown, status = 200) => {
      try {
        return pageOf({ reply: { errors } }, body, { status })
      } catch (error) {
        return error
      }
    }
    expect(pageOf({ reply: { errors } }, {}, { status: 404, query: { ...ANY, page: 2 } })?.hits).toEqual([])
    expect(failure({}, 404)).toMatchObject({ kind: 'rejected', isQueryFault: false })
    expect(failure('no JSON', 400)).toMatchObject({ kind: 'rejected', isQueryFault: true })
    expect(failure({ timed_out: true, results: [] })).toMatchObject({ kind: 'unreachable' })
    expect(failure({ code: 'slow', wait: 9, results: [] })).toMatchObject({ kind: 'throttled', retryAfterSeconds: 9 })
  })
})

describe('a feed', () => {
  const FEED = {
    as: 'feed',
    results: undefined,
    hit: { title: '/title', url: '/link', description: '/description', publishedAt: '/date' },
  }
  const item = (inner: string) =>
    `<?xml version="1.0"?><rss version="2.0"><channel><title>C</title>${inner}</channel></rss>`

  it('is RSS, with markup escaped, in CDATA or as elements', () => {
    const one = (description: string) =>
      `<item><title>Oak &amp; ash</title><link>https://a.example/?a=1&amp;b=2</link><pubDate>Sat, 14 Nov 2026 00:00:00 GMT</pubDate><description>${description}</description></item>`
    const body = item(one('an &lt;b&gt;oak&lt;/b&gt;') + one('<![CDATA[an <b>oak</b>]]>') + one('an <b>oak</b>'))
    const hits = pageOf({ reply: FEED }, body)?.hits ?? []
    expect(hits).toHaveLength(3)
    for (const hit of hits) {
      expect(hit).toMatchObject({
        title: 'Oak & ash',
        url: 'https://a.example/?a=1&b=2',
        description: 'an oak',
        publishedAt: Date.UTC(2026, 10, 14),
      })
    }
  })

  it('is Atom, whose alternate link is the page', () => {
    const body =
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Oak</title><link rel="self" href="https://a.example/feed"/>' +
      '<link rel="alternate" href="https://a.example/oak"/><summary>tall</summary><updated>2026-11-14T00:00:00Z</updated></entry></feed>'
    expect(pageOf({ reply: FEED }, body)?.hits[0]).toMatchObject({
      title: 'Oak',
      url: 'https://a.example/oak',
      description: 'tall',
    })
  })

  it('without items is empty, and anything else is malformed', () => {
    expect(pageOf({ reply: FEED }, item(''))?.hits).toEqual([])
    for (const body of ['{}', '<html></html>', '<rss version="2.0"><channel>', '']) {
      expect(() => pageOf({ reply: FEED }, body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
    }
  })
})

describe('completions of a document', () => {
  const suggest = { request: { path: '/complete', query: { q: '${query}' } }, list: '/1' }

  it('are a list of texts', () => {
    const { suggest: made } = engineWith({ document: { suggest } })
    expect(made?.request({ text: 'oa', lang: '' }, { baseUrl: '' }).path).toBe('/complete?q=oa')
    expect(made?.parse(reply(['oa', ['oak', 'oats']]))).toEqual(['oak', 'oats'])
    expect(() => made?.parse(reply({ error: 1 }))).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})

describe('another Bowerbird', () => {
  const viaOf = (document: object) => engineWith({ document }).tabs.web?.request(ANY, SETTINGS).headers?.['via']

  it('is called by a name that it recognises, whatever its slug is, and nobody else is', () => {
    expect(viaOf({ isBowerbird: true })).toBe('1.1 bowerbird')
    expect(engineWith({ document: { isBowerbird: true } }).isBowerbird).toBe(true)
    expect(viaOf({})).toBeUndefined()
  })
})

describe('extends', () => {
  it('merges members, replaces lists, and removes what is null', () => {
    const base = { slug: 'base', list: [1, 2], deep: { a: 1, b: 2 } }
    const document = { extends: 'base', slug: 'notes', list: [3], deep: { a: null, c: 3 } }
    expect(extended(document, [base])).toEqual({ slug: 'notes', list: [3], deep: { b: 2, c: 3 } })
    expect(extended({ extends: 'nothing' }, [base])).toEqual({ extends: 'nothing' })
  })
})

describe('karakeep', () => {
  it('leads to the bookmark, and for a note or a file to its page in Karakeep', () => {
    const karakeep = DOCUMENT_ENGINES.find(({ slug }) => slug === 'karakeep')
    const page = karakeep?.tabs.web?.parse(readFixture('karakeep-web-page'), ANY, SETTINGS)
    expect(page?.hits.map(({ title, url }) => [title, url])).toEqual([
      ['Heat pumps', 'https://warmth.example/heat-pump'],
      ['Note on the heating', 'https://mine.example/app/dashboard/preview/k2'],
      ['offer.pdf', 'https://mine.example/app/dashboard/preview/k3'],
    ])
  })
})
