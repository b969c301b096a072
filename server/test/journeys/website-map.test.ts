// A person looks for places on an instance with a map of its own, in a browser that draws WebGL in software: the map is
// drawn from this site alone, its pins are tied to the list, and without script or WebGL the list is what it always was.
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { BROWSER, openTab, type Tab } from '../support/browser.ts'
import { writeMapFile } from '../support/map-file.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
const PATIENCE_MS = 30_000
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const WIDEST = { width: 1920, height: 1080 }

let demo: Demo
let browser: Browser

beforeAll(async () => {
  const path = join(inject('temporaryFolder'), 'map.pmtiles')
  await writeMapFile(path)
  const settings = { ...UNHURRIED, MAP_TILES: path, SITE_ACCESS: 'public' }
  const args = [...BROWSER.args.filter((arg) => arg !== '--disable-gpu'), ...WEBGL]
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings }), chromium.launch({ ...BROWSER, args })])
}, 60_000)

afterAll(async () => {
  await browser.close()
  await demo.close()
})

async function openMap(options: Parameters<typeof openTab>[2], query = 'Eiffel+Tower'): Promise<Tab> {
  const tab = await openTab(browser, demo.url, { reducedMotion: 'reduce', viewport: WIDE, ...options })
  tab.page.setDefaultTimeout(PATIENCE_MS)
  await tab.page.goto(`/maps?q=${query}`)
  await tab.page.locator('.map-panel[data-drawn]').waitFor()
  return tab
}

/** How many pixels of the map have each colour, as `red,green,blue`. */
async function coloursOf({ page }: Tab): Promise<Map<string, number>> {
  const picture = await page.locator('.map-view canvas').screenshot()
  const counts = await page.evaluate<[string, number][]>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture.toString('base64')}'
    await image.decode()
    const { width, height } = image
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const counts = new Map()
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.slice(at, at + 3).join()
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    return [...counts]
  })()`)
  return new Map(counts)
}

const SHIFTS = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value })
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 200)
})`

const placeOf = ({ page }: Tab, number: string) => page.locator('.pin', { hasText: number }).boundingBox()

it.each([PHONE, WIDEST])('at $width px nothing moves when the map is drawn, and it has the room', async (viewport) => {
  const tab = await openMap({ viewport })
  expect(await tab.page.evaluate(SHIFTS)).toBe(0)
  const { x = 0, width = 0 } = (await tab.page.locator('.map-panel').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(viewport.width * 0.6)
  expect(viewport.width - x - width).toBeLessThan(40)
  expect(await overflow(tab)).toBe(0)
  await tab.close()
})

describe('the map beside the places', () => {
  let tab: Tab
  const answers: { path: string; status: number; type: string }[] = []

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, { reducedMotion: 'reduce', viewport: WIDE })
    tab.page.setDefaultTimeout(PATIENCE_MS)
    tab.page.on('response', (reply) => {
      const { pathname } = new URL(reply.url())
      answers.push({ path: pathname, status: reply.status(), type: reply.headers()['content-type'] ?? '' })
    })
    await tab.page.goto('/maps?q=Eiffel+Tower')
    await tab.page.locator('.map-panel[data-drawn]').waitFor()
  }, 60_000)
  afterAll(() => tab.close())

  it('is drawn from the file, in ranges, by this site alone, and nothing on the page moves', async () => {
    const tiles = answers.filter(({ path }) => path.startsWith('/maps/tiles/'))
    expect(tiles.length).toBeGreaterThan(3)
    expect(new Set(tiles.map(({ status }) => status))).toEqual(new Set([206]))
    const colours = await coloursOf(tab)
    // Land, water, a park and a road, in the colours of the light theme.
    for (const colour of ['251,249,244', '219,226,227', '240,239,224', '211,201,180'])
      expect(colours.get(colour) ?? 0, colour).toBeGreaterThan(100)
    // Letters are drawn in shades.
    expect(colours.size).toBeGreaterThan(50)
    expect(await tab.page.evaluate(SHIFTS)).toBe(0)
    expect(tab.strangers).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  it('says whose data it is', async () => {
    const credit = tab.page.getByRole('link', { name: '© OpenStreetMap contributors' })
    expect(await credit.getAttribute('href')).toBe('https://www.openstreetmap.org/copyright')
    expect(await credit.isVisible()).toBe(true)
  })

  it('has a pin for each place that it shows, with the number of its row', async () => {
    const pins = await tab.page.locator('.pin').allInnerTexts()
    expect(pins).toEqual(await tab.page.locator('.place-number').allInnerTexts())
    expect(pins).toEqual(['1', '9'])
    const panel = await tab.page.locator('.map-panel').boundingBox()
    for (const number of pins) {
      const { x = 0, y = 0 } = (await placeOf(tab, number)) ?? {}
      expect(x).toBeGreaterThan(panel?.x ?? 0)
      expect(y).toBeGreaterThan(panel?.y ?? 0)
      expect(y).toBeLessThan((panel?.y ?? 0) + (panel?.height ?? 0))
    }
  })

  it('ties row and pin, by pointer and by keyboard', async () => {
    const { page } = tab
    const active = () => page.locator('.is-active').evaluateAll((all) => all.map(({ className }) => className))
    await page.locator('#place-1').hover()
    expect(await active()).toEqual([expect.stringContaining('place'), expect.stringContaining('pin')])
    await page.locator('.pin', { hasText: '9' }).hover()
    expect(await page.locator('#place-9.is-active').count()).toBe(1)
    expect(await page.locator('#place-1.is-active').count()).toBe(0)
    await page.locator('.tabs').hover()
    await page.locator('.pin', { hasText: '1' }).focus()
    expect(await page.locator('#place-1.is-active').count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.closest(".place").id')).toBe('place-1')
  })

  it('moves with the arrow keys, zooms with its buttons, and goes to a place by its link', async () => {
    const { page } = tab
    const moved = async (act: () => Promise<unknown>) => {
      const before = await placeOf(tab, '1')
      await act()
      await expect.poll(() => placeOf(tab, '1'), { timeout: PATIENCE_MS }).not.toEqual(before)
    }
    await moved(() => page.getByRole('button', { name: 'Zoom in' }).click())
    await page.getByRole('region', { name: 'Map' }).focus()
    await moved(() => page.keyboard.press('ArrowRight'))
    await moved(() => page.locator('#place-1').getByRole('link', { name: 'Show map' }).click())
    const [pin, view] = await Promise.all([placeOf(tab, '1'), page.locator('.map-view').boundingBox()])
    expect(pin).not.toBeNull()
    expect(Math.abs((pin?.x ?? 0) - (view?.x ?? 0) - (view?.width ?? 0) / 2)).toBeLessThan(30)
    expect(page.url()).not.toContain('show=')
    expect(await page.locator('iframe').count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })
})

it.each([
  ['light', WIDE],
  ['dark', WIDE],
  ['light', PHONE],
  ['dark', PHONE],
] as const)(
  'is accessible and in place: %s, %o',
  async (colorScheme, viewport) => {
    const tab = await openMap({ colorScheme, viewport })
    expect(await findings(tab)).toEqual([])
    expect(await overflow(tab)).toBe(0)
    const [panel, list] = await Promise.all(
      ['.map-panel', '.places'].map((selector) => tab.page.locator(selector).boundingBox()),
    )
    if (viewport === WIDE) {
      expect(list?.width).toBe(420)
      expect(panel?.x).toBeGreaterThan((list?.x ?? 0) + 420)
    } else {
      expect(panel?.height).toBe(240)
      expect(list?.y).toBeGreaterThan((panel?.y ?? 0) + 240)
    }
    await tab.close()
  },
  60_000,
)

it('follows the theme when it changes', async () => {
  const tab = await openMap({ colorScheme: 'light' })
  const land = async (colour: string) => (await coloursOf(tab)).get(colour) ?? 0
  expect(await land('251,249,244')).toBeGreaterThan(1_000)
  await tab.page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => land('20,19,15'), { timeout: PATIENCE_MS }).toBeGreaterThan(1_000)
  await tab.close()
}, 90_000)

it('is drawn in its own colours where the colours of pages are forced', async () => {
  const tab = await openMap({ forcedColors: 'active' })
  const colours = await coloursOf(tab)
  for (const colour of ['251,249,244', '219,226,227']) expect(colours.get(colour) ?? 0, colour).toBeGreaterThan(1_000)
  await tab.close()
}, 60_000)

it('a place that is not on the map is listed as ever, with no map if none is', async () => {
  const tab = await openTab(browser, demo.url)
  await tab.page.goto('/maps?lat=-33.9&lon=151.2')
  expect(await tab.page.locator('.place').count()).toBeGreaterThan(0)
  expect(await tab.page.locator('.map-panel, script[src*="map"], link[href*="map"]').count()).toBe(0)
  await tab.close()
})

it('without script there is no map, and the links lead to one', async () => {
  const tab = await openTab(browser, demo.url, { javaScriptEnabled: false, viewport: WIDE })
  await tab.page.goto('/maps?q=Eiffel+Tower')
  expect(await tab.page.locator('.map-panel').isVisible()).toBe(false)
  expect(await tab.page.locator('.place-number').first().isVisible()).toBe(false)
  await tab.page.route('https://www.openstreetmap.org/**', (route) => route.fulfill({ body: 'their map' }))
  await tab.page.locator('#place-1').getByRole('link', { name: 'Show map' }).click()
  expect(await tab.page.locator('iframe[src^="https://www.openstreetmap.org/"]').isVisible()).toBe(true)
  await tab.close()
})

it('without WebGL the list has the page', async () => {
  const plain = await chromium.launch({ ...BROWSER, args: [...BROWSER.args, '--disable-3d-apis'] })
  const tab = await openTab(plain, demo.url, { viewport: WIDE })
  await tab.page.goto('/maps?q=Eiffel+Tower')
  await tab.page.locator('.map-panel').waitFor({ state: 'detached', timeout: PATIENCE_MS })
  expect(await tab.page.locator('.place').count()).toBe(10)
  expect(tab.strangers).toEqual([])
  await plain.close()
}, 60_000)
