// A person uses the tools in a real browser, with script and without: by the keyboard, on a phone, in dark and in forced
// colours. Nothing is fetched from elsewhere.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { TOOLS } from '../../src/site/tools/tools.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { UNHURRIED } from '../support/site-pages.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const PHONE = { viewport: { width: 390, height: 844 } }

describe('with script', () => {
  let tab: Tab
  let page: Page

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, PHONE)
    page = tab.page
    await signIn(page, demo)
    // Time stands still until a test moves it.
    await page.clock.install({ time: Date.UTC(2026, 10, 15, 12) })
  })
  afterEach(() => {
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
  })
  afterAll(() => tab.close())

  const button = (name: string) => page.locator('.tool').getByRole('button', { name, exact: true })
  const value = () => page.locator('[data-value]').innerText()

  it('the timer counts down in its title, is paused and prolonged, and its end is seen and heard', async () => {
    await page.addInitScript({
      content: `globalThis.rings = []
const { start } = OscillatorNode.prototype
OscillatorNode.prototype.start = function (when) {
  // The clock goes on meanwhile, and a little less than 0 is -0.
  rings.push(Math.round(when - this.context.currentTime) + 0)
  start.call(this, when)
}`,
    })
    await page.goto('/search?q=timer+5+min')
    const rings = () => page.evaluate<number[]>('rings')
    await page.clock.pauseAt(Date.UTC(2026, 10, 15, 14))
    const title = await page.title()
    expect([await value(), await rings()]).toEqual(['5:00', []])
    await button('Start').press('Enter')
    await page.clock.runFor(60_000)
    expect([await value(), await page.title()]).toEqual(['4:00', `4:00 · ${title}`])
    await button('+1 min').click()
    expect([await value(), await rings()]).toEqual(['5:00', [300, 300]])
    await button('Pause').click()
    await page.clock.runFor(600_000)
    expect([await value(), await page.title()]).toEqual(['5:00', title])
    await button('Start').click()
    await page.clock.runFor(300_500)
    expect(await page.locator('.tool').getByRole('alert').innerText()).toBe('Time is up')
    expect(await page.title()).toBe(`Time is up · ${title}`)
    // The clock of the page was moved and the audio clock was not, so it rings at once.
    expect((await rings()).at(-1)).toBe(0)
    await page.getByLabel('Minutes').fill('7')
    expect(await value()).toBe('7:00')
  })
})

describe('without script', () => {
  let tab: Tab
  let page: Page

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, { ...PHONE, javaScriptEnabled: false })
    page = tab.page
    await signIn(page, demo)
  })
  afterEach(() => {
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
  })
  afterAll(() => tab.close())

  const tool = () => page.locator('.tool')

  it('the timer says what it needs, and shows no button that does nothing', async () => {
    await page.goto('/search?q=timer')
    await page.getByLabel('Minutes').fill('20')
    await tool().getByRole('button', { name: 'Start' }).click()
    await page.waitForURL(/\/tools\/timer\?h=0&m=20&s=0$/)
    expect(await tool().innerText()).toMatch(/20:00[\s\S]*it would end at \d\d:\d\d UTC/)
    expect(await tool().getByRole('button').count()).toBe(1)
  })

  it('a text is drawn as a QR code, and is in no address', async () => {
    await page.goto('/search?q=qr+code+generator')
    await page.getByLabel('Text or address').fill('https://example.com')
    await tool().getByRole('button', { name: 'Make QR code' }).click()
    const picture = page.getByRole('img', { name: 'example.com' })
    expect(await page.evaluate('document.querySelector(".qr-picture").naturalWidth > 0')).toBe(true)
    expect(await picture.isVisible()).toBe(true)
    expect(page.url()).toBe(`${demo.url}/tools/qr-code`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as SVG' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('qr-code.svg')
  })
})

it('above the results no tool is taller than half a phone’s screen', async () => {
  const tab = await openTab(browser, demo.url, { ...PHONE, hasTouch: true, isMobile: true })
  const { page } = tab
  await signIn(page, demo)
  for (const { name, calls } of TOOLS) {
    await page.goto(`/search?q=${encodeURIComponent(calls.en?.[0] ?? '')}`)
    const { height = Infinity } = (await page.locator(`[data-tool=${name}]`).boundingBox()) ?? {}
    expect([name, height <= PHONE.viewport.height / 2]).toEqual([name, true])
  }
  await tab.close()
})

it.each([
  ['dark', { colorScheme: 'dark' as const }],
  ['forced colours', { forcedColors: 'active' as const }],
])('in %s every tool is accessible, fits a phone, and takes no more than its screen', async (_name, look) => {
  const tab = await openTab(browser, demo.url, { ...PHONE, ...look })
  const { page } = tab
  await signIn(page, demo)
  for (const { name } of TOOLS) {
    await page.goto(`/tools/${name}`)
    await page.waitForLoadState('networkidle')
    expect([name, await findings(tab), await overflow(tab)]).toEqual([name, [], 0])
    const { height = 0 } = (await page.locator('.tool').boundingBox()) ?? {}
    expect([name, height <= PHONE.viewport.height]).toEqual([name, true])
  }
  expect([tab.complaints, tab.strangers]).toEqual([[], []])
  await tab.close()
})
