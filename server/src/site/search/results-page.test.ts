import { brave } from '@bowerbird/engines/web/brave.ts'
import { mojeek } from '@bowerbird/engines/web/mojeek.ts'
import { describe, expect, it } from 'vitest'
import type { Page } from '../http/page.ts'
import { type Browser, openSiteStage } from '../site.test-harness.ts'
import { statusPage } from '../status/status-page.ts'
import { homePage } from './home-page.ts'
import { imageDetailPage } from './image-detail-page.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedSearch } from './search.test-harness.ts'

const PAGES: readonly Page[] = [homePage, resultsPage, imageDetailPage]
const pictures = { signedPath: (address: string, kind: string) => `/picture/${kind}/${encodeURIComponent(address)}` }

async function searching(behaviours: Behaviours = {}, services = {}): Promise<Browser & { calls: string[] }> {
  const { search, calls } = openStagedSearch(behaviours)
  const stage = await openSiteStage({ search, ...services }, PAGES)
  return { ...stage.browser(), calls }
}

describe('GET /search', () => {
  it('shows a result’s address, title, snippet and engines', async () => {
    const browser = await searching()
    const { status, body } = await browser.get('/search?q=bowers')
    expect(status).toBe(200)
    expect(body).toContain('<b>birds.example.org</b> › bowers')
    expect(body).toContain('href="https://birds.example.org/bowers"')
    expect(body).toContain('Bowers &amp; nests: a field guide')
    expect(body).toContain('A bower isn&#39;t a nest: it is built to be looked at, of sticks &lt; 30 cm.')
    expect(body).toContain('Found by Brave. Why this result?')
    expect(body).toContain('<i class="dot on"></i><i class="dot"></i>')
    expect(browser.calls.sort()).toEqual(['brave web', 'mojeek web'])
  })

  it('shows what is known of papers, each in its place, and how to cite them', async () => {
    const { body } = await (await searching()).get('/search?q=a&tab=science')
    const [first = '', second = '', third = ''] = body.split('<li class="result">').slice(1)
    expect(first).toContain(
      '<span class="icon" aria-hidden="true">J</span><cite dir="auto"><b>Journal of Invented Energy</b></cite>',
    )
    expect(first).toContain('<bdi>Ada Lovelace and The Heat Consortium</bdi> · <bdi>2026</bdi></p>')
    expect(first).toContain('<p class="snippet" dir="auto">A field study of forty houses.</p>')
    expect(first).toContain('<a href="https://doi.org/10.5555/heat.2026.01" dir="ltr">DOI 10.5555/heat.2026.01</a>')
    expect(first).toContain('<summary aria-label="Cite Heat pumps &amp; cold winters">Cite</summary>')
    expect(first).toContain('<code>@article{lovelace2026heat,\n  author = {Ada Lovelace and The Heat Consortium},')
    expect(first).toContain('title = {Heat pumps \\&amp; cold winters}')
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
    const behaviours = { crossref: { body: { message: { items } } } }
    const { body } = await (await searching(behaviours)).get('/search?q=a&tab=science')
    const [old = '', bare = ''] = body.split('<li class="result">').slice(1)
    expect(old).toContain('<bdi>Ada Example, Emmy Example, Lise Example and 2 others</bdi> · <bdi>1948</bdi></p>')
    expect(old).not.toContain('ago')
    expect(bare).not.toContain('paper-facts')
    expect(bare).toContain('@misc{bare,')
  })

  it('offers science or code only if an engine serves it', async () => {
    const { body } = await (await searching()).get('/search?q=a')
    expect(body).toContain('<a href="/search?q=a&amp;tab=science">Science</a>')
    expect(body).not.toContain('tab=code')
  })

  it('offers the countries that an engine of the tab can favour, and says whose results one has no effect on', async () => {
    const browser = await searching()
    const { body } = await browser.get('/search?q=a&region=at')
    expect(body).toContain('<select name="region" aria-label="Region" class="on">')
    expect(body).toContain('<option value="AT" selected>Austria</option>')
    expect(body).not.toContain('The region has no effect')
    // Mojeek takes every country, Brave does not have this one.
    const iceland = await browser.get('/search?q=a&region=IS')
    expect(iceland.body).toContain('<p>The region has no effect on the results of Brave.</p>')
    const papers = await browser.get('/search?q=a&tab=science')
    expect(papers.body).not.toContain('name="region" aria-label')
  })

  it('offers a spelling correction', async () => {
    const { body } = await (await searching()).get('/search?q=bowrbird&lang=en')
    expect(body).toContain(
      '>Did you mean <a href="/search?q=bowerbird+nests&amp;lang=en" dir="auto">bowerbird nests</a>?</p>',
    )
  })

  it.each([
    ['de', 'Meinten Sie bowerbird nests?'],
    ['es', '¿Quiso decir bowerbird nests?'],
    ['fr', 'Vouliez-vous dire bowerbird nests\u{202f}?'],
  ])('asks in %s as that language asks', async (language, question) => {
    const { body } = await (await searching()).get('/search?q=bowrbird', { 'accept-language': language })
    expect(body.replaceAll(/<[^>]+>/g, '')).toContain(question)
  })

  it('names the missing engine and the ones that answered, in one line', async () => {
    const { body, status } = await (await searching({ mojeek: { fails: 'timeout' } })).get('/search?q=a')
    expect(status).toBe(200)
    expect(body).toContain('Mojeek did not answer in time; these results are from Brave.')
  })

  it('503: the engines of one slot are named as the language lists them', async () => {
    const other = { ...mojeek, slug: 'other', name: 'Other' }
    const third = { ...mojeek, slug: 'third', name: 'Third' }
    const down = { fails: 'unreachable' } as const
    const { search } = openStagedSearch(
      { mojeek: down, other: down, third: down },
      { engine_a: [mojeek, other, third] },
    )
    const stage = await openSiteStage({ search }, PAGES)
    const { body } = await stage.browser().get('/search?q=a')
    expect(body).toContain('<p>Mojeek, Other and Third could not be reached.</p>')
    const german = await stage.browser().get('/search?q=a', { 'accept-language': 'de' })
    expect(german.body).toContain('Mojeek, Other und Third')
  })

  it('two failures and the engines that answered are listed with “and”', async () => {
    const other = { ...mojeek, slug: 'other', name: 'Other' }
    const { search } = openStagedSearch(
      { other: { fails: 'unreachable' }, mojeek: { fails: 'timeout' } },
      { engine_a: [brave], engine_b: [mojeek], engine_c: [other] },
    )
    const stage = await openSiteStage({ search }, PAGES)
    const { body } = await stage.browser().get('/search?q=a')
    expect(body).toContain(
      'Mojeek did not answer in time and Other could not be reached; these results are from Brave.',
    )
  })

  it('503: a used-up budget is no failure: it says until when, and not to try again', async () => {
    const browser = await searching({
      brave: { fails: 'overBudget', retryAfterSeconds: 14 * 86_400 },
      mojeek: { fails: 'overBudget', retryAfterSeconds: 15 * 86_400 },
    })
    const { status, headers, body } = await browser.get('/search?q=a')
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('1209600')
    expect(headers['error-code']).toBe('budget_used_up')
    expect(body).toContain('The budget for searching is used up')
    expect(body).toMatch(/can be asked again from \d{1,2} \w+ \d{4}\./)
    expect(body).not.toContain('Try again')
  })

  it('503: explains each engine’s failure and says when to try again', async () => {
    const browser = await searching({
      brave: { fails: 'throttled', retryAfterSeconds: 30 },
      mojeek: { fails: 'malformed', retryAfterSeconds: 20 },
    })
    const reply = await browser.get('/search?q=a')
    expect(reply.status).toBe(503)
    expect(reply.headers['retry-after']).toBe('20')
    expect(reply.body).toContain('No search engine responded')
    expect(reply.body).toContain('Brave is rate-limiting this site.')
    expect(reply.body).toContain('Mojeek sent a response that could not be read.')
    expect(reply.body).toContain('Try again in 20 seconds.')
  })

  it('429: keeps the query, the tab and the filters, and offers to try again', async () => {
    const browser = await searching({}, { consume: async () => 9 })
    const { status, body } = await browser.get('/search?q=bowers&tab=news&date=w')
    expect(status).toBe(429)
    expect(body).toContain('name="q" value="bowers"')
    expect(body).toContain('<a href="/search?q=bowers&amp;tab=videos&amp;date=w">Videos</a>')
    expect(body).toContain('<option value="w" selected>')
    expect(body).toContain('href="/search?q=bowers&amp;tab=news&amp;date=w">Try again</a>')
    expect(body).toContain('This site limits how many requests one account or network can make')
    expect(browser.calls).toEqual([])
  })

  it('a page that reports a failure does not say that all providers are up', async () => {
    const footers = async (behaviours: Behaviours) => {
      const { search } = openStagedSearch(behaviours)
      const stage = await openSiteStage({ search }, [...PAGES, statusPage])
      const browser = stage.browser({ userId: '1', username: 'eve', isAdmin: true, sessionId: 'e' })
      // The first page starts to count the providers that are down.
      await browser.get('/')
      return (await browser.get('/search?q=a')).body.includes('All providers are up')
    }
    expect(await footers({})).toBe(true)
    expect(await footers({ mojeek: { fails: 'timeout' } })).toBe(false)
    expect(await footers({ brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } })).toBe(false)
  })

  it('names the engines asked if nothing was found', async () => {
    const browser = await searching({ brave: { fixture: 'brave-web-empty' }, mojeek: { fixture: 'mojeek-web-empty' } })
    const { body } = await browser.get('/search?q=a&safe=off')
    expect(body).toContain('Brave and Mojeek found nothing for this search.')
    expect(body).toContain('<a class="button button-plain" href="/search?q=a">Search without filters</a>')
    expect((await browser.get('/search?q=a&page=2')).body).toContain('There are no more results.')
  })

  it('an empty or too long query is not sent to any engine', async () => {
    const browser = await searching()
    expect((await browser.get('/search?q=%20')).body).toContain('What are you looking for?')
    const long = await browser.get(`/search?q=${'a'.repeat(501)}`)
    expect(long.status).toBe(400)
    expect(long.body).toContain('500 characters or fewer')
    expect(browser.calls).toEqual([])
  })

  it('the filters show the current values, and send only what differs from the preferences', async () => {
    const browser = await searching()
    browser.cookies.set('bowerbird_preferences', 'safe=off&lang=fr')
    const { body } = await browser.get('/search?q=a&date=w&lang=de')
    expect(body).toContain('<option value="w" selected>')
    expect(body).toContain('<option value="" selected>Safe search: off</option>')
    expect(body).toContain('<option value="de" selected>German</option>')
    expect(body).toContain('<option value="">French</option>')
    expect(body).toContain('<option value="auto">Any language</option>')
  })

  it('results open in a new tab if the reader prefers that', async () => {
    const browser = await searching()
    expect((await browser.get('/search?q=a')).body).not.toContain('target="_blank"')
    browser.cookies.set('bowerbird_preferences', 'new_tab=on')
    expect((await browser.get('/search?q=a')).body).toContain('target="_blank" rel="noopener"')
  })

  it('pictures come only from this site', async () => {
    const sources = (body: string) => [...body.matchAll(/<img[^>]* src="([^"]*)"/g)].map((match) => match[1] ?? '')
    const withPictures = await searching({}, { pictures, showsIcons: true })
    for (const tab of ['web', 'images', 'news', 'videos']) {
      const found = sources((await withPictures.get(`/search?q=a&tab=${tab}`)).body)
      expect(found.length).toBeGreaterThan(0)
      expect(found.filter((source) => !source.startsWith('/picture/'))).toEqual([])
    }
    const without = await searching()
    expect(sources((await without.get('/search?q=a&tab=images')).body)).toEqual([])
  })

  it('hostile results are text: nothing runs, and no address but http(s) becomes a link', async () => {
    const title = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    const results = [
      { title, url: 'javascript:alert(1)', description: title },
      { title: 'x'.repeat(10_000), url: 'https://ok.test/"onmouseover="alert(1)', description: 'y'.repeat(10_000) },
      { title: '\u202eevil\u202c', url: 'data:text/html,<script>', description: '' },
    ]
    const browser = await searching({ brave: { body: { web: { results } } }, mojeek: { fixture: 'mojeek-web-empty' } })
    const { body, status } = await browser.get('/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    expect(status).toBe(200)
    expect(body).not.toMatch(/<script>|<img src=x|javascript:|data:text|"onmouseover|\u202e/)
    expect(body.length).toBeLessThan(20_000)
  })
})

describe('GET /images/detail', () => {
  const detailOf = (body: string) => /href="(\/images\/detail[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

  it('shows the image with its source, and similar images without it', async () => {
    const browser = await searching({}, { pictures })
    const grid = await browser.get('/search?q=bowerbird&tab=images&safe=off')
    const { body, status } = await browser.get(detailOf(grid.body))
    expect(status).toBe(200)
    expect(body).toContain('/picture/picture/')
    expect(body).toContain('Similar images')
    expect(body).toContain('href="/search?q=bowerbird&amp;tab=images&amp;safe=off"')
  })

  it('signs no address from the URL', async () => {
    const browser = await searching({}, { pictures })
    const evil = encodeURIComponent('https://internal.test/secret')
    const reply = await browser.get(`/images/detail?q=a&id=nothing&url=${evil}&thumbnail=${evil}`)
    expect(reply.status).toBe(404)
    expect(reply.body).not.toContain('internal.test')
  })
})

describe('GET /', () => {
  it('has one search field, with the tabs as buttons of its form', async () => {
    const { body } = await (await searching()).get('/')
    expect(body.match(/<form/g)?.length).toBe(1)
    expect(body).toContain(
      '<button type="submit" form="home-form" formnovalidate name="tab" value="news">News</button>',
    )
    expect(body).toContain('autofocus')
  })
})
