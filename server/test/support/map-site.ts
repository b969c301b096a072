// A public demo with a map of its own, and a browser that draws WebGL in software.
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Response } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { startDemo } from '../../src/demo/demo.ts'
import { BROWSER, openTab, type Tab } from './browser.ts'
import type { DemoSite } from './demo-site.ts'
import { writeMapFile } from './map-file.ts'
import { UNHURRIED } from './site-pages.ts'

const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
export const PATIENCE_MS = 60_000

const SHIFTS = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value })
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 200)
})`

interface MapSite extends Omit<DemoSite, 'openSignedIn'> {
  /** Opens places, and waits until their map is drawn. */
  openMap: (options: BrowserContextOptions, onReply?: (reply: Response) => void) => Promise<Tab>
  /** How much of the page has moved. */
  shiftsOf: (tab: Tab) => Promise<number>
}

export function shareMapSite(): MapSite {
  const site = {} as MapSite // filled before the first test
  beforeAll(async () => {
    const path = join(inject('temporaryFolder'), 'map.pmtiles')
    await writeMapFile(path)
    const args = [...BROWSER.args.filter((arg) => arg !== '--disable-gpu'), ...WEBGL]
    const settings = { ...UNHURRIED, MAP_TILES: path, SITE_ACCESS: 'public' }
    site.demo = await startDemo({ port: 0, settings })
    site.browser = await chromium.launch({ ...BROWSER, args })
  }, 60_000)
  afterAll(async () => {
    await site.browser?.close()
    await site.demo?.close()
  })
  site.open = (options) => openTab(site.browser, site.demo.url, { reducedMotion: 'reduce', ...options })
  site.openMap = async (options, onReply) => {
    const tab = await site.open(options)
    tab.page.setDefaultTimeout(PATIENCE_MS)
    if (onReply) tab.page.on('response', onReply)
    await tab.page.goto('/maps?q=Eiffel+Tower')
    await tab.page.locator('.map-panel[data-drawn]').waitFor()
    return tab
  }
  site.shiftsOf = ({ page }) => page.evaluate<number>(SHIFTS)
  return site
}

/** How many pixels of the map have each colour, as `red,green,blue`. */
export async function coloursOf({ page }: Tab): Promise<Map<string, number>> {
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
