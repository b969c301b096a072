// Takes the pictures of the README from the demo, light and dark: `npm run pictures`. Run it when the page of results
// looks different.
import { resolve } from 'node:path'
import { startDemo } from '../server/src/demo/demo.ts'
import { launchBrowser, openTab, signIn } from '../server/test/support/browser.ts'

const FOLDER = resolve(import.meta.dirname, '../docs/pictures')
const VIEWPORT = { width: 1280, height: 860 }

const demo = await startDemo({ port: 0 })
const browser = await launchBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await openTab(browser, demo.url, { viewport: VIEWPORT, colorScheme })
    await signIn(page, demo)
    await page.goto('/search?q=climate', { waitUntil: 'networkidle' })
    // A picture that has arrived may not have been drawn yet.
    await page.waitForFunction('[...document.images].every((image) => image.complete)')
    await page.screenshot({ path: resolve(FOLDER, `results-${colorScheme}.png`) })
    await close()
  }
} finally {
  await browser.close()
  await demo.close()
}
