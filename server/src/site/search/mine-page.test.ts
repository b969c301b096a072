import { describe, expect, it } from 'vitest'
import { memoryRules } from '../memory-rules.test-harness.ts'
import { DEFAULT_PREFERENCES } from '../preferences.ts'
import {
  ADMIN,
  openSiteStage,
  providerStatus,
  type SiteStubs,
  statusBoard,
  textOf,
  USER,
} from '../site.test-harness.ts'
import { statusPage } from '../status/status-page.ts'
import { homePage } from './home-page.ts'
import { mineBoxPage, mineRequest } from './mine-box.ts'
import { minePage } from './mine-page.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedMine, openStagedSearch } from './search.test-harness.ts'
import { parseSearchQuery, SearchParams } from './search-query.ts'
import { siteRulePages } from './site-rule-pages.ts'

const PAGES = [homePage, resultsPage, minePage, mineBoxPage, statusPage, siteRulePages]

/** The same ten bookmarks, whatever the page. */
const bookmarks = Array.from({ length: 10 }, (_, at) => ({
  id: `b${at}`,
  createdAt: new Date().toISOString(),
  title: `Heat ${at}`,
  content: { type: 'link', url: `https://a.example/${at}`, title: 'Heat' },
}))
const TEN = { body: { bookmarks, nextCursor: '10' } }
const EMPTY = { fixture: 'karakeep-web-empty' }
const NO_ENGINES = { mine: { ...openStagedMine().search, slotNames: [] } }
/** Later than a page of results waits for. */
const SLOW = { fixture: 'karakeep-web-page', afterMs: 1_000 }

async function open(behaviours: Behaviours = {}, services: Partial<SiteStubs> = {}) {
  const mine = openStagedMine(behaviours)
  const web = openStagedSearch(behaviours)
  const given: Partial<SiteStubs> = {
    search: web.search,
    mine: mine.search,
    mineStatus: statusBoard(providerStatus('Karakeep', 'down', 'mine')),
    transitions: async () => [],
    rules: memoryRules(),
    ...services,
  }
  const { browser } = await openSiteStage(given, PAGES)
  return { browser, get: browser(USER).get, submit: browser(USER).submit, calls: mine.calls, webCalls: web.calls }
}

const boxIn = (body: string): string => /<section class="mine"[\s\S]*?<\/section>/.exec(body)?.[0] ?? ''
const listIn = (body: string): string => /<ol class="results[\s\S]*?<\/ol>/.exec(body)?.[0] ?? ''
const linksIn = (text: string): string[] => text.match(/(?<=class="result-link" href=")[^"]+/g) ?? []

describe('Mine beside the results of the web', () => {
  it('shows a signed-in person at most three results, where each comes from, and the way to all', async () => {
    const { get, calls } = await open({ karakeep: TEN, shelf: TEN })
    const { status, body } = await get('/search?q=heat')
    expect(status).toBe(200)
    expect(calls.toSorted()).toEqual(['karakeep web', 'shelf web'])
    expect(linksIn(boxIn(body))).toHaveLength(3)
    expect(boxIn(body).match(/<span class="mine-source"><bdi><b>Karakeep and Shelf<\/b>/g)).toHaveLength(3)
    expect(boxIn(body)).toContain('<a class="mine-all" href="/mine?q=heat">All results</a>')
    expect(body).toMatch(/<ol class="results[\s\S]*<div class="rail"><section class="mine"/)
  })

  it('has a menu at each, which comes back here and keeps private addresses from the archive', async () => {
    const { get } = await open({ karakeep: TEN })
    const box = boxIn((await get('/search?q=heat')).body)
    expect(box.match(/<details class="menu"/g)).toHaveLength(3)
    expect(box).toContain('data-copy="https://a.example/0"')
    expect(box).toContain('href="/mine?q=heat+site%3Aa.example">More from this site</a>')
    expect(box).not.toContain('web.archive.org')
    expect(box.match(/<form[^>]* id="mine-rule"[^>]*>[\s\S]*?name="back" value="\/search\?q=heat"/g)).toHaveLength(1)
    expect(box.match(/<button form="mine-rule"/g)).toHaveLength(12)
  })

  it.each(['/', '/search?q=heat', '/search?q=heat&tab=mine', '/status'])(
    'is shown to no visitor of a public site at %s, and searches nothing for one',
    async (path) => {
      const { browser, calls } = await open()
      expect((await browser().get(path)).body).not.toMatch(/\bmine\b|karakeep/i)
      expect(calls).toEqual([])
    },
  )

  it('never changes the results of the web', async () => {
    const { browser, get } = await open()
    const { body } = await get('/search?q=heat')
    expect(linksIn(listIn(body))).toEqual(linksIn(listIn((await browser().get('/search?q=heat')).body)))
    expect(boxIn(body)).not.toBe('')
  })

  it.each(['/search?q=heat&page=2', '/search?q=heat&tab=news', '/search?q='])('is not at %s', async (path) => {
    const { get, calls } = await open()
    expect(boxIn((await get(path)).body)).toBe('')
    expect(calls).toEqual([])
  })

  it.each<[string, Behaviours, RegExp]>([
    ['nothing if nothing was found', { karakeep: EMPTY }, /^$/],
    [
      'which service is stopped',
      { karakeep: { fails: 'unreachable' }, shelf: TEN },
      /Shelf.*Karakeep could not be rea/,
    ],
    [
      'that all are stopped',
      { karakeep: { fails: 'unreachable' }, shelf: { fails: 'timeout' } },
      /Karakeep could not be reached\. Shelf did not answer in time\./,
    ],
  ])('says %s', async (_, behaviours, words) => {
    const { status, body } = await (await open(behaviours)).get('/search?q=heat')
    expect(status).toBe(200)
    expect(textOf(boxIn(body)).trim()).toMatch(words)
  })

  it('503: is waited for if every engine of the web is down, and so is the tab', async () => {
    const down: Behaviours = { brave: { fails: 'unreachable' }, mojeek: { fails: 'timeout' } }
    const { get } = await open({ ...down, karakeep: { ...SLOW, afterMs: 100 } })
    const { status, body } = await get('/search?q=heat')
    expect(status).toBe(503)
    expect(linksIn(boxIn(body))).not.toEqual([])
    expect(body).toContain('No search engine responded')
    expect((await get('/mine?q=heat')).status).toBe(200)
  })

  // These two wait for an engine, so they wait together.
  it.concurrent('does not hold up the results of the web: what is slow is linked to, and there the next time', async () => {
    const { browser, get, webCalls } = await open({ karakeep: SLOW })
    const { body } = await get('/search?q=heat&date=y')
    expect(linksIn(listIn(body))).not.toEqual([])
    expect(body).toContain('still searching. <a href="/mine?q=heat&amp;date=y">Show what they find</a>')
    // The script finds it here: the box alone, which is for signed-in people.
    expect(body).toContain('data-late="/mine/box?q=heat&amp;date=y"')
    webCalls.length = 0
    const box = boxIn((await get('/mine/box?q=heat&date=y')).body)
    expect(linksIn(box)).not.toEqual([])
    expect(box).toContain('<a class="mine-all" href="/mine?q=heat&amp;date=y">')
    expect(webCalls).toEqual([])
    expect((await browser().get('/mine/box?q=heat')).location).toMatch(/^\/login/)
    expect(linksIn(boxIn((await get('/search?q=heat&date=y')).body))).not.toEqual([])
  })

  it('is there when the results of the web come from memory at once', async () => {
    const { browser, get } = await open({ karakeep: { ...SLOW, afterMs: 20 } })
    // A visitor's search fills the memory; the private engines have found nothing yet.
    await browser().get('/search?q=heat')
    expect(linksIn(boxIn((await get('/search?q=heat')).body))).not.toEqual([])
  })

  it('says so if it comes late and nothing was found', async () => {
    const { get } = await open({ karakeep: EMPTY })
    expect(textOf(boxIn((await get('/mine/box?q=heat')).body)).trim()).toBe('Mine No results')
  })

  it.concurrent('stays where it is when an engine of the web is slow', async () => {
    const { get } = await open({ mojeek: { fixture: 'mojeek-web-page', afterMs: 1_000 } })
    const { body } = await get('/search?q=heat')
    const early = /<template data-early[\s\S]*?<\/template>/.exec(body)?.[0] ?? ''
    expect(linksIn(boxIn(early))).not.toEqual([])
    expect(boxIn(body.replace(early, ''))).toBe(boxIn(early))
  })

  it('is not concerned by the engines chosen for the web, and the language preferred there', async () => {
    const { get, calls } = await open()
    await get('/search?q=heat&engine=engine_a')
    expect(calls.toSorted()).toEqual(['karakeep web', 'shelf web'])
    const langOf = (params: object) =>
      mineRequest(parseSearchQuery(SearchParams.parse(params), { ...DEFAULT_PREFERENCES, lang: 'de' }, [])).lang
    expect(langOf({})).toBe('')
    expect(langOf({ lang: 'fr' })).toBe('fr')
  })
})

describe('GET /mine', () => {
  it('lists everything, as on the tab of the web, with the name of the service, and goes on', async () => {
    const { get, webCalls } = await open({ karakeep: TEN })
    const { status, body } = await get('/mine?q=heat&date=y')
    expect(status).toBe(200)
    expect(linksIn(listIn(body))).toHaveLength(10)
    expect(body).toContain('Found by Karakeep. Why this result?')
    expect(body).toMatch(/<a href="\/mine\?q=heat[^"]*" aria-current="page">Mine<\/a>/)
    expect(body).toContain('rel="next" href="/mine?q=heat&amp;date=y&amp;page=2"')
    expect((await get('/mine?q=heat&date=y&page=2')).text).toContain('There are no more results.')
    expect(webCalls).toEqual([])
  })

  it('stays here after a rule for a site', async () => {
    const { submit, get } = await open({ karakeep: TEN })
    const rule = { rule: 'block a.example', back: '/mine?q=heat' }
    const { location } = await submit('/sites/rule', rule, '/mine?q=heat')
    expect(location).toBe('/mine?q=heat&changed=a.example')
    const after = await get(location, { 'sec-fetch-site': 'same-origin' })
    expect(linksIn(after.body)).toEqual([])
    expect(after.text).toContain('a.example is blocked. Undo')
  })

  it('has no icons, no link to read a page or to an archived copy and no suggestions: nothing of it leaves the instance', async () => {
    const { get } = await open(
      {},
      {
        showsIcons: true,
        suggestionsFor: 'all',
        suggest: { providerNames: ['Wikipedia'], suggest: async () => ({ suggestions: [], status: 'complete' }) },
        pictures: { signedPath: (address) => `/pictures/${address}`, find: () => undefined },
        reading: { read: () => expect.unreachable(), sign: () => 'signature' },
      },
    )
    const elsewhere = /\/pictures\/|\/read\?|web\.archive\.org/
    const web = (await get('/search?q=cold')).body
    expect(web).toMatch(elsewhere)
    expect(boxIn(web)).not.toMatch(elsewhere)
    const { body } = await get('/mine?q=heat')
    expect(body).not.toMatch(elsewhere)
    expect(body).toContain('data-suggest=""')
  })

  it.each<[number, string, Behaviours, string, string]>([
    [200, 'nothing was found', { karakeep: EMPTY }, 'heat', 'Karakeep and Shelf found nothing for this search.'],
    [
      503,
      'services are stopped',
      { karakeep: { fails: 'unreachable', retryAfterSeconds: 9 }, shelf: { fails: 'timeout', retryAfterSeconds: 9 } },
      'heat',
      'Your own services did not answer Karakeep could not be reached.',
    ],
    [400, 'the query is too long', {}, 'x'.repeat(501), '500 characters'],
    [200, 'there is no query', {}, '', 'Mine'],
  ])('%i: says so if %s', async (status, _, behaviours, q, words) => {
    const reply = await (await open(behaviours)).get(`/mine?q=${q}`)
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(words)
    expect(reply.headers['retry-after']).toBe(status === 503 ? '9' : undefined)
  })

  it('404: there is none without private engines, and no tab leads to it', async () => {
    const { get } = await open({}, NO_ENGINES)
    for (const path of ['/mine?q=heat', '/mine/box?q=heat']) expect((await get(path)).status, path).toBe(404)
    for (const path of ['/search?q=heat', '/']) expect((await get(path)).body).not.toContain('/mine')
    expect((await (await open()).get('/')).body).toContain('formaction="/mine"')
  })
})

it('the health of private engines is shown to administrators, and to no one else', async () => {
  const { browser } = await open()
  expect((await browser(ADMIN).get('/status')).body).toContain('Karakeep')
  for (const person of [browser(USER), browser()])
    expect((await person.get('/status')).text).not.toMatch(/Karakeep|is down/)
})
