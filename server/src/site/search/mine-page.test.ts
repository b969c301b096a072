import { describe, expect, it } from 'vitest'
import type { ProviderStatus } from '../../health/provider-status.ts'
import type { Page } from '../http/page.ts'
import { memoryRules } from '../memory-rules.test-harness.ts'
import { DEFAULT_PREFERENCES } from '../preferences.ts'
import { openSiteStage, type SiteStage, textOf, USER } from '../site.test-harness.ts'
import type { SiteServices, Viewer } from '../site-services.ts'
import { statusPage } from '../status/status-page.ts'
import { homePage } from './home-page.ts'
import { mineBoxPage, mineRequest } from './mine-box.ts'
import { minePage } from './mine-page.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedMine, openStagedSearch } from './search.test-harness.ts'
import { parseSearchQuery, SearchParams } from './search-query.ts'
import { siteRulePages } from './site-rule-pages.ts'

const WITHOUT_PARAMS = SearchParams.parse({})
const PAGES: readonly Page[] = [homePage, resultsPage, minePage, mineBoxPage, statusPage]
const GRACE: Viewer = { userId: '2', username: 'grace', isAdmin: true, sessionId: '2' }

let stage: SiteStage | undefined

const down: ProviderStatus = {
  provider: 'karakeep',
  slug: 'karakeep',
  name: 'Karakeep',
  group: 'mine',
  monitor: 'query',
  health: { state: 'down', checkedAt: 1, lastOkAt: 1, lastError: 'It could not be reached.', consecutiveFailures: 9 },
}

const boardOf = (...listed: ProviderStatus[]): SiteServices['mineStatus'] => ({
  record: () => undefined,
  list: async () => listed,
  close: async () => undefined,
})

async function open(behaviours: Behaviours = {}, services: Partial<SiteServices> = {}, pages = PAGES) {
  const mine = openStagedMine(behaviours)
  const web = openStagedSearch(behaviours)
  const answers = { answer: async () => null } as unknown as SiteServices['answers']
  const cards = { cards: async () => ({ cards: {} }) } as unknown as SiteServices['cards']
  stage = await openSiteStage(
    {
      search: web.search,
      mine: mine.search,
      mineStatus: boardOf(down),
      transitions: async () => [],
      answers,
      cards,
      ...services,
    },
    pages,
  )
  return { browser: stage.browser, calls: mine.calls, webCalls: web.calls }
}

/** The same ten bookmarks, whatever the page. */
const TEN = {
  body: {
    bookmarks: Array.from({ length: 10 }, (_, at) => ({
      id: `b${at}`,
      createdAt: new Date().toISOString(),
      title: `Heat ${at}`,
      content: { type: 'link', url: `https://a.example/${at}`, title: 'Heat' },
    })),
    nextCursor: '10',
  },
}

const boxIn = (body: string): string => /<section class="mine"[\s\S]*?<\/section>/.exec(body)?.[0] ?? ''
const listIn = (body: string): string => /<ol class="results[\s\S]*?<\/ol>/.exec(body)?.[0] ?? ''
const linksIn = (text: string) => [...text.matchAll(/class="result-link" href="([^"]+)"/g)].map(([, link]) => link)

describe('Mine beside the results of the web', () => {
  it('shows a signed-in person at most three results, where each comes from, and the way to all', async () => {
    const { browser, calls } = await open({ karakeep: TEN, shelf: TEN })
    const { status, body } = await browser(USER).get('/search?q=heat')
    expect(status).toBe(200)
    expect(calls.toSorted()).toEqual(['karakeep web', 'shelf web'])
    expect(linksIn(boxIn(body))).toHaveLength(3)
    expect(boxIn(body).match(/<span class="mine-source"><bdi><b>Karakeep and Shelf<\/b>/g)).toHaveLength(3)
    expect(boxIn(body)).toContain('<a class="mine-all" href="/mine?q=heat">All results</a>')
    expect(body).toMatch(/<ol class="results[\s\S]*<div class="rail"><section class="mine"/)
  })

  it('has a menu at each, which comes back here and keeps private addresses from the archive', async () => {
    const { browser } = await open({ karakeep: TEN }, { rules: memoryRules() }, [...PAGES, ...siteRulePages])
    const reader = browser(USER)
    const box = boxIn((await reader.get('/search?q=heat')).body)
    expect(box.match(/<details class="menu"/g)).toHaveLength(3)
    expect(box).toContain('data-copy="https://a.example/0"')
    expect(box).toContain('href="/mine?q=heat+site%3Aa.example">More from this site</a>')
    expect(box).not.toContain('web.archive.org')
    expect(box.match(/<form[^>]* id="mine-rule"[^>]*>[\s\S]*?name="back" value="\/search\?q=heat"/g)).toHaveLength(1)
    expect(box.match(/<button form="mine-rule"/g)).toHaveLength(12)
  })

  it('is shown to no visitor of a public site, and searches nothing for one', async () => {
    const { browser, calls } = await open({}, { isPublic: true })
    for (const path of ['/', '/search?q=heat', '/search?q=heat&tab=mine', '/status']) {
      const { body } = await browser().get(path)
      expect(body, path).not.toMatch(/\bmine\b|karakeep/i)
    }
    expect((await browser().get('/mine?q=heat')).location).toBe('/login?next=%2Fmine%3Fq%3Dheat')
    expect(calls).toEqual([])
  })

  it('never changes the results of the web', async () => {
    const { browser } = await open()
    const mine = await browser(USER).get('/search?q=heat')
    const visitors = await browser().get('/search?q=heat')
    expect(listIn(mine.body)).toBe(listIn(visitors.body))
    expect(boxIn(mine.body)).not.toBe('')
  })

  it('is for the first page of the web alone', async () => {
    const { browser, calls } = await open()
    for (const path of ['/search?q=heat&page=2', '/search?q=heat&tab=news', '/search?q=']) {
      expect(boxIn((await browser(USER).get(path)).body)).toBe('')
    }
    expect(calls).toEqual([])
  })

  it('says in words which service is stopped', async () => {
    const { browser } = await open({ karakeep: { fails: 'unreachable' }, shelf: { fixture: 'karakeep-web-page' } })
    const one = textOf(boxIn((await browser(USER).get('/search?q=heat')).body))
    expect(one).toMatch(/Shelf .*Karakeep could not be reached\./)
    const all = await open({ karakeep: { fails: 'unreachable' }, shelf: { fails: 'timeout' } })
    const { status, body } = await all.browser(USER).get('/search?q=heat')
    expect(status).toBe(200)
    expect(textOf(boxIn(body))).toContain('Karakeep could not be reached. Shelf did not answer in time.')
  })

  it('503: is there when every engine of the web is down, and so is the tab', async () => {
    const { browser } = await open({ brave: { fails: 'unreachable' }, mojeek: { fails: 'timeout' } })
    const { status, body } = await browser(USER).get('/search?q=heat')
    expect(status).toBe(503)
    expect(linksIn(boxIn(body)).length).toBeGreaterThan(0)
    expect(body).toContain('No search engine responded')
    expect((await browser(USER).get('/mine?q=heat')).status).toBe(200)
  })

  it('503: waits for it if every engine of the web is down', async () => {
    const { browser } = await open({
      brave: { fails: 'unreachable' },
      mojeek: { fails: 'timeout' },
      karakeep: { fixture: 'karakeep-web-page', afterMs: 200 },
    })
    expect(linksIn(boxIn((await browser(USER).get('/search?q=heat')).body)).length).toBeGreaterThan(0)
  })

  it('does not hold up the results of the web: what is slow is linked to, and there the next time', async () => {
    const { browser } = await open({ karakeep: { fixture: 'karakeep-web-page', afterMs: 1_500 } })
    const started = performance.now()
    const { body } = await browser(USER).get('/search?q=heat')
    expect(performance.now() - started).toBeLessThan(1_400)
    expect(linksIn(listIn(body)).length).toBeGreaterThan(0)
    expect(body).toContain('still searching. <a href="/mine?q=heat">Show what they find</a>')
    await browser(USER).get('/mine?q=heat')
    expect(linksIn(boxIn((await browser(USER).get('/search?q=heat')).body)).length).toBeGreaterThan(0)
  })

  it('is there when the results of the web come from memory at once, and it is asked again', async () => {
    const { browser } = await open({ karakeep: { fixture: 'karakeep-web-page', afterMs: 20 } })
    // A visitor's search fills the memory; the private engines have found nothing yet.
    await browser().get('/search?q=heat')
    const { body } = await browser(USER).get('/search?q=heat')
    expect(linksIn(boxIn(body)).length).toBeGreaterThan(0)
  })

  it('says where the script finds what is late: the box alone, which is for signed-in people', async () => {
    const { browser, webCalls } = await open({ karakeep: { fixture: 'karakeep-web-page', afterMs: 1_500 } })
    const { body } = await browser(USER).get('/search?q=heat&date=y')
    const late = /data-late="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(late).toBe('/mine/box?q=heat&date=y')
    webCalls.length = 0
    const box = boxIn((await browser(USER).get(late)).body)
    expect(linksIn(box).length).toBeGreaterThan(0)
    expect(box).toContain('<a class="mine-all" href="/mine?q=heat&amp;date=y">')
    expect(webCalls).toEqual([])
    expect((await browser().get(late)).location).toMatch(/^\/login/)
  })

  it('late and with nothing found says so', async () => {
    const { browser } = await open({ karakeep: { fixture: 'karakeep-web-empty' } })
    const { body } = await browser(USER).get('/mine/box?q=heat')
    expect(textOf(boxIn(body)).trim()).toBe('Mine No results')
  })

  it('stays where it is when an engine of the web is slow', async () => {
    const { browser } = await open({ mojeek: { fixture: 'mojeek-web-page', afterMs: 700 } })
    const { body } = await browser(USER).get('/search?q=heat')
    const early = /<template data-early[\s\S]*?<\/template>/.exec(body)?.[0] ?? ''
    expect(linksIn(boxIn(early)).length).toBeGreaterThan(0)
    expect(boxIn(body.replace(early, ''))).toBe(boxIn(early))
  })

  it('the chosen engines of the web, and the language preferred there, don’t concern it', async () => {
    const { browser, calls } = await open()
    await browser(USER).get('/search?q=heat&engine=engine_a')
    expect(calls.toSorted()).toEqual(['karakeep web', 'shelf web'])
    const preferring = parseSearchQuery(WITHOUT_PARAMS, { ...DEFAULT_PREFERENCES, lang: 'de' }, [])
    expect(preferring.request.lang).toBe('de')
    expect(mineRequest(preferring).lang).toBe('')
    const asking = parseSearchQuery({ ...WITHOUT_PARAMS, lang: 'fr' }, { ...DEFAULT_PREFERENCES, lang: 'de' }, [])
    expect(mineRequest(asking).lang).toBe('fr')
  })
})

describe('GET /mine', () => {
  it('lists everything, as on the tab of the web, with the name of the service', async () => {
    const { browser, webCalls } = await open({ karakeep: TEN })
    const { status, body } = await browser(USER).get('/mine?q=heat')
    expect(status).toBe(200)
    expect(linksIn(listIn(body))).toHaveLength(10)
    expect(body).toContain('Found by Karakeep. Why this result?')
    expect(body).toContain('<a href="/mine?q=heat" aria-current="page">Mine</a>')
    expect(webCalls).toEqual([])
  })

  it('has no icons, no link to read a page or to an archived copy and no suggestions: nothing of it leaves the instance', async () => {
    const { browser } = await open(
      {},
      {
        showsIcons: true,
        suggestionsFor: 'all',
        suggest: { providerNames: ['Wikipedia'], suggest: async () => ({ suggestions: [], status: 'complete' }) },
        pictures: { signedPath: (address) => `/pictures/${address}`, find: () => undefined },
        reading: { read: () => expect.unreachable(), sign: () => 'signature' },
      },
    )
    const web = (await browser(USER).get('/search?q=cold')).body
    expect(web).toContain('/pictures/')
    const { body } = await browser(USER).get('/mine?q=heat')
    expect(body).not.toMatch(/\/pictures\/|\/read\?|web\.archive\.org/)
    expect(body).toContain('data-suggest=""')
    expect(boxIn(web)).not.toMatch(/\/pictures\/|\/read\?|web\.archive\.org/)
  })

  it('goes on to the next page, and says where it ends', async () => {
    const { browser } = await open({ karakeep: TEN })
    expect((await browser(USER).get('/mine?q=heat&date=y')).body).toContain(
      'rel="next" href="/mine?q=heat&amp;date=y&amp;page=2"',
    )
    expect((await browser(USER).get('/mine?q=heat&date=y&page=2')).text).toContain('There are no more results.')
  })

  it('says so if nothing was found', async () => {
    const { browser } = await open({ karakeep: { fixture: 'karakeep-web-empty' } })
    const { status, text } = await browser(USER).get('/mine?q=heat')
    expect(status).toBe(200)
    expect(text).toContain('Karakeep and Shelf found nothing for this search.')
  })

  it('503: says which services are stopped', async () => {
    const { browser } = await open({
      karakeep: { fails: 'unreachable', retryAfterSeconds: 9 },
      shelf: { fails: 'timeout', retryAfterSeconds: 9 },
    })
    const { status, text, headers } = await browser(USER).get('/mine?q=heat')
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('9')
    expect(text).toContain('Your own services did not answer Karakeep could not be reached.')
  })

  it('404: there is none without private engines, and no tab leads to it', async () => {
    const { browser } = await open({}, { mine: { ...openStagedMine().search, slotNames: [] } })
    expect((await browser(USER).get('/mine?q=heat')).status).toBe(404)
    expect((await browser(USER).get('/search?q=heat')).body).not.toContain('/mine')
    expect((await browser(USER).get('/')).body).not.toContain('/mine')
  })

  it('200: asks for a query, and 400: refuses one that is too long', async () => {
    const { browser, calls } = await open()
    expect((await browser(USER).get('/mine')).status).toBe(200)
    expect((await browser(USER).get(`/mine?q=${'x'.repeat(501)}`)).status).toBe(400)
    expect(calls).toEqual([])
  })
})

describe('the health of private engines', () => {
  it('is shown to administrators, and to no one else', async () => {
    const { browser } = await open()
    expect((await browser(GRACE).get('/status')).body).toContain('Karakeep')
    for (const person of [browser(USER), browser()]) {
      const { text } = await person.get('/status')
      expect(text).not.toMatch(/Karakeep|is down/)
    }
  })
})
