// A person searches in a real browser, with script and without: every tab, pages, filters, why a result is there, more
// results in place, keys, suggestions; results that are hostile; and an engine that is slow, while the others' results are
// on the page and nothing in it moves.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshQuery } from '../spec/fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, type SignedIn, signInOnce, type Tab } from '../support/browser.ts'
import { DESKTOP, leave, PHONE } from '../support/demo-site.ts'
import { type HeldProviders, startHeldProviders } from '../support/held-providers.ts'
import { shiftsOf, watchShifts } from '../support/layout-shifts.ts'
import { UNHURRIED } from '../support/site-pages.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const SEARCH = '/search?q=climate'
const TABS = ['web', 'images', 'news', 'videos', 'science', 'code']

let held: HeldProviders
let server: TestInstance
let browser: Browser
let session: SignedIn

beforeAll(async () => {
  held = await startHeldProviders(['mojeek', 'karakeep'], () => server.sandbox.url)
  const settings = {
    ...WITHOUT_RATE_LIMIT,
    ...UNHURRIED,
    ...held.settings,
    MINE: 'karakeep',
  }
  ;[server, browser] = await Promise.all([startTestInstance({ ...settings, SITE_ACCESS: 'public' }), launchBrowser()])
  session = await signInOnce(browser, server.url, { username: 'ada', password: 'correct horse battery' })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  held?.close()
})

const open = (options: BrowserContextOptions = {}) =>
  openTab(browser, server.url, { ...DESKTOP, reducedMotion: 'reduce', ...options })

const openSignedIn = (options: BrowserContextOptions = {}) => open({ storageState: session, ...options })

const results = (page: Page) => page.locator('main .result')
const more = (page: Page) => page.getByRole('link', { name: 'More results' })
const page2 = (page: Page) => page.getByRole('heading', { name: 'Page 2' })
const linksOf = (page: Page, place = '.column'): Promise<(string | null)[]> =>
  page.locator(`${place} .result-link`).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
// A text: the types of a browser aren't those of Node.js.
const focused = (page: Page) => page.evaluate<string>('document.activeElement.href ?? document.activeElement.localName')

describe.each([
  ['with script', true],
  ['without script', false],
])('a searcher %s', (_how, javaScriptEnabled) => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await openSignedIn({ javaScriptEnabled })
    page = tab.page
  })
  afterAll(() => tab.close())

  const field = () => page.getByRole('main').getByRole('combobox').or(page.getByRole('searchbox')).first()
  const apply = async () => {
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click()
  }

  it('searches from the home page and gets results', async () => {
    await page.goto('/')
    await field().fill('climate')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=climate/)
    expect(await results(page).count()).toBeGreaterThanOrEqual(10)
    expect(await page.title()).toContain('climate')
  })

  it('opens a tab of the home page with an empty field', async () => {
    await page.goto('/')
    await page.getByRole('main').getByRole('button', { name: 'Maps', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Which place are you looking for?' }).waitFor()
  })

  it('opens every tab with the same query', async () => {
    await page.goto(SEARCH)
    for (const name of ['Images', 'News', 'Videos', 'Science', 'Code']) {
      await page.getByRole('navigation', { name: 'Types of results' }).getByRole('link', { name }).click()
      await page.waitForURL(new RegExp(`tab=${name.toLowerCase()}`))
      expect(await page.locator('main .result-link').count(), name).toBeGreaterThanOrEqual(10)
    }
  })

  it('goes to the next page and back', async () => {
    await page.goto(SEARCH)
    const first = await results(page).first().innerText()
    const next = page.getByRole('link', { name: javaScriptEnabled ? 'More results' : 'Next page' })
    // With script, only a click that asks for another tab or window leads to the page.
    await (javaScriptEnabled ? page.goto((await next.getAttribute('href')) ?? '') : next.click())
    await page.waitForURL(/page=2/)
    expect(await results(page).first().innerText()).not.toBe(first)
    await page.getByRole('link', { name: 'Previous page' }).click()
    expect(await results(page).first().innerText()).toBe(first)
  })

  it('types a bang, and is redirected to the other site without a referrer', async () => {
    const asked: [string, string | undefined][] = []
    await page.route('https://github.com/**', async (route) => {
      asked.push([route.request().url(), route.request().headers()['referer']])
      await route.fulfill({ body: 'elsewhere' })
    })
    await page.goto('/')
    await field().fill('!gh bower bird')
    await page.keyboard.press('Enter')
    await page.waitForURL('https://github.com/**')
    expect(asked).toEqual([['https://github.com/search?q=bower%20bird', undefined]])
    tab.strangers.length = 0
  })

  it('filters by date, and goes back to what was applied before', async () => {
    await page.goto(SEARCH)
    const date = page.locator('select[name=date]')
    await date.selectOption('d')
    await apply()
    await page.waitForURL(/date=d/)
    expect(await date.inputValue()).toBe('d')
    await page.goBack()
    await page.waitForURL((address) => !address.search.includes('date'))
    expect(await date.inputValue()).toBe('')
  })

  it('asks for a country, keeps it on other tabs, and is told whose results it has no effect on', async () => {
    await page.goto(SEARCH)
    const region = page.getByLabel('Region')
    await region.selectOption({ label: 'Austria' })
    await apply()
    await page.waitForURL(/region=AT/)
    await page.getByText('The region has no effect on the results of Marginalia.').waitFor()
    await page.getByRole('link', { name: 'News', exact: true }).click()
    await page.waitForURL(/tab=news&region=AT/)
    await page.getByRole('link', { name: 'Clear' }).click()
    expect(await region.inputValue()).toBe('')
  })

  it('can see why a result ranks where it does', async () => {
    await page.goto(SEARCH)
    const why = results(page).first().locator('.why')
    const before = await why.locator('summary').boundingBox()
    await why.locator('summary').click()
    // It stays under the pointer.
    expect(await why.locator('summary').boundingBox()).toEqual(before)
    expect(await why.innerText()).toMatch(/Brave|Mojeek|Marginalia/)
    // A press on its text selects it.
    await why.locator('th').first().click()
    expect(await why.getAttribute('open')).toBe('')
  })

  it('sees which engines were queried when nothing was found', async () => {
    await page.goto('/search?q=nothingtofind')
    expect(await page.locator('main').innerText()).toMatch(/Brave/)
  })

  it('is told the time, with script in the time zone of the reader, which is in no address and no cookie', async () => {
    const reader = await openSignedIn({ javaScriptEnabled, timezoneId: 'Asia/Kolkata' })
    await reader.page.goto('/search?q=what+time+is+it', { waitUntil: 'networkidle' })
    const shown = await reader.page.locator('.answer').innerText()
    expect(shown).toMatch(javaScriptEnabled ? /^Instant answer\s+\d\d:\d\d\n[\s\S]*UTC\+5:30/ : /\(UTC\)/)
    const kept = reader.page.url() + JSON.stringify(await reader.page.context().cookies())
    expect(kept).not.toMatch(/kolkata|calcutta|tz=/i)
    await leave(reader)
  })

  it('no request went to a third party, and nothing broke in the browser', () => {
    expect(tab.strangers).toEqual([])
    expect(tab.complaints).toEqual([])
  })
})

describe('what comes in place, on a phone in the dark', () => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await openSignedIn({ ...PHONE, colorScheme: 'dark' })
    page = tab.page
    await watchShifts(page)
  })
  afterAll(() => leave(tab))

  /** Longer than the half second after a click in which browsers excuse what moves. */
  const delay = (address: RegExp) =>
    page.route(address, async (route) => {
      await sleep(700)
      await route.continue()
    })
  const expectInPlace = async () => {
    expect(await shiftsOf(page)).toEqual([])
    expect(await overflow(tab)).toBe(0)
    expect(await findings(tab)).toEqual([])
  }

  it('more results come below the others, as on a page of their own, and the focus is on the first', async () => {
    // The second page leaves out what the first has, once that is known.
    await page.goto(SEARCH)
    const first = await linksOf(page)
    await page.goto(`${SEARCH}&page=2`)
    const second = await linksOf(page)
    await page.goto(SEARCH)
    await delay(/page=2/)
    await more(page).click()
    await page2(page).waitFor()
    await page.unroute(/page=2/)
    expect(await linksOf(page)).toEqual([...first, ...second])
    expect(await focused(page)).toBe(second[0])
    expect(await page.locator('.more > ol').getAttribute('start')).toBe(String(first.length + 1))
    expect(await page.locator('body > [role=status]').textContent()).toBe(`Page 2. ${second.length} more results.`)
    expect(new URL(page.url()).search).toBe('?q=climate')
    expect(await more(page).getAttribute('href')).toContain('page=3')
    await expectInPlace()
  })

  it('related searches are asked for when they are opened, and take the place of their link', async () => {
    await page.goto(SEARCH)
    await delay(/search\/related/)
    await page.getByRole('link', { name: 'Related searches' }).click()
    await page.getByRole('heading', { name: 'Related searches' }).waitFor()
    const links = page.locator('.related-list a')
    expect(await links.count()).toBeGreaterThan(3)
    expect(await focused(page)).toContain(await links.first().getAttribute('href'))
    await expectInPlace()
  })

  it('a sheet explains keys and operators from its top, and closes with Escape', async () => {
    await page.goto(SEARCH)
    await page.getByRole('link', { name: 'Keys and operators' }).click()
    const sheet = page.getByRole('dialog', { name: 'Keys and operators' })
    await sheet.getByRole('heading', { name: 'Search operators' }).waitFor()
    await expectInPlace()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    expect(new URL(await focused(page)).pathname).toBe('/search/operators')
    await page.keyboard.press('?')
    await sheet.getByText('Open the result in a new tab').waitFor()
    expect(await sheet.evaluate((dialog) => dialog.scrollTop)).toBe(0)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'hidden' })
  })
})

describe('with script', () => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await openSignedIn()
    page = tab.page
  })
  afterAll(() => leave(tab))

  it('on every tab, hostile results do nothing', async () => {
    for (const name of TABS) {
      await page.goto(`/search?q=hostile&tab=${name}`, { waitUntil: 'networkidle' })
      expect(await page.title(), name).not.toBe('executed')
      const all = (selector: string, attribute: string) =>
        page.locator(selector).evaluateAll((some, which) => some.map((one) => one.getAttribute(which) ?? ''), attribute)
      // The viewer of images has no picture yet.
      const links = await all('a[href]', 'href')
      expect(links.filter((href) => !/^(?:$|https?:\/\/[^@]*$|\/|#)/.test(href))).toEqual([])
      const sources = await all('img', 'src')
      expect(sources.filter((src) => !/^(?:$|\/pictures\/|data:image\/svg)/.test(src))).toEqual([])
    }
  })

  it('keys move, load more, go to the top and open a new tab', async () => {
    await page.goto(SEARCH)
    const first = await linksOf(page)
    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
    expect(await focused(page)).toBe(first[0])
    await page.context().route(`${first[0]}`, (route) => route.fulfill({ body: 'the result' }))
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('v')])
    await opened.waitForURL(`${first[0]}`)
    await opened.close()
    tab.strangers.length = 0
    await page.keyboard.press('n')
    await page2(page).waitFor()
    expect(await focused(page)).toBe((await linksOf(page, '.more'))[0])
    await page.keyboard.press('k')
    expect(await focused(page)).toBe(first.at(-1))
    await page.keyboard.press('t')
    expect(await page.evaluate('[scrollY, document.activeElement.localName]')).toEqual([0, 'body'])
    await page.keyboard.press('/')
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('q')
    await page.goto(`${SEARCH}&page=2`)
    await page.keyboard.press('p')
    await page.waitForURL((address) => !address.searchParams.has('page'))
  })

  it.each(['while typing', 'after they are turned off'])('no key does anything %s', async (when) => {
    const isTyping = when === 'while typing'
    if (!isTyping) {
      await page.goto('/settings/search')
      await page.getByLabel('Keyboard shortcuts').uncheck()
      await page.getByRole('button', { name: 'Save preferences' }).click()
    }
    await page.goto(SEARCH)
    if (isTyping) await page.locator('.top input[type=search]').focus()
    for (const key of ['j', 'n', 'v', '?', 't', '/']) await page.keyboard.press(key)
    expect(await focused(page)).toBe(isTyping ? 'input' : 'body')
    expect(await page.locator('.more, dialog').count()).toBe(0)
    await page.goto('/settings/search')
    await page.getByRole('button', { name: 'Reset to defaults' }).click()
  })

  it('the end of the results is said in the place of the link, and so is a failure, after which the link leads on', async () => {
    await page.goto('/search?q=climate+before:soon')
    const note = page.locator('.partial', { hasText: 'before:soon' })
    await page.route(/page=2/, async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${server.url}/search?q=nothingtofind&page=2` }) }),
    )
    await more(page).click()
    await page.getByText('There are no more results.').first().waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('There are no more results.')
    expect(await more(page).count()).toBe(0)
    // What the page says of its operators isn't said again.
    expect(await note.count()).toBe(1)
    await page.unroute(/page=2/)
    await page.goto(SEARCH)
    await page.route(/page=2/, (route) => route.abort())
    await more(page).click()
    await page.getByText('More results couldn’t be loaded.').waitFor()
    await page.unroute(/page=2/)
    await more(page).click()
    await page.waitForURL(/page=2/)
  })

  it('the menu of a result that came later works', async () => {
    await page.goto(SEARCH)
    await more(page).click()
    const menu = page.locator('.more .menu').first()
    await menu.locator('summary').click()
    await menu.getByRole('button', { name: /^Raise/ }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
  })

  it('suggestions appear while typing, with bangs that wait for words and answers beside what was typed', async () => {
    await page.goto('/')
    const field = page.getByRole('main').getByRole('combobox')
    await field.fill('!gh')
    await page.getByRole('option', { name: '!gh github.com', exact: true }).click()
    expect(await field.inputValue()).toBe('!gh ')
    await field.fill('12 km in m')
    await page.getByRole('option', { name: '12 km in m = 12,000 m' }).waitFor()
    expect(await findings(tab)).toEqual([])
    await page.keyboard.press('ArrowDown')
    expect(await field.getAttribute('aria-activedescendant')).toBeTruthy()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=12\+km\+in\+m$/)
  })

  it('typed text is sent once typing pauses, not below three letters, and not at all if that is turned off', async () => {
    const sent: string[] = []
    page.on('request', (request) => {
      const address = new URL(request.url())
      if (address.pathname === '/suggest') sent.push(address.searchParams.get('q') ?? '')
    })
    let time = Date.UTC(2026, 10, 15)
    const type = async (text: string) => {
      await page.goto('/')
      time += 60_000
      await page.clock.pauseAt(time)
      await page.getByRole('main').locator('input[type=search]').pressSequentially(text)
      await page.clock.runFor(2_000)
    }
    await page.clock.install({ time })
    await type('cl')
    await type('climate')
    await expect.poll(() => sent).toEqual(['climate'])
    await page.goto('/settings/search')
    await page.getByLabel('Suggestions while typing').uncheck()
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await page.getByText('Nothing is sent while you type.').waitFor()
    await type('weather')
    expect(sent).toEqual(['climate'])
    // They belong to the account, which the other tests use as well.
    await page.goto('/settings/search')
    await page.getByLabel('Suggestions while typing').check()
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await page.getByText('Preferences saved.').waitFor()
  })
})

it('without script there are pages for operators, related searches and more results', async () => {
  const tab = await openSignedIn({ javaScriptEnabled: false })
  const { page } = tab
  await page.goto(SEARCH)
  await page.getByRole('link', { name: 'Keys and operators' }).click()
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  await page.goto(SEARCH)
  await page.getByRole('link', { name: 'Related searches' }).click()
  await page.locator('.related-list a').first().click()
  await page.waitForURL(/\/search\?q=/)
  expect(await more(page).count()).toBe(0)
  await leave(tab)
})

describe('a slow engine', () => {
  beforeEach(() => server.sandbox.reset())

  /** Every shift, including those that browsers excuse after a key or a click. */
  const WATCH_ALL = `
    globalThis.shift = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value
    }).observe({ type: 'layout-shift', buffered: true })`

  async function searchSlowly(options: BrowserContextOptions = {}, path = `/search?q=${freshQuery()}`): Promise<Tab> {
    const tab = await open({ ...PHONE, ...options })
    await tab.page.addInitScript(WATCH_ALL)
    await tab.page.goto(path, { waitUntil: 'commit' })
    return tab
  }

  /** As a reader sees them: the first one who asks for the stylesheet waits for it to be compressed. */
  async function earlyResults(page: Page): Promise<void> {
    await page.locator('.early .result').first().waitFor()
    await page.waitForFunction('document.styleSheets.length > 0')
  }
  /** What came late may belong above what is shown. */
  const SETTLED = /All engines have answered|arrived later rank higher/
  const settled = (page: Page, text: RegExp) => page.locator('.waiting', { hasText: text }).waitFor()
  /** Engines write one address in several ways, and streamed results keep the first. */
  const pagesOf = async (page: Page) =>
    (await linksOf(page, 'main'))
      .map((link) => (link ?? '').replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/?(?:[?#].*)?$/, ''))
      .toSorted()

  it('is not waited for: the first results and the card are there, and the rest is added without moving them', async () => {
    // A card that is late would be left out.
    await server.api.get('/api/v1/cards/?q=Eiffel+Tower')
    const release = held.hold('mojeek')
    const tab = await searchSlowly({}, '/search?q=Eiffel+Tower')
    const { page } = tab
    await earlyResults(page)
    expect(await page.locator('.waiting').innerText()).toMatch(/^Waiting for Mojeek/)
    const early = await linksOf(page, 'main .result')
    const topOf = async (selector: string, at = 0) => (await page.locator(selector).nth(at).boundingBox())?.y ?? 0
    const tops = async () => [await topOf('.result', 2), await topOf('.rail .card'), await topOf('.result', 3)]
    const before = await tops()
    expect(before).toEqual(before.toSorted((one, other) => one - other))
    await page.locator('.early .result-link').nth(1).focus()
    expect(await findings(tab)).toEqual([])
    release()
    await settled(page, SETTLED)
    expect((await tops()).slice(0, 2)).toEqual(before.slice(0, 2))
    expect(await page.evaluate<number>('shift')).toBe(0)
    expect(await focused(page)).toBe(early[1])
    expect((await linksOf(page, 'main .result')).length).toBeGreaterThan(early.length)
    expect(await findings(tab)).toEqual([])
    // The cached page, and the one that the reader comes back to, have the same links.
    const all = await pagesOf(page)
    await page.goto('/docs')
    await page.goBack()
    await page.locator('.result').first().waitFor()
    expect(await pagesOf(page)).toEqual(all)
    await page.reload()
    expect(await page.locator('template, .waiting').count()).toBe(0)
    expect(await pagesOf(page)).toEqual(all)
    await leave(tab)
  })

  it('that fails is reported in the same place', async () => {
    server.sandbox.setFault('mojeek', { kind: 'status', status: 500 })
    const release = held.hold('mojeek')
    const tab = await searchSlowly()
    await earlyResults(tab.page)
    release()
    await settled(tab.page, /Mojeek could not be reached/)
    expect(await tab.page.evaluate<number>('shift')).toBeLessThan(0.02)
    await leave(tab)
  })

  it('is waited for without script, and by more results: what comes is complete', async () => {
    const release = held.hold('mojeek')
    const plain = await searchSlowly({ javaScriptEnabled: false })
    release()
    await plain.page.waitForLoadState('load')
    expect(await plain.page.locator('.waiting').count()).toBe(0)
    const links = await linksOf(plain.page, 'main')
    await plain.page.reload()
    expect(await linksOf(plain.page, 'main')).toEqual(links)
    await leave(plain)
    const tab = await open()
    await tab.page.goto(`/search?q=${freshQuery()}`)
    const releaseMore = held.hold('mojeek')
    await more(tab.page).click()
    releaseMore()
    await page2(tab.page).waitFor()
    // The one who was slow is among those who found them, and nothing of a page that is still on its way is left.
    expect(await tab.page.locator('.more .why', { hasText: 'Mojeek' }).count()).toBeGreaterThan(0)
    expect(await tab.page.locator('.waiting, .early, template').count()).toBe(0)
    await leave(tab)
  })

  it.each([true, false])('that is private has a link, with script until it answers: %s', async (javaScriptEnabled) => {
    const tab = await openSignedIn({ ...PHONE, javaScriptEnabled })
    const { page } = tab
    await page.addInitScript(WATCH_ALL)
    const release = held.hold('karakeep')
    await page.goto(`/search?q=${freshQuery()}`)
    const link = page.getByRole('link', { name: 'Show what they find' })
    await link.waitFor()
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
    release()
    if (!javaScriptEnabled) await link.click()
    await page
      .locator(javaScriptEnabled ? '.mine .result-link' : '.result-link')
      .nth(2)
      .waitFor()
    if (javaScriptEnabled) expect(await page.evaluate<number>('shift')).toBe(0)
    await leave(tab)
  })
})
