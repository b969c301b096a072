// Checks every page in the light theme at phone width, and the focus outline. `nightly/website-themes.test.ts` covers
// the other theme and widths.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { expectAccessiblePages } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn } from '../support/browser.ts'
import { UNHURRIED } from '../support/site-pages.ts'

/** Presses of Tab on each page. */
const STEPS = 25

/** Runs in the page: null if the focused element or one around it has an outline, or nothing has the focus. */
const FOCUS_SEEN = `(() => {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  }
  for (let element = focused, depth = 0; element && depth < 3; element = element.parentElement, depth += 1) {
    if (isOutlined(element)) return null
  }
  return focused.outerHTML.slice(0, 120)
})()`

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

it('every page is accessible and does not overflow, light at 390 px', async () => {
  await expectAccessiblePages({ browser, demo, colorScheme: 'light', width: 390 })
}, 300_000)

it('every element reached by keyboard has a visible focus outline', async () => {
  const tab = await openTab(browser, demo.url, { viewport: { width: 1280, height: 800 } })
  await signIn(tab.page, demo)
  const unseen: string[] = []
  for (const path of ['/', '/search?q=climate', '/settings/keys', '/settings/search', '/translate', '/docs']) {
    await tab.page.goto(path)
    for (let step = 0; step < STEPS; step += 1) {
      await tab.page.keyboard.press('Tab')
      const seen = await tab.page.evaluate<string | null>(FOCUS_SEEN)
      if (seen !== null) unseen.push(`${path}: ${seen}`)
    }
  }
  expect(unseen).toEqual([])
  await tab.close()
})
