// Checks every page of the demo in a browser: axe finds nothing, nothing overflows, and no request goes to a third
// party.
import axe, { type AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import type { Demo } from '../../src/demo/demo.ts'
import { openTab, signIn, type Tab } from './browser.ts'
import { OPEN_PAGES, SITE_PAGES } from './site-pages.ts'

/** What axe found, shortened. */
export async function findings({ page }: Tab): Promise<string[]> {
  // As strings, because these run in the page.
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

export const overflow = ({ page }: Tab): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** As if the reader had saved these preferences. */
const choose = ({ page }: Tab, preferences: string): Promise<void> =>
  page.context().addCookies([{ name: 'bowerbird_preferences', value: preferences, domain: '127.0.0.1', path: '/' }])

interface Look {
  browser: Browser
  demo: Demo
  colorScheme: 'light' | 'dark'
  width: number
  /** As the cookie has them. */
  preferences: string
}

export async function expectAccessiblePages({ browser, demo, colorScheme, width, preferences }: Look): Promise<void> {
  // Reduced motion: axe would judge colours in the middle of a transition.
  const viewport = { width, height: 800 }
  const tab = await openTab(browser, demo.url, { viewport, colorScheme, reducedMotion: 'reduce' })
  if (preferences !== '') await choose(tab, preferences)
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
  // Its link is signed for each reader.
  const read = await tab.page.locator('a[href^="/read?"]').first().getAttribute('href')
  await look({ read: read ?? '', 'read-expired': '/read?url=https%3A%2F%2Fa.example&q=climate' })
  expect(wrong).toEqual({})
  expect(tab.complaints).toEqual([])
  expect(tab.strangers).toEqual([])
  await tab.close()
}
