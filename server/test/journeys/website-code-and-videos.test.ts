// A person looks for a package and for a video in a real browser: what is known of each, the line that installs it, and
// pictures that suit the window; by axe, without script, and without a request to any other host.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { shiftsOf, watchShifts } from '../support/layout-shifts.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const CODE = '/search?q=climate&tab=code'
const VIDEOS = '/search?q=climate&tab=videos'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const WIDE = { viewport: { width: 1280, height: 800 } }

let demo: Demo
let browser: Browser

beforeAll(async () => {
  const settings = { ...UNHURRIED, ENGINE_D: 'code:github', ENGINE_E: 'code:npm' }
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const inWindow = async (options: BrowserContextOptions): Promise<Tab> => {
  const tab = await openTab(browser, demo.url, { reducedMotion: 'reduce', ...options })
  await signIn(tab.page, demo)
  return tab
}

// A text: the types of a browser aren't those of Node.js.
const widthOf = (selector: string) => `document.querySelector('${selector}').getBoundingClientRect().width`

describe.each([
  ['a phone', PHONE],
  ['a wide window', WIDE],
])('on %s', (_, options) => {
  it('what is found is accessible, keeps its place and comes from here alone', async () => {
    const tab = await inWindow(options)
    await watchShifts(tab.page)
    for (const address of [CODE, VIDEOS]) {
      await tab.page.goto(address, { waitUntil: 'networkidle' })
      expect(await findings(tab)).toEqual([])
      expect(await overflow(tab)).toBe(0)
      expect(await shiftsOf(tab.page)).toEqual([])
    }
    expect(tab).toMatchObject({ complaints: [], strangers: [] })
    await tab.close()
  })
})

it('a package is installed with a line that is copied by a press, and stands there without script', async () => {
  const tab = await inWindow({ ...WIDE, permissions: ['clipboard-read', 'clipboard-write'] })
  await tab.page.clock.install()
  await tab.page.goto(CODE)
  const copy = tab.page.locator('.install [data-copy]').first()
  const label = await copy.textContent()
  await tab.page.getByRole('button', { name: 'Copy npm install', exact: false }).first().press('Enter')
  await tab.page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  // Pressed while it says that, it doesn't say it for good.
  await copy.press('Enter')
  const line = await tab.page.locator('.install code').first().innerText()
  expect(line).toMatch(/^npm install [\w-]+$/)
  expect(await tab.page.evaluate<string>('navigator.clipboard.readText()')).toBe(line)
  await tab.page.clock.runFor(5_000)
  expect(await copy.textContent()).toBe(label)
  expect(await tab.page.locator('.result .meta').allInnerTexts()).toContainEqual(
    expect.stringMatching(/TypeScript.*MIT.*stars/s),
  )
  await tab.close()
  const plain = await inWindow({ ...WIDE, javaScriptEnabled: false })
  await plain.page.goto(CODE)
  expect(await plain.page.locator('.install code').first().innerText()).toBe(line)
  expect(await plain.page.getByRole('button', { name: 'Copy npm' }).count()).toBe(0)
  await plain.close()
})

it('a video has a larger picture where there is room, and on a phone its facts have the whole width', async () => {
  const wide = await inWindow(WIDE)
  await wide.page.goto(VIDEOS, { waitUntil: 'networkidle' })
  const pictures = await wide.page.locator('.frame source').count()
  expect(pictures).toBeGreaterThan(0)
  const shown = await wide.page.evaluate<string>(`document.querySelector('.frame source + img').currentSrc`)
  expect(decodeURIComponent(shown)).toContain('-850.jpg')
  expect(await wide.page.evaluate<number>(widthOf('.frame'))).toBe(240)
  await wide.close()
  const phone = await inWindow(PHONE)
  await phone.page.goto(VIDEOS, { waitUntil: 'networkidle' })
  const small = await phone.page.evaluate<string>(`document.querySelector('.frame source + img').currentSrc`)
  expect(decodeURIComponent(small)).not.toContain('-850.jpg')
  expect(await phone.page.evaluate<number>(widthOf('.video .meta'))).toBe(
    await phone.page.evaluate<number>(widthOf('.video')),
  )
  const heights = await phone.page.evaluate<number[]>(
    `[...document.querySelectorAll('.video .meta')].map((line) => line.getBoundingClientRect().height)`,
  )
  // Two lines at most.
  expect(Math.max(...heights)).toBeLessThanOrEqual(48)
  await phone.close()
})
