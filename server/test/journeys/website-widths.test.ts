// One page in windows of every size: on a phone results begin at once, a wide window is used, and nothing moves, weighs much
// or asks another host. `website-accessible.test.ts` looks at every page, `website-map.test.ts` at the map.
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { delayScripts, shiftsOf, watchShifts } from '../support/layout-shifts.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const PHONE = { width: 390, height: 844 }
const LAPTOP = { width: 1280, height: 800 }
const WIDE = { width: 1920, height: 1080 }
const WIDEST = { width: 2560, height: 1440 }

const WEB = '/search?q=climate'
const CARD = '/search?q=Eiffel+Tower'
const IMAGES = '/search?q=climate&tab=images'
const SCIENCE = '/search?q=climate&tab=science'
const MAPS = '/maps?q=Eiffel+Tower'

let demo: Demo
let browser: Browser
let session: NonNullable<BrowserContextOptions['storageState']>

beforeAll(async () => {
  const settings = { ...UNHURRIED, SITE_ACCESS: 'public' }
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings }), launchBrowser()])
  const { page, close } = await openTab(browser, demo.url)
  await signIn(page, demo)
  session = await page.context().storageState()
  await close()
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const open = (options: BrowserContextOptions) => openTab(browser, demo.url, { reducedMotion: 'reduce', ...options })

/** Left and top, right and bottom. */
async function boxOf(page: Page, selector: string, at = 0) {
  const box = await page.locator(selector).nth(at).boundingBox()
  // Nothing is less or more than what isn't there.
  const { x, y, width, height } = box ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN }
  return { left: x, top: y, right: x + width, bottom: y + height, height }
}

describe('on a phone', () => {
  it.each([
    { who: 'a visitor', javaScriptEnabled: true },
    { who: 'a visitor', javaScriptEnabled: false },
    { who: 'a person', javaScriptEnabled: true },
    { who: 'a person', javaScriptEnabled: false },
  ])('the first result of $who is within 300 px, script: $javaScriptEnabled', async ({ who, javaScriptEnabled }) => {
    const signedIn = who === 'a person' && { storageState: session }
    const { page, close } = await open({ viewport: PHONE, javaScriptEnabled, ...signedIn })
    for (const path of [WEB, CARD, SCIENCE]) {
      await page.goto(path)
      expect((await boxOf(page, '.result')).top, path).toBeLessThan(300)
      // The filters are one line, and without script the button that applies them is in sight.
      expect((await boxOf(page, '.filters')).height).toBeLessThan(60)
      expect(await page.locator('.apply').isVisible()).toBe(!javaScriptEnabled)
      if (!javaScriptEnabled) expect((await boxOf(page, '.apply')).right).toBeLessThanOrEqual(PHONE.width)
    }
    await close()
  })

  it('what stands beside the results elsewhere comes after the third', async () => {
    const { page, close } = await open({ viewport: PHONE, storageState: session })
    await page.goto(CARD)
    const [third, rail, fourth] = [
      await boxOf(page, '.result', 2),
      await boxOf(page, '.rail'),
      await boxOf(page, '.result', 3),
    ]
    expect(third.bottom).toBeLessThanOrEqual(rail.top)
    expect(rail.bottom).toBeLessThanOrEqual(fourth.top)
    expect(await page.locator('.rail .mine, .rail .card').first().isVisible()).toBe(true)
    await close()
  })
})

it('a laptop shows five results before anything is scrolled', async () => {
  const { page, close } = await open({ viewport: LAPTOP, storageState: session })
  await page.goto(CARD)
  expect((await boxOf(page, '.result h2', 4)).bottom).toBeLessThan(LAPTOP.height)
  await close()
})

describe.each([LAPTOP, WIDE, WIDEST])('at $width px', (viewport) => {
  let tab: Tab
  beforeAll(async () => {
    tab = await open({ viewport, storageState: session })
  })
  afterAll(() => tab.close())

  it('the field, the tabs, the filters and what is found begin at one line', async () => {
    const pages = { [CARD]: '.results', [SCIENCE]: '.results', [IMAGES]: '.image-grid', [MAPS]: '.places' }
    for (const [path, content] of Object.entries(pages)) {
      await tab.page.goto(path)
      const { left } = await boxOf(tab.page, '.search-field')
      expect((await boxOf(tab.page, '.tabs a')).left, path).toBeCloseTo(left, 0)
      expect((await boxOf(tab.page, content)).left, path).toBeCloseTo(left, 0)
    }
    // Or where the card does, if there is room. The words of a select begin some pixels inside it.
    const isBesideTabs = viewport.width >= WIDE.width
    await tab.page.goto(CARD)
    const { left } = await boxOf(tab.page, isBesideTabs ? '.rail' : '.results')
    expect(Math.abs((await boxOf(tab.page, '.filters')).left - left)).toBeLessThan(16)
  })

  it('images and their filters take the whole window', async () => {
    await tab.page.goto(IMAGES)
    const [grid, filters] = [await boxOf(tab.page, '.image-grid'), await boxOf(tab.page, '.filters')]
    expect(grid.right).toBeGreaterThan(viewport.width - 40)
    expect(Math.abs(filters.left - grid.left)).toBeLessThan(16)
    expect(Math.abs(filters.right - grid.right)).toBeLessThan(16)
  })

  it('no line of a result or card is much longer than 75 characters', async () => {
    await tab.page.goto(CARD)
    const lengths = await tab.page.evaluate<
      number[]
    >(`[...document.querySelectorAll('.snippet, .card-text')].map((text) => {
      const letters = document.createElement('span')
      letters.textContent = 'the quick brown fox jumps over the lazy dog and '
      letters.style.whiteSpace = 'pre'
      letters.style.position = 'absolute'
      text.append(letters)
      const longest = (letters.textContent.length * text.clientWidth) / letters.getBoundingClientRect().width
      letters.remove()
      return Math.round(longest)
    })`)
    expect(lengths.length).toBeGreaterThan(5)
    expect(Math.max(...lengths)).toBeLessThan(80)
  })
})

it('in a wide window the card has more room than on a laptop, and “why” fits between', async () => {
  const { page, close } = await open({ viewport: WIDE })
  await page.goto(CARD)
  const [result, card] = [await boxOf(page, '.result'), await boxOf(page, '.rail aside')]
  expect(card.right - card.left).toBeGreaterThan(500)
  expect(card.left - result.right).toBeGreaterThan(200)
  await close()
})

const AREAS = {
  results: WEB,
  images: IMAGES,
  maps: MAPS,
  settings: '/settings/search',
  administration: '/admin/engines',
  docs: '/docs',
  reference: '/docs/api/web_search',
  tools: '/tools',
  status: '/status',
}

it.each([PHONE, { width: 1024, height: 768 }, LAPTOP, WIDE])(
  'at $width px, the name, the field and the account are at one position in every area',
  async (viewport) => {
    const { page, close } = await open({ viewport, storageState: session })
    const positions = async () => [
      (await boxOf(page, '.top .name')).left,
      (await boxOf(page, '.top .search-field')).left,
      (await boxOf(page, '.top .account')).right,
    ]
    const paths = Object.entries(AREAS)
    await page.goto(WEB)
    // What is found can be read here.
    paths.push(['read', (await page.locator('.result a[href^="/read"]').first().getAttribute('href')) ?? ''])
    const expected = await positions()
    for (const [area, path] of paths) {
      await page.goto(path)
      expect([area, ...(await positions())]).toEqual([area, ...expected])
    }
    await close()
  },
)

it('the tabs stay where they are, whichever is the current one', async () => {
  const { page, close } = await open({ viewport: LAPTOP, storageState: session })
  const tabs = page.locator('.tabs a')
  await page.goto(WEB)
  const lefts = () => tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().left))
  const expected = await lefts()
  expect(expected.length).toBeGreaterThan(6)
  for (const path of [IMAGES, SCIENCE, MAPS, '/mine?q=climate']) {
    await page.goto(path)
    expect([path, ...(await lefts())]).toEqual([path, ...expected])
  }
  await close()
})

it.each(['en', 'de', 'es', 'fr'])('no filter is cut off in %s', async (locale) => {
  const { page, close } = await open({ viewport: LAPTOP, locale })
  for (const path of [WEB, `${WEB}&safe=off`, IMAGES]) {
    await page.goto(path)
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.filters select')].filter((select) => {
      const { width } = select.getBoundingClientRect()
      select.style.maxInlineSize = 'none'
      return select.getBoundingClientRect().width > width
    }).map((select) => select.selectedOptions[0].textContent)`)
    expect(cut).toEqual([])
  }
  await close()
})

const weightOf = async (request: Request): Promise<number> => {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}

describe.each([PHONE, LAPTOP, WIDE])('at $width px, a page of results', (viewport) => {
  it.each([CARD, IMAGES, SCIENCE, MAPS])('%s: nothing moves, and it is light, accessible and alone', async (path) => {
    const tab = await open({ viewport, storageState: session })
    const { page } = tab
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await watchShifts(page)
    await delayScripts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await shiftsOf(page)).toEqual([])
    expect(await overflow(tab)).toBe(0)
    const weights = await Promise.all(requests.filter((request) => request.resourceType() !== 'image').map(weightOf))
    expect(weights.length).toBeGreaterThan(2)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThan(45_000)
    // The other widths are `website-accessible.test.ts`'s and `website-themes.test.ts`'s.
    if (viewport === WIDE) expect(await findings(tab)).toEqual([])
    expect([tab.strangers, tab.complaints]).toEqual([[], []])
    await tab.close()
  })
})
