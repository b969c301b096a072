// A person and an identity provider, in a real browser: they connect their account, sign in with it on a telephone
// without script, confirm who they are, and sign out of both.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { launchBrowser, openTab, signIn } from '../support/browser.ts'
import { type OidcStage, startOidcStage } from '../support/oidc-instance.ts'

const PERSON = { username: 'grace', password: 'correct horse battery' }
const TELEPHONE = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }

let stage: OidcStage
let browser: Browser

beforeAll(async () => {
  ;[stage, browser] = await Promise.all([startOidcStage(), launchBrowser()])
  await createUser(stage.server.instance.services.access, PERSON)
})
afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

/** The provider's own pages. */
async function signInThere(page: Page): Promise<void> {
  await page.waitForURL((url) => url.origin === stage.company.issuer)
  await page.getByPlaceholder('Enter any login').fill('grace-at-the-company')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

it('an account is connected, signs in, confirms, and is signed out of here and there', async () => {
  const { server, company } = stage
  const desk = await openTab(browser, server.url)
  await signIn(desk.page, PERSON)
  await desk.page.goto('/settings/account')
  await desk.page.locator('form[action="/settings/account/identities/oidc/connect"] button').click()
  await signInThere(desk.page)
  await desk.page.getByRole('button', { name: 'Continue' }).click()
  await desk.page.waitForURL(`${server.url}/settings/account?done=connected`)
  expect(await desk.page.getByRole('status').first().innerText()).toContain('Connected.')
  expect(desk.complaints).toEqual([])
  await desk.close()

  const telephone = await openTab(browser, server.url, TELEPHONE)
  const { page } = telephone
  await page.goto('/settings/keys')
  await page.getByRole('button', { name: 'Sign in with Company' }).focus()
  await page.keyboard.press('Enter')
  await signInThere(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${server.url}/settings/keys`)

  await page.goto('/settings/confirm?next=%2Fsettings%2Faccount')
  await page.getByRole('button', { name: 'Confirm with Company' }).click()
  await signInThere(page)
  await page.waitForURL(`${server.url}/settings/account`)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)

  await page.goto('/logout')
  await page.getByRole('button', { name: 'Sign out here and of Company' }).click()
  await page.waitForURL((url) => url.origin === company.issuer)
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${server.url}/login?done=signed-out`)
  await page.goto('/settings/account')
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(telephone.complaints).toEqual([])
  await telephone.close()
})
