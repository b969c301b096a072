// A person calculates and converts in a real browser, with script and without. Nothing is fetched from another host.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { delayScripts, shiftsOf, watchShifts } from '../support/layout-shifts.ts'
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
const ADDRESSES = [
  '/tools/calculator?sum=2%5E10',
  '/tools/calculator?sum=1000!',
  '/tools/calculator?sum=2%5E100',
  '/tools/units',
  '/tools/currency?amount=100&from=USD&to=EUR',
  '/tools/colour?colour=teal',
]

const result = (page: Page) => page.locator('[data-output=result]')

describe('with script', () => {
  let tab: Tab
  let page: Page

  beforeAll(async () => {
    tab = await openTab(browser, demo.url, PHONE)
    page = tab.page
    await watchShifts(page)
    await signIn(page, demo)
  })
  afterEach(() => {
    expect([tab.complaints, tab.strangers]).toEqual([[], []])
  })
  afterAll(() => tab.close())

  it('a sum is put together with the keys, and earlier ones stay in sight', async () => {
    await page.goto('/search?q=calculator')
    const heading = await page.locator('.tool h2').innerText()
    for (const key of ['1', '2', '×', '(', '3', '+', '5', ')']) await page.click(`[data-key-insert="${key}"]`)
    await page.click('[data-key-back]')
    await page.click('[data-key-insert=")"]')
    await page.click('[data-key-back]')
    await page.click('[data-key-back]')
    await page.click('[data-key-insert="4"]')
    await page.click('[data-key-insert=")"]')
    await page.focus('#tool-sum')
    await page.keyboard.press('Enter')
    await result(page).getByText('84', { exact: true }).waitFor()
    // What was typed is selected, so that the next sum takes its place.
    await page.keyboard.type('24/7')
    await page.keyboard.press('Enter')
    await result(page).getByText('3.42857142857143').waitFor()
    expect(await page.locator('[data-history] li').allInnerTexts()).toEqual(['12 × (3 + 4) = 84'])
    // The search that led here is still the address.
    expect([heading, new URL(page.url()).pathname]).toEqual(['Calculator', '/search'])
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
    await page.goto('/search?q=100+usd+to+eur')
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await result(page).getByText('86.45 EUR').waitFor()
    await page.selectOption('#field-to-tool', 'JPY')
    await page.getByRole('heading', { name: 'Past rates: USD in JPY' }).waitFor()
    await page.getByRole('link', { name: '365 days' }).click()
    await page.locator('[aria-current=true]', { hasText: '365 days' }).waitFor()
    expect(await page.locator('.rate-facts dt').allInnerTexts()).toEqual(['First', 'Last', 'Highest', 'Lowest'])
  })

  it('rare currencies are swapped, too', async () => {
    await page.goto('/tools/currency?from=KWD&to=ARS')
    await page.getByRole('button', { name: 'Swap' }).click()
    await page.waitForURL(/from=ARS&to=KWD/)
    expect([await page.inputValue('#field-from-tool'), await page.inputValue('#field-to-tool')]).toEqual(['ARS', 'KWD'])
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

  it('without an answer to the script the form is sent, and the page says what is wrong', async () => {
    const other = await openTab(browser, demo.url, PHONE)
    await signIn(other.page, demo)
    await other.page.goto('/search?q=calculator')
    await other.page.route('**/tools/calculator?*', (route) => route.fulfill({ status: 503 }), { times: 1 })
    await other.page.fill('#tool-sum', '6*7')
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/\/tools\/calculator\?sum=6\*7$/)
    expect(await result(other.page).innerText()).toContain('42')
    // The session ended meanwhile.
    await other.page.context().clearCookies()
    await other.page.fill('#tool-sum', '6*8')
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/\/login/)
    expect(await other.page.getByLabel('Username').isVisible()).toBe(true)
    await other.close()
  })

  it.each(ADDRESSES)('%s is accessible and moves nothing when its script arrives', async (address) => {
    await delayScripts(page)
    await page.goto(address)
    expect([await findings(tab), await overflow(tab)]).toEqual([[], 0])
    expect(await shiftsOf(page)).toEqual([])
    await page.unrouteAll()
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

  it('every one of them is a form', async () => {
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
})
