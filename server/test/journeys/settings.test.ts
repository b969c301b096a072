// A person shapes what they see, in a real browser, with script and without: blocks a site from its menu, opens what was
// folded, imports a list, makes a feed of a search, changes preferences. A visitor does it with a cookie. An administrator
// makes the instance their own, and a visitor sees it and can install it as an app.
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rssFeed } from '../../src/site/feeds/feed-documents.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import type { Tab } from '../support/browser.ts'
import { DESKTOP, leave, PHONE, shareDemo } from '../support/demo-site.ts'

const SEARCH = '/search?q=climate'
const site = shareDemo({ SITE_ACCESS: 'public' })

const textsOf = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((all) => all.map(({ textContent }) => textContent ?? ''))
const hostsIn = (page: Page) => textsOf(page, '.results .where b')

describe.each([
  ['with script', true],
  ['without script', false],
])('a person, %s', (_how, javaScriptEnabled) => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await site.openSignedIn({ ...PHONE, javaScriptEnabled })
    page = tab.page
  })
  afterAll(() => leave(tab))

  const look = async () => {
    expect(await overflow(tab)).toBe(0)
    if (javaScriptEnabled) expect(await findings(tab)).toEqual([])
  }

  it('blocks a site by keyboard, and undoes it', async () => {
    await page.goto(SEARCH)
    const [blocked = ''] = await hostsIn(page)
    const menu = page.locator('.result').first().locator('.menu')
    await menu.locator('summary').focus()
    const below = await page.locator('.result').nth(1).boundingBox()
    await page.keyboard.press('Enter')
    await menu.getByRole('button', { name: 'Block this site' }).waitFor()
    // It opens over the page: nothing moves.
    expect(await page.locator('.result').nth(1).boundingBox()).toEqual(below)
    await look()
    // Read, Copy link if there is script, Archived copy, Why, More from this site.
    for (let at = 0; at < (javaScriptEnabled ? 6 : 5); at += 1) await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.value')).toBe(`block ${blocked}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/changed=/)
    expect(await page.locator('.notice').innerText()).toContain(`${blocked} is blocked.`)
    expect(await hostsIn(page)).not.toContain(blocked)
    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.notice', { hasText: 'treated as usual' }).waitFor()
    expect(await hostsIn(page)).toContain(blocked)
  })

  it('blocks the site of a picture, and undoes it', async () => {
    const sites = () => textsOf(page, '.image-grid .caption .quiet')
    await page.goto(`${SEARCH}&tab=images`)
    const [blocked = ''] = await sites()
    await page.locator('.image-grid .result-link').first().focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.image-grid .menu').first().getByRole('button', { name: 'Block this site' }).press('Enter')
    await page.locator('.notice', { hasText: `${blocked} is blocked.` }).waitFor()
    expect(await sites()).not.toContain(blocked)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.notice', { hasText: 'treated as usual' }).waitFor()
    expect(await sites()).toContain(blocked)
  })

  it('learns from the menu why a result is there, in place of the menu', async () => {
    await page.goto(SEARCH)
    const result = page.locator('.result').nth(2)
    await result.locator('.menu summary').click()
    await result.getByRole('link', { name: 'Why this result?' }).click()
    await result.locator('.why').getByText('Score').waitFor()
    expect(await page.locator('.menu[open]').count()).toBe(0)
    // A tap on what is dimmed closes it.
    await page.mouse.click(20, 100)
    await expect.poll(() => page.locator('.why[open]').count()).toBe(0)
  })

  it('opens the menu of any kind of result as a sheet that is whole in the window', async () => {
    for (const [path, place] of [
      [SEARCH, '.results > .result >> nth=-1'],
      [`${SEARCH}&tab=images`, '.image-grid li >> nth=0'],
    ] as const) {
      await page.goto(path)
      const menu = page.locator(place).locator('.menu')
      await menu.locator('summary').click()
      const { x, y = 0, width, height = 0 } = (await menu.locator('ul').boundingBox()) ?? {}
      expect({ x, width, bottom: y + height }, place).toEqual({ x: 0, width: 390, bottom: 844 })
      expect(y).toBeGreaterThan(100)
      await page.mouse.click(195, 20)
      await expect.poll(() => menu.getAttribute('open')).toBeNull()
      // The tap did nothing else.
      expect(page.url()).toBe(site.demo.url + path)
    }
  })

  it('sees two results of a site, and the others when the fold is opened', async () => {
    await page.goto('/search?q=onesite')
    // Results that come later are added as they are. What is cached comes at once.
    await page.reload()
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

  // No script takes part in sending these forms, so one way is enough; axe needs script.
  if (javaScriptEnabled) {
    it('makes a feed of a search by keyboard, reads it, and deletes it', async () => {
      await page.goto('/search?q=hostile&tab=news&lang=en')
      await page.getByRole('link', { name: 'Feed of this search' }).press('Enter')
      await page.waitForURL(/\/settings\/feeds\?/)
      await page.getByRole('button', { name: 'Create feed' }).press('Enter')
      await page.getByRole('heading', { name: 'Your feed' }).waitFor()
      await look()
      const [rss = '', json = ''] = await page.locator('.copyable code').allTextContents()
      const [xml, feed] = [await page.request.get(rss), await page.request.get(json)]
      const { items } = (await feed.json()) as { items: { title: string }[] }
      expect(items.length).toBeGreaterThan(3)
      expect(await titlesIn([await xml.text()])).toEqual([items.map(({ title }) => title)])
      // It is shown once.
      await page.goto('/settings/feeds')
      expect(await page.locator('body').innerText()).not.toContain('/feeds/')
      expect(await page.locator('tbody tr').innerText()).toMatch(/hostile\s+News · English\s/)
      await page.getByRole('button', { name: 'Delete the feed of “hostile”' }).click()
      await page.getByText('The feed was deleted.').waitFor()
      expect((await page.request.get(rss)).status()).toBe(404)
    })
  } else {
    it('imports a list, finds a site in it, and removes it', async () => {
      await page.goto('/settings/sites')
      const lines = Array.from({ length: 30 }, (_, at) => `*://*.shop${at}.example/*`)
      const list = page.getByLabel('List', { exact: true })
      await list.fill(['! name of nothing', ...lines, 'raise good.example'].join('\n'))
      await page.getByRole('button', { name: 'Import' }).click()
      await page.getByText('were added').waitFor()
      await page.getByRole('searchbox', { name: 'Find a site' }).fill('shop17')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.waitForURL(/find=shop17/)
      expect(await page.locator('.site-list tbody tr').count()).toBe(1)
      await page.getByRole('button', { name: 'Remove shop17.example' }).click()
      await page.getByText('Removed.').waitFor()
      const exported = await (await page.request.get('/settings/sites/export')).text()
      expect(exported).toContain('shop16.example')
      expect(exported).toContain('raise good.example')
      expect(exported).not.toContain('shop17.example')
    })

    it('changes preferences, and the next search uses them', async () => {
      await page.goto('/docs')
      await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
      // The focus is on the field, and its label is in sight, below the header.
      await page.locator('select[name=interface]:focus').waitFor()
      const { y = 0, height = 0 } = (await page.locator('.top').boundingBox()) ?? {}
      const label = await page.getByText('Site language', { exact: true }).boundingBox()
      expect(label?.y).toBeGreaterThanOrEqual(y + height)
      expect(label?.y).toBeLessThan(844)
      await page.getByLabel('Site language').selectOption('de')
      await page.getByLabel('Mojeek').uncheck()
      await page.getByLabel('High contrast').check()
      await page.getByLabel('Compact').check()
      await page.getByRole('button', { name: 'Save preferences' }).click()
      await page.waitForURL(/done=saved/)
      await page.goto(SEARCH)
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      expect(await page.locator('link[href*="/contrast."], link[href*="/compact."]').count()).toBe(2)
      expect(await page.locator('main').innerText()).not.toContain('Mojeek')
      await page.goto('/settings/search')
      await page.locator('form[action="/settings/search/reset"] button').click()
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    })
  }
})

/** The titles of each document's items, as Chromium reads them; it is strict about XML. */
async function titlesIn(documents: readonly string[]): Promise<string[][]> {
  const { page, close } = await site.open()
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
  const known = ['', ']]>', '<!--', '&#0;', '&amp;']
  const documents = [...known, ...texts].map((text) =>
    rssFeed({
      title: text,
      description: '',
      pageUrl: 'https://a.example/?a&b',
      feedUrl: 'https://a.example/"',
      language: 'en',
      lifeSeconds: 3_600,
      items: [{ id: text, url: text, title: `${text}.`, text, publishedAt: undefined }],
    }),
  )
  const titles = await titlesIn(documents)
  expect(titles.map((found) => found.length)).toEqual(documents.map(() => 1))
  expect(titles.slice(0, known.length).flat()).toEqual(known.map((text) => `${text}.`))
})

it('a file fills the field of the list', async () => {
  const tab = await site.openSignedIn()
  await tab.page.goto('/settings/sites')
  const file = { name: 'sites.txt', mimeType: 'text/plain', buffer: Buffer.from('block file.example') }
  await tab.page.getByLabel('Or from a file').setInputFiles(file)
  await expect.poll(() => tab.page.getByLabel('List', { exact: true }).inputValue()).toBe('block file.example')
  await leave(tab)
})

it('a menu closes with Escape, with a click elsewhere, and when another opens', async () => {
  const tab = await site.openSignedIn(DESKTOP)
  const { page } = tab
  await page.goto(SEARCH)
  const opened = () => page.locator('details[open]').count()
  for (const menu of [page.locator('.account-menu'), page.locator('.result .menu').first()]) {
    await menu.locator('summary').click()
    await page.keyboard.press('Escape')
    expect(await opened()).toBe(0)
    expect(await menu.locator('summary:focus').count()).toBe(1)
    await menu.locator('summary').click()
    await page.locator('footer').click({ position: { x: 2, y: 2 } })
    expect(await opened()).toBe(0)
    await menu.locator('summary').click()
    await page.locator('.result .menu summary').nth(4).click()
    expect(await opened()).toBe(1)
    await page.keyboard.press('Escape')
  }
  await leave(tab)
})

it.each(['ltr', 'rtl'])('a menu of a %s page is whole in a large window, wherever it is opened', async (direction) => {
  const { page, close } = await site.open({ viewport: { width: 1280, height: 720 } })
  for (const path of [SEARCH, `${SEARCH}&tab=images`]) {
    await page.goto(path)
    await page.evaluate(`document.documentElement.dir = '${direction}'`)
    const menus = page.locator('main .menu')
    for (const menu of [menus.first(), menus.nth(3), menus.last()]) {
      await menu.locator('summary').press('Enter')
      const { x = -1, y = -1, width = 0, height = 0 } = (await menu.locator('ul').boundingBox()) ?? {}
      expect(width).toBeGreaterThan(200)
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(1280)
      expect(y + height).toBeLessThanOrEqual(720)
    }
  }
  await close()
})

it('the menu copies the address of the page, and leads to its archived copy, which nothing asks for before', async () => {
  const { page, strangers, complaints, close } = await site.open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const asked: [string, string | undefined][] = []
  await page.context().route('https://web.archive.org/**', async (route) => {
    asked.push([route.request().url(), route.request().headers()['referer']])
    await route.fulfill({ body: 'a copy' })
  })
  await page.goto(SEARCH, { waitUntil: 'networkidle' })
  const result = page.locator('.result').first()
  const address = (await result.locator('.result-link').getAttribute('href')) ?? ''
  await result.locator('.menu summary').click()
  await result.getByRole('button', { name: 'Copy link' }).click()
  await result.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address)
  expect(strangers).toEqual([])
  await result.getByRole('link', { name: 'Archived copy' }).click()
  await page.waitForURL('https://web.archive.org/**')
  expect(asked).toEqual([[`https://web.archive.org/web/${address}`, undefined]])
  expect(complaints).toEqual([])
  await close()
})

it('the age of a result is in the reader’s language, and has its day on hover', async () => {
  const { page, close } = await site.open({ locale: 'fr-FR' })
  await page.goto(`${SEARCH}&tab=news`)
  const time = page.locator('.result time').first()
  expect(await time.innerText()).toMatch(/^il y a \d+ \p{L}+$/u)
  expect(await time.getAttribute('title')).toMatch(/^\d{1,2}(?:er)? \p{L}+ 20\d\d$/u)
  expect(await time.getAttribute('datetime')).toMatch(/^20\d\d-\d\d-\d\dT/)
  await close()
})

it('a visitor’s sites are in a cookie, which searching alone does not set', async () => {
  const tab = await site.open({ javaScriptEnabled: false })
  const { page } = tab
  await page.goto(SEARCH)
  expect(await page.context().cookies()).toEqual([])
  const [blocked = ''] = await hostsIn(page)
  await page.locator('.menu summary').first().click()
  await page.getByRole('link', { name: 'Block or rank this site' }).first().click()
  await page.getByRole('button', { name: 'Block this site' }).click()
  await page.waitForURL(/changed=/)
  expect(await hostsIn(page)).not.toContain(blocked)
  const names = (await page.context().cookies()).map(({ name }) => name).sort()
  expect(names).toEqual(['bowerbird_sites', 'bowerbird_visitor'])
  await leave(tab)
})

describe('an instance of one’s own', () => {
  const PATH = '/admin/appearance'
  const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#7a1fa2"/></svg>`
  const SCRIPT = '<script>document.documentElement.setAttribute("data-ran", "yes")</script>'
  const IMPRINT = `# Who we are\n\nOur club\nStreet 1\n\n- [Home](https://club.example.org/)\n\n${SCRIPT}\n\n[de]\nUnser Verein`
  let admin: Tab
  beforeAll(async () => {
    admin = await site.openSignedIn()
  })
  afterAll(() => leave(admin))

  const svgFile = (content: string) => ({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(content) })

  async function save(): Promise<void> {
    await admin.page.getByRole('main').getByRole('button', { name: 'Save' }).click()
    await admin.page.waitForLoadState('load')
  }

  it('hostile input is refused in words, beside its field, and nothing changes', async () => {
    const { page } = admin
    await page.goto(PATH)
    await page.getByLabel('Logo').setInputFiles(svgFile('<html><script>alert(1)</script></html>'))
    await page.getByLabel('Accent colour').fill('red;}')
    await page.getByLabel('Links in the footer').fill('Evil javascript:alert(1)')
    await save()
    for (const sentence of ['This is not a PNG, WebP or SVG', 'Enter a colour such as', 'Enter at most five lines'])
      expect(await page.getByRole('main').getByText(sentence).isVisible(), sentence).toBe(true)
    await page.goto('/')
    expect(await page.locator('img.mark').count()).toBe(0)
  })

  it('what is saved is on every page', async () => {
    const { page } = admin
    await page.goto(PATH)
    await page.getByLabel('Logo').setInputFiles(svgFile(LOGO.replace('<rect', `${SCRIPT}<rect onload="alert(1)"`)))
    // Too faint on paper as it is.
    await page.getByLabel('Accent colour').fill('#f5b800')
    await page.getByLabel('Welcome line').fill('Search with <b>us</b>')
    await page.getByLabel('Links in the footer').fill('Our club https://club.example.org/')
    await page.getByLabel('Imprint').fill(IMPRINT)
    await page.getByLabel('Privacy page').fill('We keep nothing.')
    await save()
    await page.getByText('Saved. Every node uses it').waitFor()
  })

  it.each([
    ['light', PHONE, 'rgb(145, 109, 0)'],
    ['dark', DESKTOP, 'rgb(245, 184, 0)'],
  ] as const)('a visitor sees it, %s', async (colorScheme, viewport, colour) => {
    const tab = await site.open({ colorScheme, ...viewport })
    const { page } = tab
    await page.goto('/')
    const logo = page.locator('img.mark')
    expect(await logo.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth)).toBeGreaterThan(0)
    await page.getByText('Search with <b>us</b>').waitFor()
    expect(await page.getByRole('link', { name: 'Our club' }).getAttribute('href')).toBe('https://club.example.org/')
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('main a')).color")).toBe(colour)
    await page.goto('/imprint')
    expect(await overflow(tab)).toBe(0)
    expect(await findings(tab)).toEqual([])
    await leave(tab)
  })

  it('the imprint is in the languages that the operator wrote, and its markup is text', async () => {
    const { page, close } = await site.open()
    await page.goto('/imprint')
    expect(await page.locator('.read-text').innerText()).toContain('Our club\nStreet 1')
    await page.getByText(SCRIPT).waitFor()
    await page.getByRole('link', { name: 'Deutsch' }).first().click()
    expect(await page.locator('.read-text[lang=de]').innerText()).toBe('Unser Verein')
    await close()
    const german = await site.open({ locale: 'de-DE' })
    await german.page.goto('/imprint')
    expect(await german.page.getByRole('heading', { level: 1 }).innerText()).toBe('Impressum')
    await german.close()
  })

  it('a script in the logo does not run, in a page or by itself', async () => {
    const { page, close } = await site.open()
    await page.goto('/')
    const path = (await page.locator('img.mark').getAttribute('src')) ?? ''
    expect(path).toMatch(/^\/assets\/logo\//)
    await page.goto(path)
    expect(await page.locator('rect').count()).toBe(1)
    expect(await page.locator('[data-ran]').count()).toBe(0)
    await close()
  })

  it('Chromium finds nothing that keeps it from being installed, with the operator’s icon or ours', async () => {
    const { page, close } = await site.open()
    const session = await page.context().newCDPSession(page)
    const verdict = async () => {
      const { errors, url } = await session.send('Page.getAppManifest')
      // A private window is none of ours: the browser says so in one.
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
      const refusals = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
      return { errors, url, refusals }
    }
    await page.goto('/robots.txt')
    expect((await verdict()).refusals).not.toEqual([])
    await page.goto('/')
    const fine = { errors: [], url: `${site.demo.url}/manifest.webmanifest`, refusals: [] }
    expect(await verdict()).toEqual(fine)
    await admin.page.goto(PATH)
    await admin.page.getByLabel('Remove the logo').check()
    await save()
    await page.goto('/')
    expect(await verdict()).toEqual(fine)
    await close()
  })
})
