// The pages that everyone sees, in a real browser: axe finds nothing in them, nothing sticks out at the side, moves or weighs
// much, results begin at once on a phone and use a wide window, the keyboard's focus is seen, and paper has what was found.
// `nightly/website-themes.test.ts` looks at every page in every theme, `website-layout.test.ts` at every width.
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings, overflow } from '../support/accessible-pages.ts'
import { DESKTOP, leave, PHONE, shareDemo } from '../support/demo-site.ts'
import { delayScripts, shiftsOf, watchShifts } from '../support/layout-shifts.ts'

const WEB = '/search?q=climate'
const CARD = '/search?q=Eiffel+Tower'
const IMAGES = '/search?q=climate&tab=images'
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

const site = shareDemo()

const topOf = async (page: Page, selector: string, at = 0) =>
  (await page.locator(selector).nth(at).boundingBox())?.y ?? Number.NaN

const PHONE_PAGES = [
  '/',
  CARD,
  IMAGES,
  '/search?q=climate&tab=science',
  '/maps?q=Eiffel+Tower',
  '/translate?q=good+morning&target=fr',
  '/tools/calculator?sum=2%5E100',
  '/settings/search',
  '/admin/engines',
]

describe.each([
  { ...PHONE, colorScheme: 'light' as const, paths: PHONE_PAGES },
  { viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' as const, paths: [CARD, IMAGES, '/settings/search'] },
])('in the $colorScheme, $viewport.width px wide', ({ paths, ...look }) => {
  it('a page is accessible, fits, comes from here alone, and nothing in it moves when its scripts arrive', async () => {
    const tab = await site.openSignedIn(look)
    await watchShifts(tab.page)
    await delayScripts(tab.page)
    for (const path of paths) {
      await tab.page.goto(path, { waitUntil: 'networkidle' })
      expect(await shiftsOf(tab.page), path).toEqual([])
      expect(await overflow(tab), path).toBe(0)
      expect(await findings(tab), path).toEqual([])
    }
    await leave(tab)
  })
})

it.each([CARD, IMAGES])('%s weighs less than 45 KB before its pictures', async (path) => {
  const tab = await site.openSignedIn(DESKTOP)
  const requests: Request[] = []
  tab.page.on('requestfinished', (request) => requests.push(request))
  await tab.page.goto(path, { waitUntil: 'networkidle' })
  const weights = requests
    .filter((request) => request.resourceType() !== 'image')
    .map(async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes()
      return responseBodySize + responseHeadersSize
    })
  expect(weights.length).toBeGreaterThan(2)
  expect((await Promise.all(weights)).reduce((sum, weight) => sum + weight, 0)).toBeLessThan(45_000)
  await leave(tab)
})

it.each([true, false])('on a phone the first result is within 300 px, script: %s', async (javaScriptEnabled) => {
  const { page, close } = await site.openSignedIn({ ...PHONE, javaScriptEnabled })
  await page.goto(CARD)
  expect(await topOf(page, '.result')).toBeLessThan(300)
  // Without script the button that applies the filters is in sight.
  expect(await page.locator('.apply').isVisible()).toBe(!javaScriptEnabled)
  // What stands beside the results elsewhere comes after the third.
  const tops = [await topOf(page, '.result', 2), await topOf(page, '.rail'), await topOf(page, '.result', 3)]
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  await close()
})

it('a laptop shows five results before anything is scrolled', async () => {
  const { page, close } = await site.openSignedIn({ viewport: { width: 1280, height: 800 } })
  await page.goto(CARD)
  expect(await topOf(page, '.result h2', 4)).toBeLessThan(760)
  await close()
})

it('with forced colours, the current tab and the engines that found a result can be told from the others', async () => {
  const { page, close } = await site.openSignedIn({ ...DESKTOP, forcedColors: 'active' })
  await page.goto(WEB)
  const styles = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`)
  expect(await styles('.tabs a:not([aria-current])', 'borderBottomColor')).not.toBe(
    await styles('.tabs a[aria-current]', 'borderBottomColor'),
  )
  expect(await styles('.dot:not(.on)', 'backgroundColor')).not.toBe(await styles('.dot.on', 'backgroundColor'))
  await close()
})

it('on paper there are results and their addresses, and nothing to click', async () => {
  const { page, close } = await site.openSignedIn()
  const isShown = (part: string) => page.locator(part).first().isVisible()
  await page.goto(WEB)
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.top', '.tab-line', '.pagination', '.bottom', '.why'])
    expect(await isShown(part), part).toBe(false)
  expect(await isShown('.result-link')).toBe(true)
  const printed = "getComputedStyle(document.querySelector('.result-link'), '::after').content"
  expect(await page.evaluate<string>(printed)).toMatch(/https?:/)
  await page.goto((await page.locator('a[href^="/read?"]').first().getAttribute('href')) ?? '')
  for (const part of ['.top', '.bottom', '.read-links']) expect(await isShown(part), part).toBe(false)
  expect(await isShown('.read-text')).toBe(true)
  await close()
})

it('the skip link leads past tabs and filters to the first result', async () => {
  const { page, close } = await site.openSignedIn(DESKTOP)
  await page.goto(WEB)
  for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
  expect(await page.evaluate<boolean>("document.activeElement.matches('.result-link')")).toBe(true)
  await close()
})

it('every element reached by keyboard has a visible focus outline', async () => {
  const { page, close } = await site.openSignedIn(DESKTOP)
  const unseen: string[] = []
  for (const path of ['/', WEB, '/settings/search', '/translate']) {
    await page.goto(path)
    for (let step = 0; step < STEPS; step += 1) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate<string | null>(FOCUS_SEEN)
      if (seen !== null) unseen.push(`${path}: ${seen}`)
    }
  }
  expect(unseen).toEqual([])
  await close()
})
