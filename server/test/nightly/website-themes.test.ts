// Checks every page in the dark theme at desktop width, and the layout on the narrowest phone. Dark differs from light
// only in colours, and no colour depends on the width, so other combinations would show nothing new.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { expectAccessiblePages, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn } from '../support/browser.ts'
import { SITE_PAGES, UNHURRIED } from '../support/site-pages.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

it('every page is accessible and does not overflow, dark at 1280 px', async () => {
  await expectAccessiblePages({ browser, demo, colorScheme: 'dark', width: 1280 })
}, 300_000)

it('every page is accessible and does not overflow in the contrast theme, compact, dark at 390 px', async () => {
  const preferences = 'theme=contrast&density=compact'
  await expectAccessiblePages({ browser, demo, colorScheme: 'dark', width: 390, preferences })
}, 300_000)

it('no page overflows at 320 px', async () => {
  const tab = await openTab(browser, demo.url, { viewport: { width: 320, height: 600 } })
  await signIn(tab.page, demo)
  const wide: string[] = []
  for (const [name, path] of Object.entries(SITE_PAGES)) {
    await tab.page.goto(path)
    if ((await overflow(tab)) > 0) wide.push(name)
  }
  expect(wide).toEqual([])
  await tab.close()
}, 120_000)
