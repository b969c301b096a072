// Every page, light at phone width and dark at desktop width: axe finds nothing, nothing sticks out at the side, and
// nothing asks a third party. The narrowest phone is tried for layout alone. Dark differs from light in its colours
// alone, and no colour depends on the width, so the other two combinations would show nothing new.
import axe, { type AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { OPEN_PAGES, SITE_PAGES, UNHURRIED } from '../support/site-pages.ts'

/** Of the keyboard through each page. */
const STEPS = 25

/** In the page: null when what has the focus has an outline, itself or around it, or nothing has it. */
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

/** What axe found, short enough to act on. */
async function findings({ page }: Tab): Promise<string[]> {
  // A text and no function: what runs in the page knows things that this program does not.
  await page.evaluate(axe.source)
  const found = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })")
  return found.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' … ')}`,
  )
}

const overflow = ({ page }: Tab): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

it.concurrent.each([
  ['light', 390],
  ['dark', 1280],
] as const)(
  'every page is accessible and keeps within its width, %s at %i px',
  async (colorScheme, width) => {
    // Colours that change slowly would be judged half way.
    const viewport = { width, height: 800 }
    const tab = await openTab(browser, demo.url, { viewport, colorScheme, reducedMotion: 'reduce' })
    const wrong: Record<string, unknown> = {}
    const look = async (pages: Readonly<Record<string, string>>) => {
      for (const [name, path] of Object.entries(pages)) {
        await tab.page.goto(path)
        const found = await findings(tab)
        if ((await overflow(tab)) > 0) found.push('sticks out at the side')
        if (found.length > 0) wrong[name] = found
      }
    }
    await look(OPEN_PAGES)
    await signIn(tab.page, demo)
    await look(SITE_PAGES)
    await tab.page.goto('/search?q=climate')
    // Its link is another for every reader.
    const read = await tab.page
      .getByRole('link', { name: /^Read: / })
      .first()
      .getAttribute('href')
    await look({ read: read ?? '', 'read-expired': '/read?url=https%3A%2F%2Fa.example&q=climate' })
    expect(wrong).toEqual({})
    expect(tab.complaints).toEqual([])
    expect(tab.strangers).toEqual([])
    await tab.close()
  },
  240_000,
)

it('nothing sticks out at 320 px', async () => {
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

it('whatever the keyboard comes to shows that it is there', async () => {
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
}, 120_000)
