import { brave } from '@bowerbird/engines/web/brave.ts'
import { mojeek } from '@bowerbird/engines/web/mojeek.ts'
import { describe, expect, it } from 'vitest'
import { ADMIN, type Browser, expectPage, openSiteStage, type PageView, type SiteStubs } from '../site.test-harness.ts'
import { statusPage } from '../status/status-page.ts'
import { homePage } from './home-page.ts'
import { imageDetailPage } from './image-detail-page.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedSearch } from './search.test-harness.ts'

const PAGES = [homePage, resultsPage, imageDetailPage]
const pictures: SiteStubs['pictures'] = {
  signedPath: (address, kind) => `/picture/${kind}/${encodeURIComponent(address)}`,
  find: () => undefined,
}
const named = (name: string) => ({ ...mojeek, slug: name.toLowerCase(), name })

interface Scene {
  engines?: Behaviours
  slots?: Parameters<typeof openStagedSearch>[1]
  services?: Partial<SiteStubs>
}

async function open({ engines, slots, services }: Scene = {}): Promise<Browser & { calls: string[] }> {
  const { search, calls } = openStagedSearch(engines, slots)
  const stage = await openSiteStage({ search, ...services }, PAGES)
  return { ...stage.browser(), calls }
}

const EMPTY: Behaviours = { brave: { fixture: 'brave-web-empty' }, mojeek: { fixture: 'mojeek-web-empty' } }
const DOWN = { fails: 'unreachable' } as const
const LATE = { fails: 'timeout' } as const

interface Case extends Scene, PageView {
  it: string
  path: string
  headers?: Record<string, string>
  /** The cookie of preferences. */
  preferences?: string
}

describe('GET /search', () => {
  it.each<Case>([
    {
      it: 'shows a result’s address, title, snippet, engines and rank',
      path: '/search?q=bowers',
      shows: [
        '<b>birds.example.org</b> › bowers',
        'href="https://birds.example.org/bowers"',
        'Bowers &amp; nests: a field guide',
        'A bower isn&#39;t a nest: it is built to be looked at, of sticks &lt; 30 cm.',
        'Found by Brave. Why this result?',
        '<i class="dot on"></i><i class="dot"></i>',
        '<th scope="row">Brave</th><td>+0.0769</td>',
      ],
    },
    { it: 'has a list of news', path: '/search?q=a&tab=news', shows: ['results-news'] },
    { it: 'has a list of videos', path: '/search?q=a&tab=videos', shows: ['results-videos'] },
    {
      it: 'has a grid of images, and credits those whose terms require it',
      path: '/search?q=a&tab=images&lang=de',
      shows: ['image-grid', 'Results from Brave Search', 'Openly licensed images from Openverse'],
    },
    {
      it: 'offers science or code only if an engine serves it',
      path: '/search?q=a',
      shows: ['<a href="/search?q=a&amp;tab=science">Science</a>'],
      hides: ['tab=code'],
    },
    {
      it: 'offers the countries that an engine of the tab can favour',
      path: '/search?q=a&region=at',
      shows: ['<select name="region" aria-label="Region" class="on">', '<option value="AT" selected>Austria</option>'],
      hides: ['The region has no effect'],
    },
    {
      it: 'says whose results a country has no effect on',
      path: '/search?q=a&region=IS',
      shows: ['<p>The region has no effect on the results of Brave.</p>'],
    },
    { it: 'offers no countries for papers', path: '/search?q=a&tab=science', hides: ['name="region" aria-label'] },
    {
      it: 'offers a spelling correction',
      path: '/search?q=bowrbird&lang=en',
      shows: ['>Did you mean <a href="/search?q=bowerbird+nests&amp;lang=en" dir="auto">bowerbird nests</a>?</p>'],
    },
    {
      it: 'asks in German as German asks',
      path: '/search?q=bowrbird',
      headers: { 'accept-language': 'de' },
      shows: [/>Meinten Sie <a[^>]*>bowerbird nests<\/a>\?/],
    },
    {
      it: 'asks in Spanish as Spanish asks',
      path: '/search?q=bowrbird',
      headers: { 'accept-language': 'es' },
      shows: [/>¿Quiso decir <a[^>]*>bowerbird nests<\/a>\?/],
    },
    {
      it: 'asks in French as French asks',
      path: '/search?q=bowrbird',
      headers: { 'accept-language': 'fr' },
      shows: [/>Vouliez-vous dire <a[^>]*>bowerbird nests<\/a>\u202f\?/],
    },
    {
      it: 'names the missing engine and the ones that answered, in one line',
      path: '/search?q=a',
      engines: { mojeek: LATE },
      shows: ['Mojeek did not answer in time; these results are from Brave.'],
    },
    {
      it: 'lists two failures with “and”',
      path: '/search?q=a',
      engines: { mojeek: LATE, other: DOWN },
      slots: { engine_a: [brave], engine_b: [mojeek], engine_c: [named('Other')] },
      shows: ['Mojeek did not answer in time and Other could not be reached; these results are from Brave.'],
    },
    {
      it: 'names the engines of one slot as the language lists them',
      path: '/search?q=a',
      headers: { 'accept-language': 'de' },
      engines: { mojeek: DOWN, other: DOWN, third: DOWN },
      slots: { engine_a: [mojeek, named('Other'), named('Third')] },
      status: 503,
      shows: ['<p>Mojeek, Other und Third'],
    },
    {
      it: 'explains each engine’s failure and says when to try again',
      path: '/search?q=a',
      engines: {
        brave: { fails: 'throttled', retryAfterSeconds: 30 },
        mojeek: { fails: 'malformed', retryAfterSeconds: 20 },
      },
      status: 503,
      shows: [
        'No search engine responded',
        'Brave is rate-limiting this site.',
        'Mojeek sent a response that could not be read.',
        'Try again in 20 seconds.',
      ],
    },
    {
      it: 'keeps the query, the tab and the filters over the limit, and offers to try again',
      path: '/search?q=bowers&tab=news&date=w',
      services: { consume: async () => 9 },
      status: 429,
      shows: [
        'name="q" value="bowers"',
        '<a href="/search?q=bowers&amp;tab=videos&amp;date=w">Videos</a>',
        '<option value="w" selected>',
        'href="/search?q=bowers&amp;tab=news&amp;date=w">Try again</a>',
        'This site limits how many requests one account or network can make',
      ],
    },
    {
      it: 'names the engines asked if nothing was found',
      path: '/search?q=a&safe=off',
      engines: EMPTY,
      shows: [
        'Brave and Mojeek found nothing for this search.',
        '<a class="button button-plain" href="/search?q=a">Search without filters</a>',
      ],
    },
    { it: 'says where results end', path: '/search?q=a&page=2', engines: EMPTY, shows: ['There are no more results.'] },
    {
      it: 'shows the current filters, and sends only what differs from the preferences',
      path: '/search?q=a&date=w&lang=de',
      preferences: 'safe=off&lang=fr',
      shows: [
        '<option value="w" selected>',
        '<option value="" selected>Safe search: off</option>',
        '<option value="de" selected>German</option>',
        '<option value="">French</option>',
        '<option value="auto">Any language</option>',
      ],
    },
    { it: 'opens results in the same tab', path: '/search?q=a', hides: ['target="_blank"'] },
    {
      it: 'opens results in a new tab if the reader prefers that',
      path: '/search?q=a',
      preferences: 'new_tab=on',
      shows: ['target="_blank" rel="noopener"'],
    },
    {
      it: 'has a letter as an icon unless the operator turns icons on',
      path: '/search?q=a',
      services: { pictures },
      shows: ['<span class="icon" aria-hidden="true">B</span>'],
      hides: ['/picture/icon/'],
    },
    { it: 'has no pictures without the proxy', path: '/search?q=a&tab=images', hides: [/<img[^>]* src=/] },
  ])('$it', async ({ path, headers, preferences, ...scene }) => {
    const browser = await open(scene)
    if (preferences) browser.cookies.set('bowerbird_preferences', preferences)
    expectPage(await browser.get(path, headers), scene)
  })

  it('503: a used-up budget is no failure: it says until when, and not to try again', async () => {
    const DAY = 86_400
    const { get } = await open({
      engines: {
        brave: { fails: 'overBudget', retryAfterSeconds: 14 * DAY },
        mojeek: { fails: 'overBudget', retryAfterSeconds: 15 * DAY },
      },
    })
    const reply = await get('/search?q=a')
    expect(reply.headers).toMatchObject({ 'retry-after': String(14 * DAY), 'error-code': 'budget_used_up' })
    expectPage(reply, {
      status: 503,
      shows: ['The budget for searching is used up', /can be asked again from \d{1,2} \w+ \d{4}\./],
      hides: ['Try again'],
    })
  })

  it('an empty or too long query is not sent to any engine', async () => {
    const { get, calls } = await open()
    expectPage(await get('/search?q=%20'), { shows: ['What are you looking for?'] })
    expectPage(await get(`/search?q=${'a'.repeat(501)}`), { status: 400, shows: ['500 characters or fewer'] })
    expect(calls).toEqual([])
  })

  it('shows what is known of papers, each in its place, and how to cite them', async () => {
    const { body } = await (await open()).get('/search?q=a&tab=science')
    const [first = '', second = '', third = ''] = body.split('<li class="result">').slice(1)
    for (const part of [
      '<span class="icon" aria-hidden="true">J</span><cite dir="auto"><b>Journal of Invented Energy</b></cite>',
      '<bdi>Ada Lovelace and The Heat Consortium</bdi> · <bdi>2026</bdi></p>',
      '<p class="snippet" dir="auto">A field study of forty houses.</p>',
      '<a href="https://doi.org/10.5555/heat.2026.01" dir="ltr">DOI 10.5555/heat.2026.01</a>',
      '<summary aria-label="Cite Heat pumps &amp; cold winters">Cite</summary>',
      '<code>@article{lovelace2026heat,\n  author = {Ada Lovelace and The Heat Consortium},',
    ])
      expect(first).toContain(part)
    // Without an abstract there is no snippet, and without a journal the address says where it is.
    expect(second).not.toContain('class="snippet"')
    expect(third).toContain('<b>doi.org</b> › 10.5555 › preprint.3')
  })

  it('of an old paper there is the year, of many authors the first, and what isn’t known isn’t there', async () => {
    const author = ['Ada', 'Emmy', 'Lise', 'Tu', 'Niels'].map((given) => ({ given, family: 'Example' }))
    const items = [
      { DOI: '10.5555/old', title: ['Old'], author, published: { 'date-parts': [[1948, 7]] } },
      { DOI: '10.5555/bare', title: ['Bare'] },
    ]
    const { get } = await open({ engines: { crossref: { body: { message: { items } } } } })
    const [old, bare] = (await get('/search?q=a&tab=science')).body.split('<li class="result">').slice(1)
    expect(old).toContain('<bdi>Ada Example, Emmy Example, Lise Example and 2 others</bdi> · <bdi>1948</bdi></p>')
    expect(old).not.toContain('ago')
    expect(bare).not.toContain('paper-facts')
    expect(bare).toContain('@misc{bare,')
  })

  it.each<[string, Behaviours, boolean]>([
    ['says that all providers are up', {}, true],
    ['does not say so if it reports a failure', { mojeek: LATE }, false],
    ['does not say so if all failed', { brave: LATE, mojeek: LATE }, false],
  ])('%s', async (_, engines, isSaid) => {
    const { search } = openStagedSearch(engines)
    const { get } = (await openSiteStage({ search }, [...PAGES, statusPage])).browser(ADMIN)
    // The first page starts to count the providers that are down.
    await get('/')
    expect((await get('/search?q=a')).body.includes('All providers are up')).toBe(isSaid)
  })

  it.each(['web', 'images', 'news', 'videos'])('the pictures of %s come only from this site', async (tab) => {
    const { get } = await open({ services: { pictures, showsIcons: true } })
    const sources = (await get(`/search?q=a&tab=${tab}`)).body.match(/(?<=<img[^>]* src=")[^"]*/g)
    expect(sources?.length).toBeGreaterThan(0)
    expect(sources?.filter((source) => !source.startsWith('/picture/'))).toEqual([])
  })

  it('hostile results are text: nothing runs, and no address but http(s) becomes a link', async () => {
    const title = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    const results = [
      { title, url: 'javascript:alert(1)', description: title },
      { title: 'x'.repeat(10_000), url: 'https://ok.test/"onmouseover="alert(1)', description: 'y'.repeat(10_000) },
      { title: '\u202eevil\u202c', url: 'data:text/html,<script>', description: '' },
    ]
    const { get } = await open({ engines: { ...EMPTY, brave: { body: { web: { results } } } } })
    const { body } = await get('/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    expect(body).not.toMatch(/<script>|<img src=x|javascript:|data:text|"onmouseover|\u202e/)
    expect(body.length).toBeLessThan(20_000)
  })
})

describe('GET /images/detail', () => {
  it('shows the image with its source, and similar images without it', async () => {
    const { get } = await open({ services: { pictures } })
    const grid = await get('/search?q=bowerbird&tab=images&safe=off')
    const detail = /href="(\/images\/detail[^"]+)"/.exec(grid.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const back = 'href="/search?q=bowerbird&amp;tab=images&amp;safe=off"'
    expectPage(await get(detail), { shows: ['/picture/picture/', 'Similar images', back] })
  })

  it('404: signs no address from the URL', async () => {
    const { get } = await open({ services: { pictures } })
    const evil = encodeURIComponent('https://internal.test/secret')
    const reply = await get(`/images/detail?q=a&id=nothing&url=${evil}&thumbnail=${evil}`)
    expectPage(reply, { status: 404, hides: ['internal.test'] })
    expect((await get('/images/detail?id=x')).location).toBe('/')
  })
})

it('the home page has one search field, with the tabs as buttons of its form', async () => {
  const { body } = await (await open()).get('/')
  expect(body.match(/<form/g)).toHaveLength(1)
  expect(body).toContain('form="home-form" formnovalidate name="tab" value="news">News</button>')
  expect(body).toContain('autofocus')
})
