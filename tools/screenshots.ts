// Takes screenshots of every page of the site: `npm run screenshots [-- pattern…] [--width 390,1920] [--look dark,print]`. A
// page is taken if its name contains a pattern; without options in all widths and looks. They are taken from the demo
// with a map, and not kept in the repository.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startDemo } from '../server/src/demo/demo.ts'
import { BROWSER, openTab, signIn } from '../server/test/support/browser.ts'
import { writeMapFile } from '../server/test/support/map-file.ts'
import { OPEN_PAGES, SITE_PAGES, UNHURRIED } from '../server/test/support/site-pages.ts'

const FOLDER = resolve(import.meta.dirname, '../screenshots')
/** A phone, a laptop, a wide screen. */
const WIDTHS: Readonly<Record<string, number>> = { 390: 844, 1280: 900, 1920: 1080 }

interface Look {
  options?: BrowserContextOptions
  media?: 'print'
  direction?: 'rtl'
}

const LOOKS: Readonly<Record<string, Look>> = {
  light: {},
  dark: { options: { colorScheme: 'dark' } },
  forced: { options: { forcedColors: 'active' } },
  print: { media: 'print' },
  rtl: { direction: 'rtl' },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', default: Object.keys(WIDTHS).join() },
    look: { type: 'string', default: Object.keys(LOOKS).join() },
  },
})

const isWanted = (name: string): boolean =>
  positionals.length === 0 || positionals.some((pattern) => name.includes(pattern))

/** No language of the site is written from right to left yet, so its pages are turned on their way to the browser. */
const turn = (page: Page): Promise<unknown> =>
  page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch({ maxRedirects: 0 })
    const body = (await response.text()).replace(/(<html [^>]*)dir="ltr"/, '$1dir="rtl"')
    return route.fulfill({ response, body })
  })

mkdirSync(FOLDER, { recursive: true })
const map = join(FOLDER, 'map.pmtiles')
await writeMapFile(map)
const demo = await startDemo({ port: 0, settings: { ...UNHURRIED, MAP_TILES: map } })
// The map is drawn in software.
const args = [...BROWSER.args.filter((arg) => arg !== '--disable-gpu'), '--use-angle=swiftshader']
const browser = await chromium.launch({ ...BROWSER, args: [...args, '--enable-unsafe-swiftshader'] })
try {
  const takeAll = async (pages: Readonly<Record<string, string>>, isSignedIn: boolean) => {
    const wanted = Object.entries(pages).filter(([name]) => isWanted(name))
    for (const width of values.width.split(',')) {
      for (const name of values.look.split(',')) {
        const look = LOOKS[name]
        if (!look || !Number(width)) throw new Error(`there is no width ${width} or look ${name}`)
        const viewport = { width: Number(width), height: WIDTHS[width] ?? 1080 }
        const { page, close } = await openTab(browser, demo.url, { viewport, ...look.options })
        // Each time, because some pages ask for the password again after a while.
        if (isSignedIn) await signIn(page, demo)
        if (look.media) await page.emulateMedia({ media: look.media })
        if (look.direction) await turn(page)
        for (const [title, path] of wanted) {
          await page.goto(path, { waitUntil: 'networkidle' })
          if (!look.media) await page.locator('.map-panel:not([data-drawn])').waitFor({ state: 'detached' })
          await page.screenshot({ path: join(FOLDER, `${title}-${width}-${name}.png`), fullPage: true })
        }
        await close()
      }
    }
  }
  await takeAll(OPEN_PAGES, false)
  const reader = await openTab(browser, demo.url)
  await signIn(reader.page, demo)
  await reader.page.goto('/search?q=climate')
  const read = await reader.page.locator('a[href^="/read?"]').first().getAttribute('href')
  await reader.close()
  await takeAll({ ...SITE_PAGES, ...(read && { read }) }, true)
  process.stdout.write(`The pictures are in ${FOLDER}\n`)
} finally {
  await browser.close()
  await demo.close()
}
