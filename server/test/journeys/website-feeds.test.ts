// A person makes a feed of a search, copies its address, and deletes it, with script and without. Chromium's own parser
// reads what feed readers get.
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { rssFeed } from '../../src/site/feeds/feed-documents.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
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

const PHONE = { width: 390, height: 844 }

describe.each([
  ['with script', true],
  ['without script', false],
])('a person, %s', (_how, javaScriptEnabled) => {
  let tab: Tab

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, { javaScriptEnabled, viewport: PHONE })
    await signIn(tab.page, demo)
  })

  afterAll(async () => {
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
    await tab.close()
  })

  const look = async () => {
    expect(await overflow(tab)).toBe(0)
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
  }

  it('makes a feed of a search by keyboard, reads it, and deletes it', async () => {
    const { page } = tab
    await page.goto('/search?q=hostile&tab=news&lang=en')
    await page.getByRole('link', { name: 'Feed of this search' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings\/feeds\?/)
    await look()
    await page.getByRole('button', { name: 'Create feed' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your feed' }).waitFor()
    await look()
    const [rss = '', json = ''] = await page.locator('.copyable code').allTextContents()
    const [xml, feed] = [await page.request.get(rss), await page.request.get(json)]
    const { items } = (await feed.json()) as { items: { title: string; content_text: string }[] }
    expect(items.length).toBeGreaterThan(3)
    expect(await parse([await xml.text()])).toEqual([items.map(({ title }) => title)])
    // It is shown once.
    await page.goto('/settings/feeds')
    expect(await page.locator('body').innerText()).not.toContain('/feeds/')
    expect(await page.locator('tbody tr').innerText()).toMatch(/hostile\s+News · English\s/)
    await look()
    await page.getByRole('button', { name: 'Delete the feed of “hostile”' }).click()
    await page.getByText('The feed was deleted.').waitFor()
    expect((await page.request.get(rss)).status()).toBe(404)
    await look()
  })
})

/** The titles of each document's items, as Chromium reads them; it is strict about XML. */
const parse = async (documents: readonly string[]): Promise<string[][]> => {
  const { page, close } = await openTab(browser, demo.url)
  try {
    return await page.evaluate<string[][]>(`${JSON.stringify(documents)}.map((text) => {
      const xml = new DOMParser().parseFromString(text, 'text/xml')
      if (xml.querySelector('parsererror')) throw new Error('no XML: ' + JSON.stringify(text))
      return [...xml.querySelectorAll('item > title')].map((title) => title.textContent)
    })`)
  } finally {
    await close()
  }
}

it('a strict reader reads a feed of anything', async () => {
  // Halves of pairs included.
  const codes = fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0x9f }))
  const texts = fc.sample(fc.array(codes), { seed: 17, numRuns: 500 }).map((all) => String.fromCodePoint(...all))
  const common = {
    description: '',
    pageUrl: 'https://a.example/?a&b',
    feedUrl: 'https://a.example/"',
    language: 'en',
  }
  const documents = ['', ']]>', '<!--', '&#0;', '&amp;', ...texts].map((text) =>
    rssFeed({
      ...common,
      title: text,
      lifeSeconds: 3_600,
      items: [{ id: text, url: text, title: `${text}.`, text, publishedAt: undefined }],
    }),
  )
  const titles = await parse(documents)
  expect(titles.map((found) => found.length)).toEqual(documents.map(() => 1))
  expect(titles.slice(0, 5).flat()).toEqual(['.', ']]>.', '<!--.', '&#0;.', '&amp;.'])
})
