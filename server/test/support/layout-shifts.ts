// What moves in a page by itself: nothing should, whenever its scripts arrive.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const LATE_MS = 400

// A text: the types of a browser aren't those of Node.js.
const WATCH = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? 'gone')].join(' '))
  }).observe({ type: 'layout-shift', buffered: true })`

/** For every page that is opened from now on. */
export const watchShifts = (page: Page): Promise<unknown> => page.addInitScript(WATCH)

/** How far it moved and what it was, but for what follows a click or a key at once. */
export const shiftsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>('shifts')

/** The page is drawn before its scripts run, as over a slow network. */
export const delayScripts = (page: Page): Promise<unknown> =>
  page.route(/\.js(?:$|\?)/, async (route) => {
    await sleep(LATE_MS)
    await route.continue()
  })
