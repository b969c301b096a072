// A person calculates, converts, translates and uses the timer in a real browser, on a phone, with script and without.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOLS } from '../../src/site/tools/tools.ts'
import { overflow } from '../support/accessible-pages.ts'
import type { Tab } from '../support/browser.ts'
import { leave, PHONE, shareDemo } from '../support/demo-site.ts'

const site = shareDemo()

const result = (page: Page) => page.locator('[data-output=result]')

async function translate(page: Page): Promise<void> {
  await page.goto('/translate')
  await page.getByLabel('Text').fill('hello')
  await page.locator('select[name=target]').selectOption('fr')
  await page.getByRole('main').getByRole('button', { name: 'Translate' }).click()
  await page.getByText('bonjour').first().waitFor()
}

describe('with script', () => {
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    tab = await site.openSignedIn(PHONE)
    page = tab.page
  })
  afterAll(() => leave(tab))

  it('a text is translated', () => translate(page))

  it('a sum is put together with the keys, and earlier ones stay in sight', async () => {
    await page.goto('/search?q=calculator')
    for (const key of ['1', '2', '×', '(', '3', '+', '5']) await page.click(`[data-key-insert="${key}"]`)
    await page.click('[data-key-back]')
    for (const key of ['4', ')']) await page.click(`[data-key-insert="${key}"]`)
    await page.locator('#tool-sum').press('Enter')
    await result(page).getByText('84', { exact: true }).waitFor()
    // What was typed is selected, so that the next sum takes its place.
    await page.keyboard.type('24/7')
    await page.keyboard.press('Enter')
    await result(page).getByText('3.42857142857143').waitFor()
    expect(await page.locator('[data-history] li').allInnerTexts()).toEqual(['12 × (3 + 4) = 84'])
    // The search that led here is still the address.
    expect(new URL(page.url()).pathname).toBe('/search')
    await page.click('[data-key-clear]')
    expect(await page.inputValue('#tool-sum')).toBe('')
  })

  it('units are converted while one types, swapped, and the address follows', async () => {
    await page.goto('/tools/units')
    await page.fill('#tool-amount', '26.2')
    await result(page).getByText('42.1648128 km').waitFor()
    await page.getByRole('button', { name: 'Swap' }).click()
    await result(page).getByText('16.27992524 mi').waitFor()
    expect(new URL(page.url()).search).toBe('?kind=length&amount=26.2&from=km&to=mi')
    await page.selectOption('#field-kind-tool', 'temperature')
    await result(page).getByText('33.8 °F').waitFor()
  })

  it('an instant answer is changed in the currency converter, whose past rates follow', async () => {
    const change = page.getByRole('link', { name: 'Change', exact: true })
    const isAnswered = async () => {
      await page.goto('/search?q=100+usd+to+eur')
      return await change.isVisible()
    }
    // An answer that is late is left out.
    await expect.poll(isAnswered, { timeout: 60_000 }).toBe(true)
    await change.click()
    await result(page).getByText('86.45 EUR').waitFor()
    await page.selectOption('#field-to-tool', 'JPY')
    await page.getByRole('heading', { name: 'Past rates: USD in JPY' }).waitFor()
    await page.getByRole('link', { name: '365 days' }).click()
    await page.locator('[aria-current=true]', { hasText: '365 days' }).waitFor()
    expect(await page.locator('.rate-facts dt').allInnerTexts()).toEqual(['First', 'Last', 'Highest', 'Lowest'])
    // Rare currencies are swapped, too.
    await page.goto('/tools/currency?from=KWD&to=ARS')
    await page.getByRole('button', { name: 'Swap' }).click()
    await page.waitForURL(/from=ARS&to=KWD/)
  })

  it('the picked colour and the written one follow each other', async () => {
    await page.goto('/tools/colour')
    await page.fill('#tool-colour', 'teal')
    await result(page).getByText('rgb(0, 128, 128)').waitFor()
    expect(await page.inputValue('#tool-pick')).toBe('#008080')
    await page.fill('#tool-pick', '#ff8800')
    await result(page).getByText('rgb(255, 136, 0)').waitFor()
    expect(await page.inputValue('#tool-colour')).toBe('#ff8800')
  })

  it('without an answer to the script the form is sent, and without a session the sign-in page comes', async () => {
    const other = await site.openSignedIn(PHONE)
    await other.page.goto('/search?q=calculator')
    await other.page.route('**/tools/calculator?*', (route) => route.fulfill({ status: 503 }), { times: 1 })
    await other.page.fill('#tool-sum', '6*7')
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/\/tools\/calculator\?sum=6\*7$/)
    expect(await result(other.page).innerText()).toContain('42')
    await other.page.context().clearCookies()
    await other.page.fill('#tool-sum', '6*8')
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/\/login/)
    await other.close()
  })

  it('the timer counts down in its title, is paused and prolonged, and its end is seen and heard', async () => {
    const button = (name: string) => page.locator('.tool').getByRole('button', { name, exact: true })
    const value = () => page.locator('[data-value]').innerText()
    const rings = () => page.evaluate<number[]>('rings')
    await page.clock.install({ time: Date.UTC(2026, 10, 15, 12) })
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
    await page.clock.pauseAt(Date.UTC(2026, 10, 15, 14))
    const title = await page.title()
    expect(await value()).toBe('5:00')
    await button('Start').press('Enter')
    await page.clock.runFor(60_000)
    expect(await value()).toBe('4:00')
    expect(await page.title()).toBe(`4:00 · ${title}`)
    await button('+1 min').click()
    expect(await value()).toBe('5:00')
    expect(await rings()).toEqual([300, 300])
    await button('Pause').click()
    await page.clock.runFor(600_000)
    expect(await value()).toBe('5:00')
    expect(await page.title()).toBe(title)
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
    tab = await site.openSignedIn({ ...PHONE, javaScriptEnabled: false })
    page = tab.page
  })
  afterAll(() => leave(tab))

  const tool = () => page.locator('.tool')

  it('a text is translated', () => translate(page))

  it('every converter is a form', async () => {
    await page.goto('/search?q=calculator')
    expect(await page.locator('.keypad').isVisible()).toBe(false)
    await page.fill('#tool-sum', '0.1+0.2')
    await page.getByRole('button', { name: 'Calculate' }).click()
    expect(await result(page).innerText()).toContain('0.3')

    await page.goto('/tools/units')
    await page.selectOption('#field-kind-tool', 'mass')
    await page.getByRole('button', { name: 'Show units' }).click()
    await page.fill('#tool-amount', '10')
    await page.getByRole('button', { name: 'Swap' }).click()
    expect(await result(page).innerText()).toContain('10 kg ≈')

    await page.goto('/search?q=currency+converter')
    await page.fill('#tool-amount', '250')
    await page.getByRole('button', { name: 'Convert' }).click()
    expect(await result(page).innerText()).toContain('289.20 USD')

    await page.goto('/tools/colour')
    await page.fill('#tool-colour', 'teal')
    await page.getByRole('button', { name: 'Show' }).last().click()
    expect(await result(page).innerText()).toContain('#008080')
  })

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
    await page.getByRole('img', { name: 'example.com' }).waitFor()
    expect(await page.evaluate('document.querySelector(".qr-picture").naturalWidth > 0')).toBe(true)
    expect(page.url()).toBe(`${site.demo.url}/tools/qr-code`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as SVG' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('qr-code.svg')
  })
})

it('no tool is taller than half a phone’s screen above the results, nor than the screen on its own page', async () => {
  const tab = await site.openSignedIn({ ...PHONE, hasTouch: true, isMobile: true })
  const { page } = tab
  const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())?.height
  for (const { name, calls } of TOOLS) {
    await page.goto(`/search?q=${encodeURIComponent(calls.en?.[0] ?? '')}`)
    expect(await heightOf(`[data-tool=${name}]`), name).toBeLessThanOrEqual(844 / 2)
    await page.goto(`/tools/${name}`)
    expect(await heightOf('.tool'), name).toBeLessThanOrEqual(844)
    expect(await overflow(tab), name).toBe(0)
  }
  await leave(tab)
})
