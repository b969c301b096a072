// A person who hasn't found it yet: more results in place, on a phone and on a desktop, with keys and with a failing
// network; operators and keys in a sheet; related searches; bangs and answers among the suggestions. Without script, there
// are pages for all of it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { shiftsOf, watchShifts } from '../support/layout-shifts.ts'
import { UNHURRIED } from '../support/site-pages.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const SEARCH = '/search?q=climate'

// A text: the types of a browser aren't those of Node.js.
const FOCUSED = 'document.activeElement.href ?? document.activeElement.localName'

const focused = (page: Page) => page.evaluate<string>(FOCUSED)
const linksOf = (page: Page, place: string) =>
  page.locator(`${place} .result-link`).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
const more = (page: Page) => page.getByRole('link', { name: 'More results' })
const spoken = (page: Page) => page.locator('body > [role=status]')

/** Longer than the half second after a click in which browsers excuse what moves. */
const delay = (page: Page, address: RegExp) =>
  page.route(address, async (route) => {
    await sleep(700)
    await route.continue()
  })

/** The page at `path` answers for the address. */
const instead = (page: Page, address: RegExp, path: string) =>
  page.route(address, async (route) => route.fulfill({ response: await route.fetch({ url: demo.url + path }) }))

describe.each([
  [390, 844, 'dark'],
  [1280, 900, 'light'],
] as const)('in a window of %s pixels', (width, height, colorScheme) => {
  let tab: Tab

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, { viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
    await signIn(tab.page, demo)
    await watchShifts(tab.page)
  })

  afterAll(() => tab.close())

  it('more results come below the others, as on a page of their own, and the focus is on the first', async () => {
    const { page } = tab
    // The second page leaves out what the first has, once that is known.
    await page.goto(SEARCH)
    const first = await linksOf(page, '.results')
    await page.goto(`${SEARCH}&page=2`)
    const second = await linksOf(page, '.results')
    await page.goto(SEARCH)
    await delay(page, /page=2/)
    await more(page).click()
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    await page.unroute(/page=2/)
    expect(await linksOf(page, '.results')).toEqual([...first, ...second])
    expect(await focused(page)).toBe(second[0])
    expect(await page.locator('.more > ol').getAttribute('start')).toBe(String(first.length + 1))
    expect(await spoken(page).textContent()).toBe(`Page 2. ${second.length} more results.`)
    expect(new URL(page.url()).search).toBe('?q=climate')
    expect(await more(page).getAttribute('href')).toContain('page=3')
    expect(await page.locator('.small-print').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Previous page' }).count()).toBe(0)
    expect([await shiftsOf(page), await overflow(tab), await findings(tab)]).toEqual([[], 0, []])
  })

  it('related searches are asked for when they are opened, and take the place of their link', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    await delay(page, /search\/related/)
    await page.getByRole('link', { name: 'Related searches' }).click()
    await page.getByRole('heading', { name: 'Related searches' }).waitFor()
    await page.unroute(/search\/related/)
    const links = page.locator('.related-list a')
    expect(await links.count()).toBeGreaterThan(3)
    expect(await focused(page)).toContain(await links.first().getAttribute('href'))
    expect([await shiftsOf(page), await overflow(tab), await findings(tab)]).toEqual([[], 0, []])
  })

  it('a sheet explains keys and operators from its top, and closes with Escape', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    await page.getByRole('link', { name: 'Keys and operators' }).click()
    const sheet = page.getByRole('dialog', { name: 'Keys and operators' })
    await sheet.getByRole('heading', { name: 'Search operators' }).waitFor()
    expect([await shiftsOf(page), await overflow(tab), await findings(tab)]).toEqual([[], 0, []])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    expect(new URL(await focused(page)).pathname).toBe('/search/operators')
    await page.keyboard.press('?')
    await sheet.getByText('Open the result in a new tab').waitFor()
    expect(await sheet.evaluate((dialog) => dialog.scrollTop)).toBe(0)
    expect(await sheet.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Keys', 'Search operators'])
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'hidden' })
  })

  it('nothing broke, and nobody else was asked', () => {
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
  })
})

describe('with script', () => {
  let tab: Tab

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, { viewport: { width: 1280, height: 900 } })
    await signIn(tab.page, demo)
  })

  afterAll(() => tab.close())

  it('keys move, load more, go to the top and open a new tab', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    const first = await linksOf(page, '.column')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused(page)).toBe(first[0])
    await page.context().route(`${first[0]}`, (route) => route.fulfill({ body: 'the result' }))
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('v')])
    await opened.waitForLoadState()
    expect(opened.url()).toBe(first[0])
    await opened.close()
    tab.strangers.length = 0
    await page.keyboard.press('t')
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    const second = await linksOf(page, '.more')
    expect(await focused(page)).toBe(second[0])
    await page.keyboard.press('k')
    expect(await focused(page)).toBe(first.at(-1))
    await page.keyboard.press('t')
    expect(await page.evaluate('[scrollY, document.activeElement.localName]')).toEqual([0, 'body'])
    await page.goto(`${SEARCH}&page=2`)
    await page.keyboard.press('p')
    await page.waitForURL((address) => !address.searchParams.has('page'))
  })

  it.each([
    ['a result that keys led to', (page: Page) => page.keyboard.press('j')],
    ['a click in the page', (page: Page) => page.locator('.result p').first().click()],
  ])('after %s, more results get the focus, too', async (_, prepare) => {
    const { page } = tab
    await page.goto(SEARCH)
    await prepare(page)
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    expect(await focused(page)).toBe((await linksOf(page, '.more'))[0])
  })

  it('what the page says of its operators isn’t said again with more results', async () => {
    const { page } = tab
    await page.goto('/search?q=climate+before:soon')
    const note = page.locator('.partial', { hasText: 'before:soon' })
    expect(await note.count()).toBe(1)
    await more(page).click()
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    expect(await note.count()).toBe(1)
  })

  it('if there are no more results, that is said in the place of the link', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    await instead(page, /page=2/, '/search?q=nothingtofind&page=2')
    await more(page).click()
    await page.getByText('There are no more results.').first().waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('There are no more results.')
    expect([await spoken(page).textContent(), await more(page).count()]).toEqual(['There are no more results.', 0])
    await page.unroute(/page=2/)
  })

  it('if there are no related searches, the focus is on the words that say it', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    await instead(page, /search\/related/, '/search/related?q=nothingtofind')
    await page.getByRole('link', { name: 'Related searches' }).click()
    await page.getByRole('heading', { name: 'Related searches' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('No related searches were found.')
    await page.unroute(/search\/related/)
  })

  it('the link has one name in browsers that don’t know before a script runs that it will', async () => {
    const { page } = tab
    await page.route(/assets\/site\..*css/, async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, body: (await reply.text()).replaceAll('(scripting', '(unknown') })
    })
    await page.goto(SEARCH)
    await page.getByRole('link', { name: 'More results', exact: true }).waitFor()
    await page.unroute(/assets\/site\..*css/)
  })

  it.each([
    ['while typing', async (page: Page) => page.locator('.top input[type=search]').focus(), ''],
    ['if they are turned off', async () => undefined, 'keys=off'],
  ])('no key does anything %s', async (_, prepare, preferences) => {
    const other = await openTab(browser, demo.url)
    if (preferences) {
      // Signed in, they are in the account.
      await signIn(other.page, demo)
      await other.page.goto('/settings/search')
      await other.page.getByLabel('Keyboard shortcuts').uncheck()
      await other.page.getByRole('button', { name: 'Save preferences' }).click()
    } else await signIn(other.page, demo)
    await other.page.goto(SEARCH)
    await prepare(other.page)
    const before = await focused(other.page)
    for (const key of ['j', 'n', 'v', '?', 't']) await other.page.keyboard.press(key)
    expect([await focused(other.page), await other.page.locator('.more, dialog').count()]).toEqual([before, 0])
    if (preferences) {
      await other.page.keyboard.press('/')
      expect(await focused(other.page)).toBe('body')
      await other.page.goto('/settings/search')
      await other.page.getByRole('button', { name: 'Reset to defaults' }).click()
    }
    await other.close()
  })

  it('if more results can’t be loaded, that is said, and the link leads to the page', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    await page.route(/page=2/, (route) => route.abort())
    await more(page).click()
    await page.getByText('More results couldn’t be loaded.').waitFor()
    await page.unroute(/page=2/)
    await more(page).click()
    await page.waitForURL(/page=2/)
  })

  it('the menu of a result that came later works, and so does the viewer of images', async () => {
    const { page } = tab
    await page.goto(SEARCH)
    await more(page).click()
    const menu = page.locator('.more .menu').first()
    await menu.locator('summary').click()
    await menu.getByRole('button', { name: /^Raise/ }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.goto(`${SEARCH}&tab=images`)
    const before = await page.locator('.image-grid .result-link').count()
    const place = page.locator('[data-place]')
    const next = page.locator('[data-step="1"]')
    await page.locator('.image-grid .result-link').last().click()
    expect([await place.textContent(), await next.isDisabled()]).toEqual([`${before} / ${before}`, true])
    await more(page).click()
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    const all = await page.locator('.image-grid .result-link').count()
    expect([await place.textContent(), await next.isDisabled()]).toEqual([`${before} / ${all}`, false])
    await page.locator('.more .image-grid .result-link').first().click()
    expect(await place.textContent()).toMatch(new RegExp(`^${before + 1} / `))
    await page.keyboard.press('ArrowLeft')
    expect(await place.textContent()).toMatch(new RegExp(`^${before} / `))
  })

  it('a bang that is chosen waits for words, and an answer is beside what was typed', async () => {
    const { page } = tab
    await page.goto('/')
    const field = page.getByRole('main').getByRole('combobox')
    await field.fill('!gh')
    await page.getByRole('option', { name: '!gh github.com', exact: true }).click()
    expect([await field.inputValue(), new URL(page.url()).pathname]).toEqual(['!gh ', '/'])
    await field.fill('12 km in m')
    await page.getByRole('option', { name: '12 km in m = 12,000 m' }).waitFor()
    expect(await findings(tab)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=12\+km\+in\+m$/)
  })

  it('nothing broke, and nobody else was asked', () => {
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
  })
})

it('without script, there is a page for each', async () => {
  const tab = await openTab(browser, demo.url, { javaScriptEnabled: false })
  const { page } = tab
  await signIn(page, demo)
  await page.goto(SEARCH)
  await page.getByRole('link', { name: 'Keys and operators' }).click()
  expect(await page.getByRole('heading', { name: 'Keys', exact: true }).isVisible()).toBe(true)
  await page.goto(SEARCH)
  await page.getByRole('link', { name: 'Related searches' }).click()
  await page.locator('.related-list a').first().click()
  await page.waitForURL(/\/search\?q=/)
  expect(await more(page).count()).toBe(0)
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/page=2/)
  await tab.close()
})
