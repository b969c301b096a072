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
    await menu.getByRole('button', { name: 'Block this site' }).waitFor()
    // It opens over the page: nothing moves.
    expect(await page.locator('.result').nth(1).boundingBox()).toEqual(below)
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/changed=/)
    expect(await page.locator('.notice').innerText()).toContain(`${site} is blocked.`)
    expect(await hostsIn(page)).not.toContain(site)
    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.notice', { hasText: 'treated as usual' }).waitFor()
    expect(await hostsIn(page)).toContain(site)
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
