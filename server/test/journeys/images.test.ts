// A person looks through images, videos, packages and papers in a real browser: in the viewer beside the grid with one hand
// on the keys, on the page of one image without script or without room, and without a request to any other host.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { DESKTOP, leave, PHONE, shareDemo } from '../support/demo-site.ts'
import { shiftsOf, watchShifts } from '../support/layout-shifts.ts'

const SEARCH = '/search?q=climate&tab=images'
const VIDEOS = '/search?q=climate&tab=videos'
const CODE = '/search?q=climate&tab=code'
const KNOWN = /Size\s+\d+ × \d+\s+Creator\s+\S.*\s+Licence\s+CC/

const site = shareDemo({ ENGINE_D: 'code:github', ENGINE_E: 'code:npm' })

const tiles = (page: Page) => page.locator('.image-grid .result-link')
const viewer = (page: Page) => page.getByRole('complementary', { name: 'Image', exact: true })
const title = (page: Page) => viewer(page).getByRole('heading').textContent()

describe('with room for the viewer', () => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await site.openSignedIn(DESKTOP)
    page = tab.page
    await watchShifts(page)
  })
  afterAll(() => leave(tab))

  it('a tile opens it, with what is known of the image, and nothing in the page moves', async () => {
    await page.goto(SEARCH, { waitUntil: 'networkidle' })
    await tiles(page).first().click()
    // The large picture takes the place of the small one.
    await page.locator('.viewer img[src*="/pictures/picture"]').waitFor()
    expect(await viewer(page).innerText()).toMatch(KNOWN)
    expect(await viewer(page).getByRole('link', { name: 'Open page' }).getAttribute('href')).toMatch(/^https?:\/\//)
    expect(await shiftsOf(page)).toEqual([])
  })

  it('arrow keys move, Escape closes it, and the focus is on the tile of the last image', async () => {
    await page.goto(SEARCH)
    const titles = await page.locator('.image-grid .caption-title').allTextContents()
    await tiles(page).first().press('Enter')
    expect(await title(page)).toBe(titles[0])
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
      await page.keyboard.press(key)
    expect(await title(page)).toBe(titles[2])
    expect(page.url()).toMatch(/#image-3$/)
    // In the menu of a tile, Escape closes the menu alone.
    await page.locator('.image-grid .menu summary').first().press('Enter')
    await page.locator('.menu[open] ul').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.menu[open]').count()).toBe(0)
    expect(await viewer(page).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'hidden' })
    expect(await page.locator('.result-link:focus .caption-title').textContent()).toBe(titles[2])
    expect(page.url()).not.toContain('#')
  })

  it('Back closes it, Forward opens it again, and its address leads to it', async () => {
    await page.goto(SEARCH)
    await tiles(page).nth(1).click()
    await viewer(page).waitFor()
    await page.goBack()
    await viewer(page).waitFor({ state: 'hidden' })
    await page.goForward()
    await viewer(page).waitFor()
    await page.goto(`${SEARCH}&page=2#image-4`)
    await viewer(page).waitFor()
    expect(await viewer(page).innerText()).toContain('4 / ')
    await viewer(page).getByRole('button', { name: 'Close' }).click()
    await viewer(page).waitFor({ state: 'hidden' })
  })

  it('goes on to the images that came later', async () => {
    await page.goto(SEARCH)
    const before = await tiles(page).count()
    const [place, next] = [page.locator('[data-place]'), page.locator('[data-step="1"]')]
    await tiles(page).last().click()
    expect(await place.textContent()).toBe(`${before} / ${before}`)
    expect(await next.isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'More results' }).click()
    await page.getByRole('heading', { name: 'Page 2' }).waitFor()
    expect(await place.textContent()).toBe(`${before} / ${await tiles(page).count()}`)
    await next.click()
    expect(await place.textContent()).toMatch(new RegExp(`^${before + 1} / `))
  })

  it('filters by licence and shape, and keeps the one when the other is chosen', async () => {
    await page.goto(SEARCH)
    const all = (name: string) =>
      tiles(page).evaluateAll((links, which) => links.map((link) => link.getAttribute(which)), `data-${name}`)
    await page.getByLabel('Licence').selectOption('Free to modify')
    await page.waitForURL(/licence=modify/)
    const licences = await all('licence')
    expect(licences.length).toBeGreaterThan(0)
    expect(licences.filter((name) => !/^CC(?:0| BY)/.test(name ?? ''))).toEqual([])
    await page.getByLabel('Shape').selectOption('Tall')
    await page.waitForURL(/shape=tall.*licence=modify/)
    const [widths, heights] = [await all('width'), await all('height')]
    expect(heights.filter((height, at) => Number(height) <= Number(widths[at]))).toEqual([])
  })
})

describe.each([
  ['without room for the viewer', PHONE],
  ['without script', { ...DESKTOP, javaScriptEnabled: false }],
])('%s', (_name, options) => {
  it('an image has a page, large and with what is known of it, from which one goes on to the next', async () => {
    const tab = await site.openSignedIn(options)
    const { page } = tab
    await page.goto(SEARCH)
    await tiles(page).first().click()
    await page.waitForURL(/\/images\/detail/)
    const first = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    const heading = page.getByRole('heading', { level: 1, name: first, exact: true })
    expect(await page.locator('.image-list').innerText()).toMatch(KNOWN)
    expect(await page.locator('.large-picture img').getAttribute('width')).toMatch(/^\d+$/)
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await heading.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Previous', exact: true }).click()
    await heading.waitFor()
    await page.getByRole('link', { name: 'Back to the results' }).click()
    await page.waitForURL(/tab=images/)
    await leave(tab)
  })
})

it('a package is installed with a line that is copied by a press, and stands there without script', async () => {
  const tab = await site.openSignedIn({ ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = tab
  await page.clock.install()
  await page.goto(CODE)
  const copy = page.locator('.install [data-copy]').first()
  const label = await copy.textContent()
  await copy.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  // Pressed while it says that, it doesn't say it for good.
  await copy.press('Enter')
  const line = await page.locator('.install code').first().innerText()
  expect(line).toMatch(/^npm install [\w-]+$/)
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(line)
  await page.clock.runFor(5_000)
  expect(await copy.textContent()).toBe(label)
  expect((await page.locator('.result .meta').allInnerTexts()).join('\n')).toMatch(/TypeScript.*MIT.*stars/s)
  await leave(tab)
  const plain = await site.openSignedIn({ ...DESKTOP, javaScriptEnabled: false })
  await plain.page.goto(CODE)
  expect(await plain.page.locator('.install code').first().innerText()).toBe(line)
  expect(await plain.page.getByRole('button', { name: 'Copy npm' }).count()).toBe(0)
  await leave(plain)
})

it('a video has a larger picture where there is room, and on a phone its facts have the whole width', async () => {
  const tab = await site.openSignedIn(DESKTOP)
  const { page } = tab
  const shown = async () =>
    decodeURIComponent(await page.evaluate<string>(`document.querySelector('.frame source + img').currentSrc`))
  const widthOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.width
  await page.goto(VIDEOS, { waitUntil: 'networkidle' })
  expect(await shown()).toContain('-850.jpg')
  expect(await widthOf('.frame')).toBe(240)
  await page.setViewportSize(PHONE.viewport)
  await page.goto(VIDEOS, { waitUntil: 'networkidle' })
  expect(await shown()).not.toContain('-850.jpg')
  expect(await widthOf('.video .meta')).toBe(await widthOf('.video'))
  await leave(tab)
})

it('a paper tells who wrote it and where it was published, and has a BibTeX entry to take along', async () => {
  const tab = await site.openSignedIn(DESKTOP)
  const { page } = tab
  await page.goto('/search?q=climate&tab=science')
  const paper = page.locator('main .result').first()
  expect(await paper.locator('.where').innerText()).toMatch(/^A\s+Annals of /)
  expect(await paper.locator('.paper-facts').innerText()).toMatch(/^\p{L}+ \p{L}.* · \d{4}$/u)
  const doi = paper.getByRole('link', { name: /^DOI 10\.5555/ })
  expect(await doi.getAttribute('href')).toBe(await paper.locator('.result-link').getAttribute('href'))
  const cite = paper.locator('.cite summary')
  const before = await cite.boundingBox()
  await cite.click()
  expect(await cite.boundingBox()).toEqual(before)
  expect(await paper.locator('.cite pre').innerText()).toMatch(/^@article\{[a-z]+\d{4}[a-z]+,\n {2}author = \{/)
  expect(await paper.getByRole('button', { name: 'Copy' }).count()).toBe(1)
  // One menu is open at a time.
  await page.locator('.cite summary').nth(1).click()
  expect(await page.locator('.cite[open]').count()).toBe(1)
  await leave(tab)
})
