// The demo and a browser, for all tests of a file.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { launchBrowser, openTab, type SignedIn, signInOnce, type Tab } from './browser.ts'
import { UNHURRIED } from './site-pages.ts'

export interface DemoSite {
  demo: Demo
  browser: Browser
  /** A tab of a visitor. */
  open: (options?: BrowserContextOptions) => Promise<Tab>
  /** A tab of the demo's administrator. */
  openSignedIn: (options?: BrowserContextOptions) => Promise<Tab>
}

export const PHONE = { viewport: { width: 390, height: 844 } }
export const DESKTOP = { viewport: { width: 1280, height: 900 } }

/** Started before the first test, closed after the last. */
export function shareDemo(settings: Record<string, string> = {}): DemoSite {
  const site = {} as DemoSite // filled before the first test
  let storageState: SignedIn
  beforeAll(async () => {
    const starting = startDemo({ port: 0, settings: { ...UNHURRIED, ...settings } })
    ;[site.demo, site.browser] = await Promise.all([starting, launchBrowser()])
    storageState = await signInOnce(site.browser, site.demo.url, site.demo)
  })
  afterAll(async () => {
    await site.browser?.close()
    await site.demo?.close()
  })
  // Reduced motion: axe would judge colours in the middle of a transition.
  site.open = (options) => openTab(site.browser, site.demo.url, { reducedMotion: 'reduce', ...options })
  site.openSignedIn = (options) => site.open({ storageState, ...options })
  return site
}

/** Nothing broke in the page, and it asked no other host. */
export async function leave({ complaints, strangers, close }: Tab): Promise<void> {
  expect(complaints).toEqual([])
  expect(strangers).toEqual([])
  await close()
}
