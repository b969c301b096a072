// Checks every page in the light theme at phone width, the focus outline, forced colours and paper. `nightly/website-themes.test.ts` covers
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

it('with forced colours, the current tab and the engines that found a result can be told from the others', async () => {
  const tab = await openTab(browser, demo.url, { forcedColors: 'active', viewport: { width: 1280, height: 800 } })
  await signIn(tab.page, demo)
  await tab.page.goto('/search?q=climate')
  const styles = (selector: string, property: string) =>
    tab.page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`)
  expect(await styles('.tabs a:not([aria-current])', 'borderBottomColor')).not.toBe(
    await styles('.tabs a[aria-current]', 'borderBottomColor'),
  )
  expect(await styles('.dot:not(.on)', 'backgroundColor')).not.toBe(await styles('.dot.on', 'backgroundColor'))
  await tab.close()
})

it('on paper there are results and their addresses, and nothing to click', async () => {
  const tab = await openTab(browser, demo.url)
  await signIn(tab.page, demo)
  await tab.page.goto('/search?q=climate')
  await tab.page.emulateMedia({ media: 'print' })
  for (const part of ['.top', '.tab-line', '.pagination', '.bottom', '.why']) {
    expect(await tab.page.locator(part).first().isVisible()).toBe(false)
  }
  expect(await tab.page.locator('.result-link').first().isVisible()).toBe(true)
  const printed = "getComputedStyle(document.querySelector('.result-link'), '::after').content"
  expect(await tab.page.evaluate<string>(printed)).toMatch(/https?:/)
  await tab.page.emulateMedia({ media: 'screen' })
  await tab.page.locator('.result .menu summary').first().click()
  await tab.page.getByRole('link', { name: /^Read:/ }).click()
  await tab.page.waitForURL(/\/read\?/)
  await tab.page.emulateMedia({ media: 'print' })
  expect(await tab.page.locator('.read-text').isVisible()).toBe(true)
  for (const part of ['.top', '.bottom', '.read-links']) {
    expect(await tab.page.locator(part).first().isVisible()).toBe(false)
  }
  await tab.close()
})

it('the skip link leads past tabs and filters to the first result', async () => {
  const tab = await openTab(browser, demo.url, { viewport: { width: 1280, height: 800 } })
  await signIn(tab.page, demo)
  await tab.page.goto('/search?q=climate')
  await tab.page.keyboard.press('Tab')
  await tab.page.keyboard.press('Enter')
  await tab.page.keyboard.press('Tab')
  expect(await tab.page.evaluate<boolean>("document.activeElement.matches('.result-link')")).toBe(true)
  await tab.close()
})

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
