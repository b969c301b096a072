// An administrator adds a service on a telephone, without a mouse or a command: chooses it, enters address and token,
// tries it, and finds it beside the web.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const CANARY = 'qx9canary'
const UNSET = { MINE: '', KARAKEEP_URL: '', KARAKEEP_LINK_URL: '', KARAKEEP_API_KEY: '' }

let service: PrivateService
let demo: Demo
let browser: Browser
let tab: Tab

beforeAll(async () => {
  ;[service, demo, browser] = await Promise.all([
    startPrivateService(CANARY),
    startDemo({ port: 0, settings: { ...UNHURRIED, ...UNSET } }),
    launchBrowser(),
  ])
  tab = await openTab(browser, demo.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await signIn(tab.page, demo)
})
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await service?.close()
})

it('adds a service, tries it, and finds it', async () => {
  const { page } = tab
  await page.goto('/admin/engines')
  await page.getByRole('link', { name: 'Add your own services as engines' }).tap()
  await page.getByRole('link', { name: 'Add a service' }).tap()
  await page.getByRole('link', { name: 'Karakeep' }).tap()
  await page.getByLabel('Address', { exact: true }).fill(service.url)
  await page.getByLabel('Key, token or password').fill(service.settings['KARAKEEP_API_KEY'] ?? '')
  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByLabel('Query').fill('boiler')
  await page.getByRole('main').getByRole('button', { name: 'Try' }).tap()
  await page.getByText('It works: 10 results.').waitFor()
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.goto('/mine?q=boiler')
  await page.getByText(`Title ${CANARY}-0`).waitFor()
  await page.goto('/admin/engines/own')
  expect(await overflow()).toBeLessThanOrEqual(0)
  expect([tab.complaints, tab.strangers]).toEqual([[], []])
})
