// A person searches in a real browser, with script and without: every tab, pages, filters, undoing a correction, and
// hostile results that may not run, leave the site or break the page.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings } from '../support/accessible-pages.ts'
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

const TABS = ['Images', 'News', 'Videos', 'Science', 'Code'] as const

describe.each([
  ['with script', true],
  ['without script', false],
])('a searcher %s', (_how, javaScriptEnabled) => {
  let tab: Tab

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, { javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    await signIn(tab.page, demo)
  })

  afterAll(() => tab.close())

  const results = () => tab.page.locator('main .result')

  it('searches from the home page and gets results, with the field filled in', async () => {
    const { page } = tab
    await page.goto('/')
    await page.getByRole('main').getByRole('combobox').or(page.getByRole('searchbox')).first().fill('climate')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=climate/)
    expect(await results().count()).toBeGreaterThanOrEqual(10)
    expect(await page.title()).toContain('climate')
  })

  it.each([
    ['Images', '/search?tab=images', 'What are you looking for?'],
    ['Web', '/search', 'What are you looking for?'],
    ['Maps', '/maps', 'Which place are you looking for?'],
    ['Translate', '/translate', 'Translate'],
  ])('opens %s from the home page with an empty field', async (name, address, title) => {
    const { page } = tab
    await page.goto('/')
    await page.getByRole('main').getByRole('button', { name, exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/')
    // Without script, the address says that the field was empty.
    const params = page.url().slice(demo.url.length).replace(/q=&?/, '').replace(/\?$/, '')
    expect([params, await page.getByRole('heading', { level: 1 }).innerText()]).toEqual([address, title])
  })

  it('goes from the language in the footer to its setting, and changes it', async () => {
    const { page } = tab
    await page.goto('/docs')
    await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
    const field = page.getByLabel('Site language')
    // The focus is on the field, and its label is in sight, below the header.
    await page.locator('select[name=interface]:focus').waitFor()
    const [label, header] = [
      await page.getByText('Site language', { exact: true }).boundingBox(),
      await page.locator('.top').boundingBox(),
    ]
    expect(label?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
    expect(label?.y).toBeLessThan(900)
    await field.selectOption('de')
    await page.getByRole('button', { name: 'Save preferences' }).click()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.goto('/docs')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Deutsch' }).click()
    await page.locator('select[name=interface]').selectOption('auto')
    await page.locator('.preferences .form button').click()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  it.each(TABS)('opens %s with the same query', async (name) => {
    const { page } = tab
    await page.goto('/search?q=climate')
    await page.getByRole('navigation', { name: 'Types of results' }).getByRole('link', { name }).click()
    await page.waitForURL(new RegExp(`tab=${name.toLowerCase()}`))
    const found = page.locator('main').getByRole('link')
    expect(await found.count()).toBeGreaterThanOrEqual(10)
  })

  it('goes to the next page and back', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    const first = await results().first().innerText()
    const next = page.getByRole('link', { name: javaScriptEnabled ? 'More results' : 'Next page' })
    // With script, only a click that asks for another tab or window leads to the page.
    await (javaScriptEnabled ? page.goto((await next.getAttribute('href')) ?? '') : next.click())
    await page.waitForURL(/page=2/)
    expect(await results().first().innerText()).not.toBe(first)
    await page.getByRole('link', { name: 'Previous page' }).click()
    expect(await results().first().innerText()).toBe(first)
  })

  it('types a bang, and is redirected to the other site without a referrer', async () => {
    const { page } = tab
    const asked: [string, string | undefined][] = []
    await page.route('https://github.com/**', async (route) => {
      asked.push([route.request().url(), route.request().headers()['referer']])
      await route.fulfill({ body: 'elsewhere' })
    })
    await page.goto('/')
    await page.getByRole('main').getByRole('combobox').or(page.getByRole('searchbox')).first().fill('!gh bower bird')
    await page.keyboard.press('Enter')
    await page.waitForURL('https://github.com/**')
    expect(asked).toEqual([['https://github.com/search?q=bower%20bird', undefined]])
    tab.strangers.length = 0
  })

  it('filters by date', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    await page.locator('select[name=date]').selectOption('d')
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/date=d/)
    expect(await page.locator('select[name=date]').inputValue()).toBe('d')
  })

  it('asks for a country, keeps it on other tabs, and is told whose results it has no effect on', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    await page.getByLabel('Region').selectOption({ label: 'Austria' })
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/region=AT/)
    expect(await page.getByLabel('Region').inputValue()).toBe('AT')
    const note = page.getByText('The region has no effect on the results of Marginalia.')
    expect(await note.isVisible()).toBe(true)
    await page.getByRole('link', { name: 'News', exact: true }).click()
    await page.waitForURL(/tab=news&region=AT/)
    await page.getByRole('link', { name: 'Clear' }).click()
    expect(await page.getByLabel('Region').inputValue()).toBe('')
  })

  it('prefers a country in every search, and asks for any in one', async () => {
    const { page } = tab
    await page.goto('/settings/search')
    await page.getByLabel('Region').selectOption({ label: 'Switzerland' })
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await page.goto('/search?q=glacier')
    expect(await page.getByText('The region has no effect').count()).toBe(1)
    await page.getByLabel('Region').selectOption({ label: 'Any region' })
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/region=all/)
    expect(await page.getByText('The region has no effect').count()).toBe(0)
    await page.goto('/settings/search')
    await page.getByRole('button', { name: 'Reset to defaults' }).click()
  })

  it('goes back from a filter, and the filter shows what is applied again', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    await page.locator('select[name=date]').selectOption('w')
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/date=w/)
    await page.goBack()
    await page.waitForURL((address) => !address.search.includes('date'))
    expect(await page.locator('select[name=date]').inputValue()).toBe('')
  })

  it('can see why a result ranks where it does', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    const summary = results().first().locator('.why summary')
    const before = await summary.boundingBox()
    await summary.click()
    // It stays under the pointer.
    expect(await summary.boundingBox()).toEqual(before)
    expect(await results().first().innerText()).toMatch(/Brave|Mojeek|Marginalia/)
    // A press on its text selects it.
    await results().first().locator('.why th').first().click()
    expect(await results().first().locator('.why').getAttribute('open')).toBe('')
  })

  it('sees who wrote a paper and where it was published, and takes its BibTeX entry along', async () => {
    const { page } = tab
    await page.goto('/search?q=climate&tab=science')
    const paper = results().first()
    expect(await paper.locator('.where').innerText()).toMatch(/^A\s+Annals of /)
    expect(await paper.locator('.paper-facts').innerText()).toMatch(/^\p{L}+ \p{L}.* · \d{4}$/u)
    expect(await paper.getByRole('link', { name: /^DOI 10\.5555/ }).getAttribute('href')).toBe(
      await paper.locator('.result-link').getAttribute('href'),
    )
    const cite = paper.locator('.cite summary')
    const before = await cite.boundingBox()
    // Beside the engine, not below it.
    expect(before?.y).toBe((await paper.locator('.why summary').first().boundingBox())?.y)
    await cite.click()
    expect(await cite.boundingBox()).toEqual(before)
    expect(await paper.locator('.cite pre').innerText()).toMatch(/^@article\{[a-z]+\d{4}[a-z]+,\n {2}author = \{/)
    expect(await paper.getByRole('button', { name: 'Copy' }).count()).toBe(javaScriptEnabled ? 1 : 0)
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
    // One menu is open at a time.
    await results().nth(1).locator('.cite summary').click()
    expect(await page.locator('.cite[open]').count()).toBe(1)
    if (javaScriptEnabled) await page.keyboard.press('Escape')
    expect(await page.locator('.cite[open]').count()).toBe(javaScriptEnabled ? 0 : 1)
  })

  it('sees which engines were queried when nothing was found', async () => {
    const { page } = tab
    await page.goto('/search?q=nothingtofind')
    expect(await page.locator('main').innerText()).toMatch(/Brave/)
  })

  it('finds a place, and sees a map only after requesting it', async () => {
    const { page } = tab
    await page.goto('/maps?q=Eiffel+Tower')
    expect(await page.locator('main').innerText()).toContain('5, Avenue Anatole France')
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('translates a text', async () => {
    const { page } = tab
    await page.goto('/translate')
    await page.getByLabel('Text').fill('hello')
    await page.locator('select[name=target]').selectOption('fr')
    await page.getByRole('main').getByRole('button', { name: 'Translate' }).click()
    await page.getByText('bonjour').first().waitFor()
  })

  it('changes preferences, and the next search uses them', async () => {
    const { page } = tab
    await page.goto('/settings/search')
    await page.getByLabel('Mojeek').uncheck()
    await page.getByLabel('Dark').check()
    await page.getByRole('button', { name: 'Save preferences' }).click()
    expect(await page.getByRole('main').getByRole('status').innerText()).toContain('Preferences saved.')
    await page.goto('/search?q=climate')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await page.locator('main').innerText()).not.toContain('Mojeek')
    await page.goto('/settings/search')
    await page.getByRole('button', { name: 'Reset to defaults' }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('auto')
  })

  it.each(['web', 'images', 'news', 'videos', 'science', 'code'])('%s: hostile results do nothing', async (name) => {
    const { page } = tab
    await page.goto(`/search?q=hostile&tab=${name}`, { waitUntil: 'networkidle' })
    expect(await page.title()).not.toBe('executed')
    const targets = await page.locator('a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    // The viewer of images has no picture yet.
    expect(targets.filter((target) => !/^(?:$|https?:\/\/[^@]*$|\/|#)/.test(target ?? ''))).toEqual([])
    const sources = await page.locator('img').evaluateAll((pictures) => pictures.map((one) => one.getAttribute('src')))
    expect(sources.filter((source) => !/^(?:$|\/pictures\/|data:image\/svg)/.test(source ?? ''))).toEqual([])
  })

  it('no request went to a third party, and nothing broke in the browser', () => {
    expect(tab.strangers).toEqual([])
    expect(tab.complaints).toEqual([])
  })
})

describe('with script', () => {
  it('suggestions appear while typing, and the keyboard moves through results', async () => {
    const { page, complaints, close } = await openTab(browser, demo.url)
    await signIn(page, demo)
    await page.goto('/')
    await page.getByRole('main').getByRole('combobox').fill('clim')
    const options = page.getByRole('option')
    await options.first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('combobox').first().getAttribute('aria-activedescendant')).toBeTruthy()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=/)
    await page.keyboard.press('j')
    expect(await page.evaluate<boolean>("document.activeElement.matches('.result-link')")).toBe(true)
    await page.keyboard.press('/')
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('q')
    expect(complaints).toEqual([])
    await close()
  })
})

describe('typed text', () => {
  /** Types letter by letter; returns the texts sent to /suggest. */
  async function type(text: string, before: (page: Page) => Promise<void>): Promise<string[]> {
    const { page, close } = await openTab(browser, demo.url)
    await signIn(page, demo)
    await before(page)
    await page.goto('/')
    const sent: string[] = []
    page.on('request', (request) => {
      const address = new URL(request.url())
      if (address.pathname === '/suggest') sent.push(address.searchParams.get('q') ?? '')
    })
    await page.getByRole('main').locator('input[type=search]').pressSequentially(text, { delay: 20 })
    await page.waitForTimeout(1_000)
    await close()
    return sent
  }

  it('is sent once typing pauses, and not at all below three letters', async () => {
    const sent = await type('climate', async () => undefined)
    expect(sent.at(-1)).toBe('climate')
    // A busy machine may pause between two keys.
    expect(sent.length).toBeLessThan(4)
    expect(await type('cl', async () => undefined)).toEqual([])
  })

  it('is not sent for a user who has turned suggestions off', async () => {
    const turnOff = async (page: Page) => {
      await page.goto('/settings/search')
      await page.getByLabel('Suggestions while typing').uncheck()
      await page.getByRole('button', { name: 'Save preferences' }).click()
      await page.getByText('Nothing is sent while you type.').waitFor()
    }
    expect(await type('climate', turnOff)).toEqual([])
  })
})

describe('an answer about the current time', () => {
  const timeOf = async (javaScriptEnabled: boolean, timezoneId: string) => {
    const { page, complaints, close } = await openTab(browser, demo.url, { javaScriptEnabled, timezoneId })
    await signIn(page, demo)
    await page.goto('/search?q=what+time+is+it', { waitUntil: 'networkidle' })
    const shown = await page.locator('.answer').innerText()
    const canCopy = javaScriptEnabled && (await page.locator('.answer [data-copy]').isVisible())
    const [address, cookies] = [page.url(), await page.context().cookies()]
    await close()
    return { shown, canCopy, kept: address + JSON.stringify(cookies), complaints }
  }

  it('is in the reader’s time zone with script, and the zone is in no address and no cookie', async () => {
    const { shown, canCopy, kept, complaints } = await timeOf(true, 'Asia/Kolkata')
    expect(shown).toMatch(/^Instant answer\s+\d\d:\d\d\n[\s\S]*UTC\+5:30/)
    expect([canCopy, complaints]).toEqual([true, []])
    expect(kept).not.toMatch(/kolkata|calcutta|tz=/i)
  })

  it('is in UTC without script, and labelled so', async () => {
    const { shown } = await timeOf(false, 'Asia/Kolkata')
    expect(shown).toMatch(/\(UTC\)/)
  })
})

it('a page of results weighs less than 45 KB before its pictures, with one stylesheet and three small scripts', async () => {
  const { page, close } = await openTab(browser, demo.url)
  await signIn(page, demo)
  // With suggestions, whatever was chosen before.
  await page.goto('/settings/search')
  await page.getByRole('button', { name: 'Reset to defaults' }).click()
  const { baseURL, cookie } = {
    baseURL: demo.url,
    cookie: (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
  }
  await close()
  const peek = async (path: string) => {
    const reply = await fetch(baseURL + path, { headers: { cookie, accept: 'text/html', 'accept-encoding': 'gzip' } })
    const text = await reply.text()
    return { text, encoding: reply.headers.get('content-encoding'), bytes: Number(reply.headers.get('content-length')) }
  }
  const html = await peek('/search?q=climate')
  const styles = [...html.text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map((match) => match[1] ?? '')
  const scripts = [...html.text.matchAll(/<script[^>]* src="([^"]+)"/g)].map((match) => match[1] ?? '')
  expect([styles.length, scripts.length]).toEqual([1, 3])
  const parts = [html, ...(await Promise.all([...styles, ...scripts].map(peek)))]
  expect(parts.map(({ encoding }) => encoding)).toEqual(['gzip', 'gzip', 'gzip', 'gzip', 'gzip'])
  expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(45_000)
  for (const { text } of parts.slice(2)) expect(Buffer.byteLength(text)).toBeLessThan(8_192)
})
