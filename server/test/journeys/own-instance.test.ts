// An administrator makes the instance their own in the browser: logo, colour, welcome, links, imprint and privacy page. A
// visitor sees all of it, in every theme, and can install the site as an app.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { choose, findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const PATH = '/admin/appearance'
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#7a1fa2"/></svg>`
/** Too faint on paper as it is. */
const ACCENT = '#f5b800'
const IMPRINT =
  '# Who we are\n\nOur club\nStreet 1\n\n- [Home](https://club.example.org/)\n\n<script>alert(1)</script>\n\n[de]\nUnser Verein'

let demo: Demo
let browser: Browser
let admin: Tab

beforeAll(async () => {
  const settings = { ...UNHURRIED, SITE_ACCESS: 'public' }
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings }), launchBrowser()])
  admin = await openTab(browser, demo.url)
  await signIn(admin.page, demo)
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const svgFile = (content: string) => ({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(content) })

async function save(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
  await page.waitForLoadState('load')
}

/** The colour of links, as the browser computes it. */
const linkColour = (page: Page) => page.evaluate<string>("getComputedStyle(document.querySelector('main a')).color")

/** Opens a page as a visitor who has chosen a theme. */
async function visit(path: string, preferences = '', options = {}): Promise<Tab> {
  const tab = await openTab(browser, demo.url, { reducedMotion: 'reduce', ...options })
  if (preferences !== '') await choose(tab, preferences)
  await tab.page.goto(path)
  return tab
}

describe('an instance of one’s own', () => {
  it('hostile input is refused in words, beside its field, and nothing changes', async () => {
    const { page } = admin
    await page.goto(PATH)
    await page.getByLabel('Logo').setInputFiles(svgFile('<html><script>alert(1)</script></html>'))
    await page.getByLabel('Accent colour').fill('red;}')
    await page.getByLabel('Links in the footer').fill('Evil javascript:alert(1)')
    await save(page)
    const main = page.getByRole('main')
    for (const sentence of ['This is not a PNG, WebP or SVG', 'Enter a colour such as', 'Enter at most five lines'])
      expect(await main.getByText(sentence).isVisible()).toBe(true)
    await page.goto('/')
    expect(await page.locator('img.mark').count()).toBe(0)
    const { status } = await page.evaluate<{ status: number }>(`(async () => {
      const form = new FormData()
      form.append('logo', new Blob([new Uint8Array(10_000_000)]), 'logo.png')
      const { status } = await fetch('${PATH}', { method: 'POST', body: form })
      return { status }
    })()`)
    expect(status).toBe(413)
  })

  it('what is saved is on every page', async () => {
    const { page } = admin
    await page.goto(PATH)
    await page.getByLabel('Logo').setInputFiles(svgFile(LOGO))
    await page.getByLabel('Accent colour').fill(ACCENT)
    await page.getByLabel('Welcome line').fill('Search with <b>us</b>')
    await page
      .getByLabel('Links in the footer')
      .fill('Our club https://club.example.org/\nDonate https://example.org/give')
    await page.getByLabel('Imprint').fill(IMPRINT)
    await page.getByLabel('Privacy page').fill('We keep nothing.')
    await save(page)
    expect(await page.getByText('Saved. Every node uses it').isVisible()).toBe(true)
    expect(admin.complaints).toEqual([])
  })

  it.each([
    ['light', 390],
    ['light', 1280],
    ['dark', 390],
    ['dark', 1280],
  ] as const)('a visitor sees it, %s at %i px', async (colorScheme, width) => {
    const tab = await visit('/', '', { colorScheme, viewport: { width, height: 800 } })
    const { page } = tab
    expect(
      await page.locator('img.mark').evaluate((image) => (image as { naturalWidth?: number }).naturalWidth),
    ).toBeGreaterThan(0)
    expect(await page.getByText('Search with <b>us</b>').isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Our club' }).getAttribute('href')).toBe('https://club.example.org/')
    expect(await linkColour(page)).toBe(colorScheme === 'light' ? 'rgb(145, 109, 0)' : 'rgb(245, 184, 0)')
    for (const path of ['/search?q=climate', '/imprint', '/privacy']) {
      await page.goto(path)
      expect(await overflow(tab)).toBe(0)
      expect(await findings(tab)).toEqual([])
    }
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
    await tab.close()
  })

  it('the imprint is in the languages that the operator wrote, and its markup is text', async () => {
    const english = await visit('/imprint')
    expect(await english.page.locator('.read-text').innerText()).toContain('Our club\nStreet 1')
    expect(await english.page.getByText('<script>alert(1)</script>').isVisible()).toBe(true)
    await english.page.getByRole('link', { name: 'Deutsch' }).first().click()
    expect(await english.page.locator('.read-text[lang=de]').innerText()).toBe('Unser Verein')
    await english.close()
    const german = await visit('/imprint', '', { locale: 'de-DE' })
    expect(await german.page.getByRole('heading', { level: 1 }).innerText()).toBe('Impressum')
    expect(await german.page.locator('.read-text').innerText()).toBe('Unser Verein')
    await german.close()
  })

  it.each(['light', 'dark'] as const)(
    'the contrast theme is black and white in the %s, accessible, compact or not',
    async (colorScheme) => {
      for (const density of ['comfortable', 'compact']) {
        const tab = await visit('/', `theme=contrast&density=${density}`, {
          colorScheme,
          viewport: { width: 390, height: 800 },
        })
        for (const path of [
          '/',
          '/search?q=climate',
          '/search?q=climate&tab=images',
          '/imprint',
          '/settings/search',
          '/status',
          '/docs',
        ]) {
          await tab.page.goto(path)
          expect(await findings(tab)).toEqual([])
          expect(await overflow(tab)).toBe(0)
        }
        const colours = await tab.page.evaluate<string[]>(
          '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
        )
        expect(colours).toEqual(
          colorScheme === 'light' ? ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'] : ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
        )
        const link = await tab.page.evaluate<string>(
          "getComputedStyle(document.querySelector('footer a')).textDecorationLine",
        )
        expect(link).toBe('underline')
        expect([tab.complaints, tab.strangers]).toEqual([[], []])
        await tab.close()
      }
    },
    120_000,
  )

  it('theme and density are chosen without a script', async () => {
    const tab = await visit('/settings/search', '', { javaScriptEnabled: false })
    await tab.page.getByLabel('High contrast').check()
    await tab.page.getByLabel('Compact').check()
    await tab.page.getByRole('button', { name: 'Save preferences' }).click()
    await tab.page.waitForURL(/done=saved/)
    expect(await tab.page.locator('link[href*="/contrast."], link[href*="/compact."]').count()).toBe(2)
    await tab.close()
  })

  it('Chromium finds nothing that keeps it from being installed, with the operator’s icon or ours', async () => {
    const tab = await visit('/')
    const session = await tab.page.context().newCDPSession(tab.page)
    const verdict = async () => {
      const { errors, url } = await session.send('Page.getAppManifest')
      // A private window is none of ours: the browser says so in one.
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
      return {
        errors,
        url,
        refusals: installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      }
    }
    await tab.page.goto('/robots.txt')
    expect((await verdict()).refusals).not.toEqual([])
    await tab.page.goto('/')
    const fine = { errors: [], url: `${demo.url}/manifest.webmanifest`, refusals: [] }
    expect(await verdict()).toEqual(fine)
    const {
      name,
      icons,
      share_target: share,
    } = await tab.page.evaluate<{
      name: string
      icons: { src: string }[]
      share_target: { action: string; params: { text: string } }
    }>("fetch('/manifest.webmanifest').then((reply) => reply.json())")
    expect([name, icons.length]).toEqual(['Bowerbird', 1])
    await tab.page.goto(`${share.action}?${share.params.text}=climate`)
    expect(await tab.page.locator('.result-link').first().isVisible()).toBe(true)
    await admin.page.goto(PATH)
    await admin.page.getByLabel('Remove the logo').check()
    await save(admin.page)
    await tab.page.goto('/')
    expect(await verdict()).toEqual(fine)
    await tab.close()
  })

  it('a script in the logo does not run, in a page or by itself', async () => {
    const { page } = admin
    await page.goto(PATH)
    const script = '<script>document.documentElement.setAttribute("data-ran", "yes")</script>'
    await page.locator('#field-logo').setInputFiles(svgFile(LOGO.replace('<rect', `${script}<rect onload="alert(1)"`)))
    await save(page)
    const tab = await visit('/')
    const path = (await tab.page.locator('img.mark').getAttribute('src')) ?? ''
    expect(path).toMatch(/^\/assets\/logo\//)
    await tab.page.goto(path)
    expect(await tab.page.locator('rect').count()).toBe(1)
    expect(await tab.page.locator('[data-ran]').count()).toBe(0)
    await tab.close()
  })
})
