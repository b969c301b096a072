// A person looks through images in a real browser: in the viewer beside the grid with one hand on the keys, on the page of
// one image without script or without room, and without a request to any other host.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { shiftsOf, watchShifts } from '../support/layout-shifts.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const SEARCH = '/search?q=climate&tab=images'
const GRID = '<ul class="image-grid">'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const inWindow = async (options: Parameters<typeof openTab>[2]): Promise<Tab> => {
  const tab = await openTab(browser, demo.url, options)
  await signIn(tab.page, demo)
  return tab
}

const tiles = (page: Page) => page.locator('.image-grid .result-link')
const viewer = (page: Page) => page.getByRole('complementary', { name: 'Image', exact: true })
/** The large picture has taken the place of the small one. */
const isDrawn = (page: Page) => page.locator('.viewer img[src*="/pictures/picture"]').waitFor()

/** How long after its bytes, and after the key, each large picture was drawn. A text: the types of a browser aren't those
 * of Node.js. */
const WATCH_DELAYS = `
  performance.setResourceTimingBufferSize(2_000)
  globalThis.delays = []
  let pressedAt = 0
  addEventListener('keydown', () => (pressedAt = performance.now()), { capture: true })
  const place = document.querySelector('.viewer-picture')
  const known = new Set()
  new MutationObserver(() => {
    const src = place.querySelector('img')?.src ?? ''
    const bytes = performance.getEntriesByName(src).at(-1)
    if (!bytes || known.has(src) || !src.includes('/pictures/picture')) return
    known.add(src)
    requestAnimationFrame(() => delays.push(performance.now() - Math.max(bytes.responseEnd, pressedAt)))
  }).observe(place, { childList: true })`

describe('with room for the viewer', () => {
  let tab: Tab
  beforeAll(async () => {
    tab = await inWindow({ viewport: { width: 1280, height: 900 } })
  })
  afterAll(() => tab.close())

  it('a tile opens it, with what is known of the image, and nothing in the page moves', async () => {
    const { page } = tab
    await watchShifts(page)
    await page.goto(SEARCH, { waitUntil: 'networkidle' })
    await tiles(page).first().click()
    await isDrawn(page)
    expect(await viewer(page).innerText()).toMatch(/Size\s+\d+ × \d+\s+Creator\s+\S.*\s+Licence\s+CC/)
    expect(await viewer(page).getByRole('link', { name: 'Open page' }).getAttribute('href')).toMatch(/^https?:\/\//)
    expect(await shiftsOf(page)).toEqual([])
  })

  it('arrow keys move, Escape closes it, and the focus is on the tile of the last image', async () => {
    const { page } = tab
    await page.goto(SEARCH, { waitUntil: 'networkidle' })
    const titles = await page.locator('.image-grid .caption-title').allTextContents()
    await tiles(page).first().focus()
    await page.keyboard.press('Enter')
    const title = () => viewer(page).getByRole('heading').textContent()
    expect(await title()).toBe(titles[0])
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
      await page.keyboard.press(key)
    expect(await title()).toBe(titles[2])
    expect(page.url()).toMatch(/#image-3$/)
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'hidden' })
    expect(await page.locator('.result-link:focus .caption-title').textContent()).toBe(titles[2])
    expect(page.url()).not.toContain('#')
  })

  it('Escape in the menu of a tile closes the menu alone', async () => {
    const { page } = tab
    await page.goto(SEARCH, { waitUntil: 'networkidle' })
    await tiles(page).first().click()
    await page.locator('.image-grid .menu summary').first().press('Enter')
    await page.locator('.menu[open] ul').waitFor()
    await page.keyboard.press('Escape')
    expect([await page.locator('.menu[open]').count(), await viewer(page).isVisible()]).toEqual([0, true])
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'hidden' })
  })

  it('Back closes it, Forward opens it again, and its address leads to it', async () => {
    const { page } = tab
    await page.goto(SEARCH, { waitUntil: 'networkidle' })
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

  it('with 200 images and a key pressed for each, an image is drawn within 100 ms of its bytes', async () => {
    const { page } = tab
    await page.route(`**${SEARCH}`, async (route) => {
      const reply = await route.fetch()
      const html = await reply.text()
      const [before = '', rest = ''] = html.split(GRID)
      // Every tile ends with its menu, which is a list too.
      const [items = '', after = ''] = rest.split('</details></li></ul>')
      const all = items.match(/<li class="[^"]*"><a class="result-link".*?<\/a>/gs) ?? []
      // The signature is of the picture's address alone, so the browser takes these for two hundred pictures.
      const many = Array.from({ length: 200 }, (_, index) =>
        all[index % all.length]
          ?.replace('data-picture="', `data-picture="/pictures/picture?n=${index}&`)
          .replace('&/pictures/picture?', '&'),
      )
      await route.fulfill({ response: reply, body: `${before}${GRID}${many.join('</li>')}</li></ul>${after}` })
    })
    await page.goto(SEARCH)
    await page.evaluate(WATCH_DELAYS)
    await tiles(page).first().focus()
    await page.keyboard.press('Enter')
    for (let index = 0; index < 200; index++) {
      await page.waitForFunction(
        (count) => (globalThis as unknown as { delays: number[] }).delays.length > count,
        index,
      )
      await page.keyboard.press('ArrowRight')
    }
    const delays = (await page.evaluate('delays')) as number[]
    expect(await viewer(page).innerText()).toContain('200 / 200')
    // Half of them: in a test, the machine has other work.
    expect(delays.toSorted((one, other) => one - other)[100]).toBeLessThan(100)
    await page.unroute(`**${SEARCH}`)
  })

  it('asks no other host for anything, and no script complains', () => {
    expect({ strangers: tab.strangers, complaints: tab.complaints }).toEqual({ strangers: [], complaints: [] })
  })
})

describe.each([
  ['without room for the viewer', { viewport: { width: 390, height: 844 } }],
  ['without script', { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false }],
])('%s', (_name, options) => {
  it('an image has a page, large and with what is known of it, from which one goes on to the next', async () => {
    const { page, strangers, complaints, close } = await inWindow(options)
    await page.goto(SEARCH)
    await tiles(page).first().click()
    await page.waitForURL(/\/images\/detail/)
    const first = await page.getByRole('heading', { level: 1 }).textContent()
    expect(await page.locator('.image-list').innerText()).toMatch(/Size\s+\d+ × \d+\s+Creator\s+\S.*\s+Licence\s+CC/)
    expect(await page.locator('.large-picture img').getAttribute('width')).toMatch(/^\d+$/)
    await page.getByRole('link', { name: 'Next', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: first ?? '', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Previous', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: first ?? '', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Back to the results' }).click()
    await page.waitForURL(/tab=images/)
    expect({ strangers, complaints }).toEqual({ strangers: [], complaints: [] })
    await close()
  })
})

it('filters by licence and shape, and keeps the one when the other is chosen', async () => {
  const { page, close } = await inWindow({ viewport: { width: 1280, height: 900 } })
  await page.goto(SEARCH)
  await page.getByLabel('Licence').selectOption('Free to modify')
  await page.waitForURL(/licence=modify/)
  const licences = await tiles(page).evaluateAll((links) => links.map((link) => link.getAttribute('data-licence')))
  expect(licences.length).toBeGreaterThan(0)
  expect(licences.filter((name) => !/^CC(?:0| BY)/.test(name ?? ''))).toEqual([])
  await page.getByLabel('Shape').selectOption('Tall')
  await page.waitForURL(/shape=tall.*licence=modify/)
  const sides = (name: string) =>
    tiles(page).evaluateAll((links, side) => links.map((link) => Number(link.getAttribute(side))), `data-${name}`)
  const [widths, heights] = [await sides('width'), await sides('height')]
  const isTall = heights.map((height, at) => height > (widths[at] ?? 0))
  expect(isTall).not.toContain(false)
  await close()
})
