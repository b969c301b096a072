// Takes screenshots of every page of the site, at phone and desktop width, light and dark: `npm run screenshots
// [-- pattern]`. They are taken from the demo and not kept in the repository.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Demo, startDemo } from '../server/src/demo/demo.ts'
import { launchBrowser, openTab, signIn } from '../server/test/support/browser.ts'
import { OPEN_PAGES, SITE_PAGES, UNHURRIED } from '../server/test/support/site-pages.ts'

const FOLDER = resolve(import.meta.dirname, '../screenshots')
const WIDTHS = [390, 1280] as const
const THEMES = ['light', 'dark'] as const

async function show(demo: Demo, pattern: string): Promise<void> {
  const browser = await launchBrowser()
  try {
    for (const width of WIDTHS) {
      for (const colorScheme of THEMES) {
        const { page, close } = await openTab(browser, demo.url, { viewport: { width, height: 900 }, colorScheme })
        const keepAll = async (pages: Readonly<Record<string, string>>) => {
          for (const [name, path] of Object.entries(pages).filter(([name]) => name.includes(pattern))) {
            await page.goto(path, { waitUntil: 'networkidle' })
            await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true })
          }
        }
        await keepAll(OPEN_PAGES)
        await signIn(page, demo)
        await keepAll(SITE_PAGES)
        await close()
      }
    }
  } finally {
    await browser.close()
  }
}

mkdirSync(FOLDER, { recursive: true })
const demo = await startDemo({ port: 0, settings: UNHURRIED })
try {
  await show(demo, process.argv[2] ?? '')
  process.stdout.write(`The pictures are in ${FOLDER}\n`)
} finally {
  await demo.close()
}
