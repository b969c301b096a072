// A person shapes their results: blocks a site from its menu by keyboard and without script, undoes it, opens what was
// folded, and imports a list. A visitor does the same with a cookie.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { UNHURRIED } from '../support/site-pages.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([
    startDemo({ port: 0, settings: { ...UNHURRIED, SITE_ACCESS: 'public' } }),
    launchBrowser(),
  ])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const hostsIn = (page: Page): Promise<string[]> =>
  page.locator('.results .where b').evaluateAll((all) => all.map((host) => host.textContent ?? ''))

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
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  it('blocks a site by keyboard, and undoes it', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    const [site = ''] = await hostsIn(page)
    const menu = page.locator('.result').first().locator('.menu')
    await menu.locator('summary').focus()
    const below = await page.locator('.result').nth(1).boundingBox()
    await page.keyboard.press('Enter')
    const block = menu.getByRole('button', { name: 'Block this site' })
    await block.waitFor()
    // It opens over the page: nothing moves.
    expect(await page.locator('.result').nth(1).boundingBox()).toEqual(below)
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
    // Read, Copy link if there is script, Archived copy, Why, More from this site.
    for (let at = 0; at < (javaScriptEnabled ? 6 : 5); at += 1) await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.value')).toBe(`block ${site}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/changed=/)
    expect(await page.locator('.notice').innerText()).toContain(`${site} is blocked.`)
    expect(await hostsIn(page)).not.toContain(site)
    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.notice', { hasText: 'treated as usual' }).waitFor()
    expect(await hostsIn(page)).toContain(site)
  })

  it('learns from the menu why a result is there, in place of the menu', async () => {
    const { page } = tab
    await page.goto('/search?q=climate')
    const result = page.locator('.result').nth(2)
    await result.locator('.menu summary').click()
    await result.getByRole('link', { name: 'Why this result?' }).click()
    await result.locator('.why').getByText('Score').waitFor()
    expect(await page.locator('.menu[open]').count()).toBe(0)
    // A tap on what is dimmed closes it.
    await page.mouse.click(20, 100)
    await expect.poll(() => page.locator('.why[open]').count()).toBe(0)
  })

  it.each([
    ['/search?q=climate', '.results > .result >> nth=-1'],
    ['/search?q=climate', '.mine li >> nth=0'],
    ['/search?q=climate&tab=news', '.result >> nth=0'],
    ['/search?q=climate&tab=videos', '.result >> nth=0'],
    ['/search?q=climate&tab=science', '.result >> nth=0'],
    ['/search?q=climate&tab=code', '.result >> nth=0'],
    ['/search?q=climate&tab=images', '.image-grid li >> nth=0'],
  ])('opens the menu on %s (%s) as a sheet that is whole in the window', async (path, place) => {
    const { page } = tab
    await page.goto(path)
    const menu = page.locator(place).locator('.menu')
    await menu.locator('summary').click()
    const sheet = await menu.locator('ul').boundingBox()
    expect(sheet).toMatchObject({ x: 0, width: PHONE.width })
    expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBe(PHONE.height)
    expect(sheet?.y).toBeGreaterThan(100)
    await page.mouse.click(PHONE.width / 2, 20)
    await expect.poll(() => menu.getAttribute('open')).toBeNull()
    // The tap did nothing else.
    expect(page.url()).toBe(demo.url + path)
  })

  it('blocks the site of a picture by keyboard, and undoes it', async () => {
    const { page } = tab
    await page.goto('/search?q=climate&tab=images')
    const sites = () =>
      page.locator('.image-grid .caption .quiet').evaluateAll((all) => all.map((host) => host.textContent ?? ''))
    const [site = ''] = await sites()
    await page.locator('.image-grid .result-link').first().focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const block = page.locator('.image-grid .menu').first().getByRole('button', { name: 'Block this site' })
    await block.waitFor()
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
    await block.focus()
    await page.keyboard.press('Enter')
    await page.locator('.notice', { hasText: `${site} is blocked.` }).waitFor()
    expect(await sites()).not.toContain(site)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.notice', { hasText: 'treated as usual' }).waitFor()
    expect(await sites()).toContain(site)
  })

  it('sees two results of a site, and the others when the fold is opened', async () => {
    const { page } = tab
    await page.goto('/search?q=onesite')
    const visible = () => page.locator('.results .result-link').filter({ visible: true }).count()
    expect(await visible()).toBe(2)
    const fold = page.locator('.fold')
    expect(await fold.innerText()).toMatch(/^\d+ more from one-site\.example$/)
    await fold.focus()
    await page.keyboard.press('Enter')
    expect(await visible()).toBe(await page.locator('.result').count())
    await page.goto('/search?q=onesite+site:one-site.example')
    expect(await page.locator('.folded').count()).toBe(0)
  })

  it('imports a list, finds a site in it, and removes it', async () => {
    const { page } = tab
    await page.goto('/settings/sites')
    const lines = Array.from({ length: 30 }, (_, at) => `*://*.shop${at}.example/*`)
    await page
      .getByLabel('List', { exact: true })
      .fill(['! name of nothing', ...lines, 'raise good.example'].join('\n'))
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('were added').waitFor()
    await page.getByRole('searchbox', { name: 'Find a site' }).fill('shop17')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL(/find=shop17/)
    expect(await page.locator('.site-list tbody tr').count()).toBe(1)
    await page.getByRole('button', { name: 'Remove shop17.example' }).click()
    await page.getByText('Removed.').waitFor()
    const exported = await page.request.get('/settings/sites/export')
    const text = await exported.text()
    expect([
      text.includes('shop16.example'),
      text.includes('shop17.example'),
      text.includes('raise good.example'),
    ]).toEqual([true, false, true])
    // As it was, for the next.
    for (const pattern of text.match(/\S+\.example/g) ?? []) {
      await page.goto(`/settings/sites?find=${pattern}`)
      const remove = page.getByRole('button', { name: `Remove ${pattern}`, exact: true })
      if (await remove.count()) await remove.click()
      if (pattern === 'shop2.example') break
    }
  })
})

it('a file fills the field of the list', async () => {
  const tab = await openTab(browser, demo.url)
  await signIn(tab.page, demo)
  await tab.page.goto('/settings/sites')
  await tab.page
    .getByLabel('Or from a file')
    .setInputFiles({ name: 'sites.txt', mimeType: 'text/plain', buffer: Buffer.from('block file.example') })
  await expect.poll(() => tab.page.getByLabel('List', { exact: true }).inputValue()).toBe('block file.example')
  expect(tab.complaints).toEqual([])
  await tab.close()
})

it('Escape and a click elsewhere close a menu', async () => {
  const tab = await openTab(browser, demo.url)
  const { page } = tab
  await page.goto('/search?q=climate')
  const menu = page.locator('.menu').first()
  await menu.locator('summary').click()
  expect(await menu.getAttribute('open')).not.toBeNull()
  await page.keyboard.press('Escape')
  expect(await menu.getAttribute('open')).toBeNull()
  await menu.locator('summary').click()
  await page.locator('footer').click({ position: { x: 2, y: 2 } })
  expect(await menu.getAttribute('open')).toBeNull()
  await tab.close()
})

it('the account menu closes with Escape, with a click elsewhere, and when the menu of a result opens', async () => {
  const tab = await openTab(browser, demo.url)
  const { page } = tab
  await signIn(page, demo)
  await page.goto('/search?q=climate')
  const menu = page.locator('.account-menu')
  const open = async () => {
    await menu.locator('summary').click()
    expect(await menu.getByRole('link', { name: 'Sign out' }).isVisible()).toBe(true)
  }
  const isOpen = () => menu.getByRole('link', { name: 'Sign out' }).isVisible()
  await open()
  await page.keyboard.press('Escape')
  expect(await isOpen()).toBe(false)
  expect(await menu.locator('summary:focus').count()).toBe(1)
  await open()
  await page.locator('footer').click({ position: { x: 2, y: 2 } })
  expect(await isOpen()).toBe(false)
  await open()
  await page.locator('.result .menu summary').nth(4).click()
  expect(await isOpen()).toBe(false)
  expect(await page.locator('details[open]').count()).toBe(1)
  await tab.close()
})

it('on a phone the sheet of a result says first which site it is about, and in a large window the result does', async () => {
  const tab = await openTab(browser, demo.url, { viewport: PHONE })
  const { page } = tab
  await page.goto('/search?q=climate')
  const [, site = ''] = await hostsIn(page)
  const menu = page.locator('.result').nth(1).locator('.menu')
  await menu.locator('summary').click()
  const lines = async () => (await menu.locator('ul').innerText()).split('\n')
  expect((await lines())[0]).toBe(site)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await lines()).not.toContain(site)
  await tab.close()
})

it.each(['ltr', 'rtl'])('a menu of a %s page is whole in a large window, wherever it is opened', async (direction) => {
  const tab = await openTab(browser, demo.url, { viewport: { width: 1280, height: 720 } })
  const { page } = tab
  for (const path of ['/search?q=climate', '/search?q=climate&tab=images']) {
    await page.goto(path)
    await page.evaluate(`document.documentElement.dir = '${direction}'`)
    const menus = page.locator('main .menu')
    for (const menu of [menus.first(), menus.nth(3), menus.last()]) {
      await menu.locator('summary').focus()
      await page.keyboard.press('Enter')
      const { x = 0, y = 0, width = 0, height = 0 } = (await menu.locator('ul').boundingBox()) ?? {}
      expect([width > 200, height > 80, x >= 0, y >= 0, x + width <= 1280, y + height <= 720]).toEqual(
        Array.from({ length: 6 }, () => true),
      )
    }
    expect(await page.locator('.menu[open]').count()).toBe(1)
  }
  await tab.close()
})

it('the menu copies the address of the page, and leads to its archived copy, which nothing asks for before', async () => {
  const tab = await openTab(browser, demo.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = tab
  const asked: [string, string | undefined][] = []
  await page.context().route('https://web.archive.org/**', async (route) => {
    asked.push([route.request().url(), route.request().headers()['referer']])
    await route.fulfill({ body: 'a copy' })
  })
  await page.goto('/search?q=climate', { waitUntil: 'networkidle' })
  const result = page.locator('.result').first()
  const address = (await result.locator('.result-link').getAttribute('href')) ?? ''
  await result.locator('.menu summary').click()
  const copy = result.getByRole('button', { name: 'Copy link' })
  await copy.click()
  await result.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
  await copy.waitFor()
  expect([asked, tab.strangers]).toEqual([[], []])
  await result.getByRole('link', { name: 'Archived copy' }).click()
  await page.waitForURL('https://web.archive.org/**')
  expect(asked).toEqual([[`https://web.archive.org/web/${address}`, undefined]])
  expect(tab.complaints).toEqual([])
  await tab.close()
})

it('in a wide window, why a result is there stands beside it', async () => {
  const tab = await openTab(browser, demo.url, { viewport: { width: 1920, height: 1000 } })
  const { page } = tab
  await page.goto('/search?q=climate&tab=news')
  const result = page.locator('.result').first()
  await result.locator('.why summary').click()
  const [box, why] = await Promise.all([result.boundingBox(), result.locator('.why > div').boundingBox()])
  expect(why?.y).toBe(box?.y)
  expect(why?.x).toBeGreaterThan((box?.x ?? 0) + (box?.width ?? 0))
  await tab.close()
})

it.each([
  { locale: 'en-GB', name: 'web', age: /^\d+ (?:hour|day|week|month|year)s? ago$/, day: /^\d{1,2} \p{L}+ 20\d\d$/u },
  { locale: 'de-DE', name: 'news', age: /^vor \d+ \p{L}+$/u, day: /^\d{1,2}\. \p{L}+ 20\d\d$/u },
  { locale: 'fr-FR', name: 'videos', age: /^il y a \d+ \p{L}+$/u, day: /^\d{1,2}(?:er)? \p{L}+ 20\d\d$/u },
])('for a reader of $locale, each age on the tab $name has its day on hover', async ({ locale, name, age, day }) => {
  const tab = await openTab(browser, demo.url, { locale })
  const { page } = tab
  await page.goto(`/search?q=climate&tab=${name}`)
  const times = page.locator('.result time')
  expect(await times.count()).toBeGreaterThan(3)
  const time = times.first()
  expect(await time.innerText()).toMatch(age)
  expect(await time.getAttribute('title')).toMatch(day)
  expect(await time.getAttribute('datetime')).toMatch(/^20\d\d-\d\d-\d\dT/)
  await tab.close()
})

it('a visitor’s sites are in a cookie, which searching alone does not set', async () => {
  const tab = await openTab(browser, demo.url, { javaScriptEnabled: false })
  const { page } = tab
  await page.goto('/search?q=climate')
  expect(await page.context().cookies()).toEqual([])
  const [site = ''] = await hostsIn(page)
  await page.locator('.menu summary').first().click()
  await page.getByRole('link', { name: 'Block or rank this site' }).first().click()
  await page.getByRole('button', { name: 'Block this site' }).click()
  await page.waitForURL(/changed=/)
  expect(await hostsIn(page)).not.toContain(site)
  const names = (await page.context().cookies()).map(({ name }) => name).sort()
  expect(names).toEqual(['bowerbird_sites', 'bowerbird_visitor'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.notice', { hasText: 'treated as usual' }).waitFor()
  expect(await hostsIn(page)).toContain(site)
  await tab.close()
})
