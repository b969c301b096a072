// Passkeys in a real browser with a virtual authenticator: added after the password, used alone to sign in, as a second
// factor after the password and to confirm the user's identity; removed in the end. Without script the pages say that
// passkeys need it, and everything else works.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import { addAuthenticator, confirmIdentity, launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { UNHURRIED } from '../support/site-pages.ts'

const NEW = '/settings/account/passkeys/new'

let demo: Demo
let browser: Browser
/** Browsers offer passkeys for host names, not for bare IP addresses. */
let url: string

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
  url = demo.url.replace('127.0.0.1', 'localhost')
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

const pathOf = (page: Page): string => new URL(page.url()).pathname

/** Where a sensitive page leads ten minutes after the sign-in. */
const confirmBefore = (path: string): string => `/settings/confirm?next=${encodeURIComponent(path)}`

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((address) => address.pathname === '/login')
}

describe('with passkeys', () => {
  let tab: Tab
  let recoveryCode: string

  beforeAll(async () => {
    tab = await openTab(browser, url)
    await addAuthenticator(tab.page)
    await signIn(tab.page, demo)
  })
  afterAll(() => tab.close())
  afterEach(() => expect([tab.strangers, tab.complaints]).toEqual([[], []]))

  it('one is added after the password is entered again, and recovery codes are shown', async () => {
    const { page } = tab
    await page.goto(confirmBefore(NEW))
    await confirmIdentity(page, demo.password)
    expect(pathOf(page)).toBe(NEW)
    await page.getByLabel('Name').fill('Telephone')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const codes = await page.getByLabel('Recovery codes').innerText()
    expect(codes.trim().split('\n')).toHaveLength(10)
    recoveryCode = codes.trim().split('\n')[0] ?? ''
    await page.goto('/settings/account/passkeys')
    expect(await page.getByRole('row', { name: /Telephone/ }).innerText()).toContain('never')
  })

  it('one alone signs in, and leads to the requested page', async () => {
    const { page } = tab
    await signOut(page)
    await page.goto('/settings/keys')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL((address) => address.pathname === '/settings/keys')
  })

  it('one is required after the password, which is no longer enough', async () => {
    const { page } = tab
    await signOut(page)
    await page.getByLabel('Username').fill(demo.username)
    await page.getByLabel('Password').fill(demo.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    expect(pathOf(page)).toBe('/login/code')
    await page.goto('/settings/account')
    expect(pathOf(page)).toBe('/login')
    await page.goto('/login/code')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL((address) => address.pathname === '/')
  })

  it('one confirms the identity of a signed-in user', async () => {
    const { page } = tab
    await page.goto(confirmBefore('/admin/users/new'))
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL((address) => address.pathname === '/admin/users/new')
  })

  it('another browser without a passkey signs in with a recovery code', async () => {
    const other = await openTab(browser, url)
    const { page } = other
    await page.goto('/login')
    await page.getByLabel('Username').fill(demo.username)
    await page.getByLabel('Password').fill(demo.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Recovery code').fill(recoveryCode)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL((address) => address.pathname === '/')
    await other.close()
  })

  it('one is renamed, and removed with the password; the password alone is then enough', async () => {
    const { page } = tab
    await page.goto('/settings/account/passkeys')
    await page.getByRole('link', { name: 'Edit: Telephone' }).click()
    await page.getByLabel('Name').fill('Old telephone')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('link', { name: 'Edit: Old telephone' }).click()
    await page.getByLabel('Current password').fill(demo.password)
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    expect(await page.getByRole('main').getByRole('status').innerText()).toContain('Passkey removed.')
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('This passkey was not accepted.')
    await signIn(page, demo)
  })
})

it('without script the pages say that passkeys need it, and signing in works as before', async () => {
  const { page, close } = await openTab(browser, url, { javaScriptEnabled: false })
  await page.goto('/login')
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
  expect(await page.getByText('Passkeys need JavaScript.').isVisible()).toBe(true)
  await signIn(page, demo)
  await page.goto(NEW)
  expect(await page.getByText('Passkeys need JavaScript.').first().isVisible()).toBe(true)
  await close()
})

it('at a bare IP address the page says that passkeys need a host name', async () => {
  const { page, close } = await openTab(browser, demo.url)
  await signIn(page, demo)
  await page.goto(NEW)
  expect(await page.getByRole('alert').innerText()).toContain('Passkeys only work over HTTPS')
  await close()
})
