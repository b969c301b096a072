// A slow engine on the website: the others' results appear immediately, and nothing visible moves afterwards.
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshQuery } from '../spec/fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { UNHURRIED } from '../support/site-pages.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

/** Long enough that a busy machine shows the first results before it ends. */
const SLOW_MS = 4_000
const MOST_SHIFT = 0.02
/** The viewport in which a shift moves the most. */
const PHONE = { width: 390, height: 800 }

let server: TestInstance
let browser: Browser
beforeAll(async () => {
  const settings = {
    ...WITHOUT_RATE_LIMIT,
    ...UNHURRIED,
    SITE_ACCESS: 'public',
    MINE: 'karakeep',
    SEARCH_TIMEOUT_MS: '20000',
  }
  ;[server, browser] = await Promise.all([startTestInstance(settings), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(() => server.sandbox.reset())

/** Runs in the page: sums every shift, including those that browsers excuse after a key or a click. */
const WATCH_SHIFTS = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
`
const LINKS = "[...document.querySelectorAll('.result .result-link')].map(({ href }) => href)"
/** The links in view, with their positions. */
const PLACES = `[...document.querySelectorAll('.result .result-link')]
  .filter((link) => link.getBoundingClientRect().top < innerHeight)
  .map((link) => [link.href, Math.round(link.getBoundingClientRect().top)])`

/** Normalizes: engines write one address in several ways, and streamed results keep the first. */
const pagesOf = (links: readonly string[]) =>
  links.map((link) => link.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/?(?:[?#].*)?$/, '')).toSorted()

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations: found } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })")
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

async function search(tab: Tab): Promise<string> {
  const path = `/search?q=${freshQuery()}`
  await tab.page.addInitScript(WATCH_SHIFTS)
  await tab.page.goto(path, { waitUntil: 'commit' })
  return path
}

/** As a reader sees them: the first one who asks for the stylesheet waits for it to be compressed. */
async function earlyResults(page: Page): Promise<void> {
  await page.locator('.early .result').first().waitFor()
  await page.waitForFunction('document.styleSheets.length > 0')
}

/** All engines have answered; what came late may belong above what is shown. */
const SETTLED = /All engines have answered|arrived later rank higher/

const settled = (page: Page, text: string | RegExp) => page.locator('.waiting', { hasText: text }).waitFor()

describe('a slow search', () => {
  const open = (javaScriptEnabled = true) =>
    openTab(browser, server.url, { viewport: PHONE, javaScriptEnabled, reducedMotion: 'reduce' })

  it('shows the first results immediately, and adds the rest without moving them', async () => {
    const tab = await open()
    const { page } = tab
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: SLOW_MS })
    await search(tab)
    await earlyResults(page)
    expect(await page.locator('.waiting').innerText()).toMatch(/^Waiting for Mojeek/)
    const early = await page.evaluate<string[]>(LINKS)
    const places = await page.evaluate<[string, number][]>(PLACES)
    expect(places.length).toBeGreaterThan(2)
    await page.locator('.early .result-link').nth(1).focus()
    expect(await violations(page)).toEqual([])
    await settled(page, SETTLED)
    expect(await page.evaluate<[string, number][]>(PLACES)).toEqual(places)
    expect(await page.evaluate<string>('document.activeElement.href')).toBe(early[1])
    const links = await page.evaluate<string[]>(LINKS)
    expect(links.length).toBeGreaterThan(early.length)
    expect(await page.evaluate<number>('window.shift')).toBeLessThan(MOST_SHIFT)
    expect(await violations(page)).toEqual([])
    // The keys move through all of them, and the cached page has the same links in the same order.
    await page.keyboard.press('j')
    expect(await page.evaluate<string>('document.activeElement.href')).toBe(links[2])
    await page.reload()
    expect(await page.locator('template, .waiting').count()).toBe(0)
    expect(pagesOf(await page.evaluate<string[]>(LINKS))).toEqual(pagesOf(links))
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  it('has its card after the third result from the beginning, and none of them moves', async () => {
    const tab = await open()
    const { page } = tab
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: SLOW_MS })
    await page.addInitScript(WATCH_SHIFTS)
    await page.goto('/search?q=Eiffel+Tower', { waitUntil: 'commit' })
    await earlyResults(page)
    const topOf = async (selector: string, at = 0) => (await page.locator(selector).nth(at).boundingBox())?.y ?? 0
    const tops = async () => [await topOf('.result', 2), await topOf('.rail .card'), await topOf('.result', 3)]
    const early = await tops()
    expect(early).toEqual(early.toSorted((one, other) => one - other))
    await settled(page, SETTLED)
    expect((await tops()).slice(0, 2)).toEqual(early.slice(0, 2))
    expect(await page.evaluate<number>('window.shift')).toBe(0)
    await tab.close()
  })

  it('has its card after fewer than three results if no more were early, and it stays there', async () => {
    const tab = await open()
    const { page } = tab
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>()
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: SLOW_MS })
    // The page is read up to the early results, of which two are left, and waits there.
    await page.route('**/search?*', async (route) => {
      const reply = await route.fetch()
      const [early = '', late = ''] = (await reply.text()).split('<wbr hidden>')
      const [before = '', one = '', two = ''] = early.split(/(?=<li class="result)/)
      const body = `${before}${one}${two}</ol></div>${early.slice(early.indexOf('<div class="rail"'))}<script src="/rest.js"></script>${late}`
      await route.fulfill({ response: reply, body })
    })
    await page.route('**/rest.js', async (route) => {
      await rest
      await route.fulfill({ contentType: 'text/javascript', body: '' })
    })
    await page.goto('/search?q=Ada+Lovelace', { waitUntil: 'commit' })
    await earlyResults(page)
    const place = () => page.locator('.rail .card').boundingBox()
    expect(await page.locator('.result').count()).toBe(2)
    const early = await place()
    sendRest()
    await settled(page, SETTLED)
    expect(await page.locator('.result').count()).toBeGreaterThan(3)
    expect(await place()).toEqual(early)
    await tab.close()
  })

  it('reports in the same place that the slow engine failed', async () => {
    const tab = await open()
    server.sandbox.setFault('mojeek', { kind: 'status', status: 500, latencyMs: SLOW_MS })
    await search(tab)
    await settled(tab.page, /Mojeek could not be reached/)
    expect(await tab.page.evaluate<number>('window.shift')).toBeLessThan(MOST_SHIFT)
    expect(await tab.page.locator('.result').count()).toBeGreaterThan(5)
    await tab.close()
  })

  it('without script is one complete page', async () => {
    const tab = await open(false)
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: SLOW_MS })
    await search(tab)
    await tab.page.waitForLoadState('load')
    const links = await tab.page
      .locator('.result-link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(await tab.page.locator('.waiting').count()).toBe(0)
    await tab.page.reload()
    const again = await tab.page
      .locator('.result-link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(again)
    await tab.close()
  })

  it('is complete when it is the next page, added below this one', async () => {
    const tab = await open()
    const { page } = tab
    await search(tab)
    await page.locator('.pagination').waitFor()
    const first = await page.evaluate<string[]>(LINKS)
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: SLOW_MS / 2 })
    await page.getByRole('link', { name: 'More results' }).click()
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    const links = await page.evaluate<string[]>(LINKS)
    expect(links.slice(0, first.length)).toEqual(first)
    // The one who was slow is among those who found them, and nothing of a page that is still on its way is left.
    expect(await page.locator('.more .why', { hasText: 'Mojeek' }).count()).toBeGreaterThan(0)
    expect(await page.locator('.waiting, .early, template').count()).toBe(0)
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  it('is complete when the reader leaves and comes back', async () => {
    const tab = await open()
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: SLOW_MS })
    await search(tab)
    await settled(tab.page, SETTLED)
    const links = await tab.page.evaluate<string[]>(LINKS)
    await tab.page.goto('/docs')
    await tab.page.goBack()
    await tab.page.locator('.result').first().waitFor()
    expect(pagesOf(await tab.page.evaluate<string[]>(LINKS))).toEqual(pagesOf(links))
    await tab.close()
  })
})

describe('private services that are slow', () => {
  it.each([PHONE, { width: 1280, height: 800 }])(
    'at $width px, what they find takes the place of the link, and nothing moves',
    async (viewport) => {
      const tab = await openTab(browser, server.url, { viewport, reducedMotion: 'reduce' })
      const { page } = tab
      await signIn(page, { username: 'ada', password: 'correct horse battery' })
      await page.addInitScript(WATCH_SHIFTS)
      server.sandbox.setFault('karakeep', { kind: 'latency', latencyMs: SLOW_MS })
      await page.goto(`/search?q=${freshQuery()}`)
      await page.getByRole('link', { name: 'Show what they find' }).waitFor()
      expect(await violations(page)).toEqual([])
      await page.locator('.mine .result-link').nth(2).waitFor()
      expect(await page.locator('.mine').innerText()).not.toContain('still searching')
      expect(await page.evaluate<number>('window.shift')).toBe(0)
      expect(await violations(page)).toEqual([])
      expect(tab.complaints).toEqual([])
      await tab.close()
    },
  )

  it('without script, the link leads to what they find', async () => {
    const tab = await openTab(browser, server.url, { javaScriptEnabled: false })
    const { page } = tab
    await signIn(page, { username: 'ada', password: 'correct horse battery' })
    server.sandbox.setFault('karakeep', { kind: 'latency', latencyMs: SLOW_MS })
    await page.goto(`/search?q=${freshQuery()}`)
    await page.getByRole('link', { name: 'Show what they find' }).click()
    await page.waitForURL(/\/mine\?/)
    expect(await page.locator('.result').count()).toBeGreaterThan(0)
    await tab.close()
  })
})
