// Windows of every size: at which line things begin, how long lines are, that nothing is cut off and that what all pages
// share stays where it is; and the map in every width and colour.
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, overflow } from '../support/accessible-pages.ts'
import { BROWSER, openTab, type Tab } from '../support/browser.ts'
import { leave, shareDemo } from '../support/demo-site.ts'
import { delayScripts, shiftsOf, watchShifts } from '../support/layout-shifts.ts'
import { coloursOf, shareMapSite } from '../support/map-site.ts'

const PHONE = { width: 390, height: 844 }
const LAPTOP = { width: 1280, height: 800 }
const WIDE = { width: 1920, height: 1080 }
const WIDEST = { width: 2560, height: 1440 }

const WEB = '/search?q=climate'
const CARD = '/search?q=Eiffel+Tower'
const IMAGES = '/search?q=climate&tab=images'
const SCIENCE = '/search?q=climate&tab=science'
const MAPS = '/maps?q=Eiffel+Tower'

const site = shareDemo({ SITE_ACCESS: 'public' })

/** Left and right. */
async function boxOf(page: Page, selector: string) {
  const { x, width } = (await page.locator(selector).first().boundingBox()) ?? { x: Number.NaN, width: Number.NaN }
  return { left: x, right: x + width }
}

describe.each([LAPTOP, WIDE, WIDEST])('at $width px', (viewport) => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await site.openSignedIn({ viewport })
    page = tab.page
  })
  afterAll(() => leave(tab))

  it('the field, the tabs, the filters and what is found begin at one line', async () => {
    const pages = { [CARD]: '.results', [SCIENCE]: '.results', [IMAGES]: '.image-grid', [MAPS]: '.places' }
    for (const [path, content] of Object.entries(pages)) {
      await page.goto(path)
      const { left } = await boxOf(page, '.search-field')
      expect((await boxOf(page, '.tabs a')).left, path).toBeCloseTo(left, 0)
      expect((await boxOf(page, content)).left, path).toBeCloseTo(left, 0)
    }
    // Or where the card does, if there is room. The words of a select begin some pixels inside it.
    const isBesideTabs = viewport.width >= WIDE.width
    await page.goto(CARD)
    const { left } = await boxOf(page, isBesideTabs ? '.rail' : '.results')
    expect(Math.abs((await boxOf(page, '.filters')).left - left)).toBeLessThan(16)
  })

  it('images and their filters take the whole window', async () => {
    await page.goto(IMAGES)
    const [grid, filters] = [await boxOf(page, '.image-grid'), await boxOf(page, '.filters')]
    expect(grid.right).toBeGreaterThan(viewport.width - 40)
    expect(Math.abs(filters.left - grid.left)).toBeLessThan(16)
    expect(Math.abs(filters.right - grid.right)).toBeLessThan(16)
  })

  it('no line of a result or card is much longer than 75 characters', async () => {
    await page.goto(CARD)
    const lengths = await page.evaluate<
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

// `journeys/accessible.test.ts` looks at these on a phone, and at three others in a wide window.
it('in a wide dark window no page sticks out at the side or moves when its scripts arrive', async () => {
  const tab = await site.openSignedIn({ viewport: WIDE, colorScheme: 'dark' })
  await watchShifts(tab.page)
  await delayScripts(tab.page)
  for (const path of [
    '/',
    SCIENCE,
    MAPS,
    '/translate?q=good+morning&target=fr',
    '/tools/calculator?sum=2%5E100',
    '/admin/engines',
  ]) {
    await tab.page.goto(path, { waitUntil: 'networkidle' })
    expect(await shiftsOf(tab.page), path).toEqual([])
    expect(await overflow(tab), path).toBe(0)
  }
  await leave(tab)
})

it('in a wide window the card has more room than on a laptop, and “why” stands between', async () => {
  const { page, close } = await site.open({ viewport: WIDE })
  await page.goto(CARD)
  const [result, card] = [await boxOf(page, '.result'), await boxOf(page, '.rail aside')]
  expect(card.right - card.left).toBeGreaterThan(500)
  expect(card.left - result.right).toBeGreaterThan(200)
  await page.locator('.result .why summary').first().click()
  expect((await boxOf(page, '.result .why > div')).left).toBeGreaterThan(result.right)
  await close()
})

it.each([PHONE, { width: 1024, height: 768 }, LAPTOP, WIDE])(
  'at $width px, the name, the field and the account are at one position in every area',
  async (viewport) => {
    const { page, close } = await site.openSignedIn({ viewport })
    const positions = async () => [
      (await boxOf(page, '.top .name')).left,
      (await boxOf(page, '.top .search-field')).left,
      (await boxOf(page, '.top .account')).right,
    ]
    await page.goto(WEB)
    const expected = await positions()
    const read = (await page.locator('.result a[href^="/read"]').first().getAttribute('href')) ?? ''
    for (const path of [IMAGES, MAPS, '/settings/search', '/admin/engines', '/docs', '/tools', '/status', read]) {
      await page.goto(path)
      expect(await positions(), path).toEqual(expected)
    }
    await close()
  },
)

it('the tabs stay where they are, whichever is the current one', async () => {
  const { page, close } = await site.openSignedIn({ viewport: LAPTOP })
  const lefts = () => page.locator('.tabs a').evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().left))
  await page.goto(WEB)
  const expected = await lefts()
  expect(expected.length).toBeGreaterThan(6)
  for (const path of [IMAGES, SCIENCE, MAPS, '/mine?q=climate']) {
    await page.goto(path)
    expect(await lefts(), path).toEqual(expected)
  }
  await close()
})

it.each(['en', 'de', 'es', 'fr'])('no filter is cut off in %s', async (locale) => {
  const { page, close } = await site.open({ viewport: LAPTOP, locale })
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

describe('the map', () => {
  const mapSite = shareMapSite()

  it.each<[string, BrowserContextOptions, typeof PHONE]>([
    ['light', { colorScheme: 'light' }, PHONE],
    ['dark', { colorScheme: 'dark' }, LAPTOP],
    ['light', { colorScheme: 'light' }, WIDE],
  ])('in the %s is accessible, in place, and moves nothing: %o, %o', async (_name, look, viewport) => {
    const tab = await mapSite.openMap({ ...look, viewport })
    expect(await mapSite.shiftsOf(tab)).toBe(0)
    expect(await findings(tab)).toEqual([])
    expect(await overflow(tab)).toBe(0)
    const [panel, list] = [await boxOf(tab.page, '.map-panel'), await boxOf(tab.page, '.places')]
    expect(viewport.width - panel.right).toBeLessThan(40)
    if (viewport !== PHONE) expect(panel.left).toBeGreaterThan(list.left + 420)
    await leave(tab)
  })

  it('is drawn in its own colours where the colours of pages are forced', async () => {
    const tab = await mapSite.openMap({ forcedColors: 'active', viewport: LAPTOP })
    const colours = await coloursOf(tab)
    for (const colour of ['251,249,244', '219,226,227']) expect(colours.get(colour) ?? 0, colour).toBeGreaterThan(1_000)
    await leave(tab)
  })

  it('is left out without WebGL, and the list has the page', async () => {
    const plain = await chromium.launch({ ...BROWSER, args: [...BROWSER.args, '--disable-3d-apis'] })
    const tab = await openTab(plain, mapSite.demo.url, { viewport: LAPTOP })
    await tab.page.goto(MAPS)
    await tab.page.locator('.map-panel').waitFor({ state: 'detached' })
    expect(await tab.page.locator('.place').count()).toBe(10)
    await plain.close()
  })
})
