// A person looks for places on an instance with a map of its own, in a browser that draws WebGL in software: the map is
// drawn from this site alone, its pins are tied to the list, and without script or WebGL the list is what it always was.
// `nightly/website-layout.test.ts` has other widths and colours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { DESKTOP, leave } from '../support/demo-site.ts'
import { coloursOf, PATIENCE_MS, shareMapSite } from '../support/map-site.ts'

const site = shareMapSite()

const placeOf = ({ page }: Tab, number: string) => page.locator('.pin', { hasText: number }).boundingBox()

describe('the map beside the places', () => {
  let tab: Tab
  const answers: { path: string; status: number }[] = []
  beforeAll(async () => {
    tab = await site.openMap(DESKTOP, (reply) =>
      answers.push({ path: new URL(reply.url()).pathname, status: reply.status() }),
    )
  }, 60_000)
  afterAll(() => leave(tab))

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
    expect(await site.shiftsOf(tab)).toBe(0)
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
    const active = (number: number) => page.locator(`#place-${number}.is-active`).count()
    await page.locator('#place-1').hover()
    expect(await page.locator('.pin.is-active').innerText()).toBe('1')
    await page.locator('.pin', { hasText: '9' }).hover()
    expect(await active(9)).toBe(1)
    expect(await active(1)).toBe(0)
    await page.locator('.tabs').hover()
    await page.locator('.pin', { hasText: '1' }).focus()
    expect(await active(1)).toBe(1)
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
    expect(Math.abs((pin?.x ?? 0) - (view?.x ?? 0) - (view?.width ?? 0) / 2)).toBeLessThan(30)
    expect(page.url()).not.toContain('show=')
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('follows the theme when it changes', async () => {
    await tab.page.emulateMedia({ colorScheme: 'dark' })
    const land = async () => (await coloursOf(tab)).get('20,19,15') ?? 0
    await expect.poll(land, { timeout: PATIENCE_MS }).toBeGreaterThan(1_000)
  })
})

it('a place that is not on the map is listed as ever, with no map if none is', async () => {
  const { page, close } = await site.open()
  await page.goto('/maps?lat=-33.9&lon=151.2')
  expect(await page.locator('.place').count()).toBeGreaterThan(0)
  expect(await page.locator('.map-panel, script[src*="map"], link[href*="map"]').count()).toBe(0)
  await close()
})

it('without script there is no map, and the links lead to one', async () => {
  const { page, close } = await site.open({ ...DESKTOP, javaScriptEnabled: false })
  await page.goto('/maps?q=Eiffel+Tower')
  expect(await page.locator('main').innerText()).toContain('5, Avenue Anatole France')
  expect(await page.locator('.map-panel').isVisible()).toBe(false)
  expect(await page.locator('.place-number').first().isVisible()).toBe(false)
  await page.route('https://www.openstreetmap.org/**', (route) => route.fulfill({ body: 'their map' }))
  await page.locator('#place-1').getByRole('link', { name: 'Show map' }).click()
  expect(await page.locator('iframe[src^="https://www.openstreetmap.org/"]').isVisible()).toBe(true)
  await close()
})
