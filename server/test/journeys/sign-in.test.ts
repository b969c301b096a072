// People sign in, in a real browser: with a passkey, which a virtual authenticator holds; with an identity provider, on a
// telephone without script; and by an invitation, from the first page to the end of the account.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { addAuthenticator, confirmIdentity, launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { leave, PHONE } from '../support/demo-site.ts'
import { type OidcStage, startOidcStage } from '../support/oidc-instance.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ADMIN = { username: 'ruth', password: 'correct horse battery' }
const GRACE = { username: 'grace', password: 'correct horse battery' }
const MIRA = { username: 'mira', password: 'four unrelated plain words' }
const TELEPHONE = { ...PHONE, javaScriptEnabled: false }
const NEW_PASSKEY = '/settings/account/passkeys/new'

let server: TestInstance
let stage: OidcStage
let browser: Browser

beforeAll(async () => {
  server = await startTestInstance({ SITE_ACCESS: 'public' })
  ;[stage, browser] = await Promise.all([startOidcStage(), launchBrowser()])
  await createUser(server.instance.services.access, { ...ADMIN, isAdmin: true })
  await createUser(stage.server.instance.services.access, GRACE)
})
afterAll(async () => {
  await browser?.close()
  await stage?.close()
  await server?.close()
})

const pathOf = (page: Page): string => new URL(page.url()).pathname
const arriveAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

/** Where a sensitive page leads ten minutes after the sign-in. */
const confirmBefore = (path: string): string => `/settings/confirm?next=${encodeURIComponent(path)}`

/** Does not wait for what comes then. */
async function sendPassword(page: Page, { username, password }: typeof ADMIN): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname !== '/logout')
  await page.goto('/login')
}

describe('with passkeys', () => {
  let tab: Tab
  let page: Page
  let recoveryCode: string
  /** Browsers offer passkeys for host names, not for bare IP addresses. */
  const url = () => server.url.replace('127.0.0.1', 'localhost')

  beforeAll(async () => {
    tab = await openTab(browser, url())
    page = tab.page
    await addAuthenticator(page)
    await signIn(page, ADMIN)
  })
  afterAll(() => leave(tab))

  it('one is added after the password is entered again, and recovery codes are shown', async () => {
    await page.goto(confirmBefore(NEW_PASSKEY))
    await confirmIdentity(page, ADMIN.password)
    expect(pathOf(page)).toBe(NEW_PASSKEY)
    await page.getByLabel('Name').fill('Telephone')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const codes = (await page.getByLabel('Recovery codes').innerText()).trim().split('\n')
    expect(codes).toHaveLength(10)
    recoveryCode = codes[0] ?? ''
    await page.goto('/settings/account/passkeys')
    expect(await page.getByRole('row', { name: /Telephone/ }).innerText()).toContain('never')
  })

  it('one alone signs in, and leads to the requested page', async () => {
    await signOut(page)
    await page.goto('/settings/keys')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await arriveAt(page, '/settings/keys')
  })

  it('one is required after the password, which is no longer enough', async () => {
    await signOut(page)
    await sendPassword(page, ADMIN)
    expect(pathOf(page)).toBe('/login/code')
    await page.goto('/settings/account')
    expect(pathOf(page)).toBe('/login')
    await page.goto('/login/code')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await arriveAt(page, '/')
  })

  it('one confirms the identity of a signed-in user', async () => {
    await page.goto(confirmBefore('/admin/users/new'))
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await arriveAt(page, '/admin/users/new')
  })

  it('another browser without a passkey signs in with a recovery code', async () => {
    const other = await openTab(browser, url())
    await sendPassword(other.page, ADMIN)
    await other.page.getByLabel('Recovery code').fill(recoveryCode)
    await other.page.getByRole('button', { name: 'Continue' }).click()
    await arriveAt(other.page, '/')
    await other.close()
  })

  it('one is renamed, and removed with the password; the password alone is then enough', async () => {
    await page.goto('/settings/account/passkeys')
    await page.getByRole('link', { name: 'Edit: Telephone' }).click()
    await page.getByLabel('Name').fill('Old telephone')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('link', { name: 'Edit: Old telephone' }).click()
    await page.getByLabel('Current password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('Passkey removed.').waitFor()
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('This passkey was not accepted.')
    await signIn(page, ADMIN)
  })

  it('pages say that passkeys need script, and a host name', async () => {
    const plain = await openTab(browser, url(), { javaScriptEnabled: false })
    await plain.page.goto('/login')
    expect(await plain.page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
    await plain.page.getByText('Passkeys need JavaScript.').waitFor()
    await plain.close()
    const byAddress = await openTab(browser, server.url)
    await signIn(byAddress.page, ADMIN)
    await byAddress.page.goto(NEW_PASSKEY)
    expect(await byAddress.page.getByRole('alert').innerText()).toContain('Passkeys only work over HTTPS')
    await byAddress.close()
  })
})

describe('with an identity provider', () => {
  /** The provider's own pages. */
  async function signInThere(page: Page): Promise<void> {
    await page.waitForURL((url) => url.origin === stage.company.issuer)
    await page.getByPlaceholder('Enter any login').fill('grace-at-the-company')
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
  }

  it('an account is connected, signs in, confirms, and is signed out of here and there', async () => {
    const { url } = stage.server
    const desk = await openTab(browser, url)
    await signIn(desk.page, GRACE)
    await desk.page.goto('/settings/account')
    await desk.page.locator('form[action="/settings/account/identities/oidc/connect"] button').click()
    await signInThere(desk.page)
    await desk.page.getByRole('button', { name: 'Continue' }).click()
    await desk.page.waitForURL(`${url}/settings/account?done=connected`)
    expect(desk.complaints).toEqual([])
    await desk.close()

    const { page, complaints, close } = await openTab(browser, url, TELEPHONE)
    await page.goto('/settings/keys')
    await page.getByRole('button', { name: 'Sign in with Company' }).focus()
    await page.keyboard.press('Enter')
    await signInThere(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${url}/settings/keys`)

    await page.goto(confirmBefore('/settings/account'))
    await page.getByRole('button', { name: 'Confirm with Company' }).click()
    await signInThere(page)
    await page.waitForURL(`${url}/settings/account`)

    await page.goto('/logout')
    await page.getByRole('button', { name: 'Sign out here and of Company' }).click()
    await page.waitForURL((address) => address.origin === stage.company.issuer)
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.waitForURL(`${url}/login?done=signed-out`)
    await page.goto('/settings/account')
    expect(pathOf(page)).toBe('/login')
    expect(complaints).toEqual([])
    await close()
  })
})

describe('an invited person', () => {
  let desk: Tab
  let telephone: Tab
  beforeAll(async () => {
    desk = await openTab(browser, server.url)
    telephone = await openTab(browser, server.url, TELEPHONE)
  })
  afterAll(async () => {
    await leave(desk)
    await leave(telephone)
  })

  const html = ({ page }: Tab, attribute: string) => page.locator('html').getAttribute(attribute)

  async function choose({ page }: Tab, theme: string, language: string): Promise<void> {
    await page.goto('/settings/search')
    await page.locator(`input[name="theme"][value="${theme}"]`).check()
    await page.locator('select[name="interface"]').selectOption(language)
    await page.locator('form[action="/settings/search"] button').click()
    await page.waitForURL(/done=saved/)
  }

  async function invite(): Promise<string> {
    const { page, close } = await openTab(browser, server.url)
    await signIn(page, ADMIN)
    await page.goto('/admin/users')
    await page.getByRole('link', { name: 'Invitations' }).click()
    await page.getByRole('button', { name: 'Create invitation' }).click()
    const link = (await page.locator('.copyable code').first().textContent()) ?? ''
    await page.goto('/admin/users/invitations')
    expect(await page.getByRole('row', { name: /ruth/ }).count()).toBe(1)
    expect(await page.content()).not.toContain(link)
    await close()
    return link
  }

  it('creates an account with a name and password of their own, by a link that works once', async () => {
    const { page } = desk
    await choose(desk, 'dark', 'de')
    const link = await invite()
    await page.goto(link)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Konto anlegen')
    await page.locator('input[name="username"]').fill(MIRA.username)
    await page.locator('input[name="password"]').fill(MIRA.password)
    await page.locator('input[name="repeat"]').fill(MIRA.password)
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await page.waitForURL(`${server.url}/`)
    await telephone.page.goto(link)
    expect(await telephone.page.getByRole('main').innerText()).toContain("This invitation doesn't work")
  })

  it('finds the preferences of the first browser in the second, and changes of either in the other', async () => {
    await telephone.page.goto('/')
    expect(await html(telephone, 'data-theme')).not.toBe('dark')
    await signIn(telephone.page, MIRA)
    expect(await html(telephone, 'data-theme')).toBe('dark')
    expect(await html(telephone, 'lang')).toBe('de')
    await choose(telephone, 'light', 'en')
    await desk.page.goto('/')
    expect(await html(desk, 'data-theme')).toBe('light')
    expect(await html(desk, 'lang')).toBe('en')
  })

  it('downloads everything that is stored', async () => {
    const { page } = desk
    await page.goto('/settings/account')
    await page.getByRole('link', { name: 'Your data' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('bowerbird-account.json')
    const exported = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>
    expect(exported).toMatchObject({
      bowerbird: 'account',
      account: { username: MIRA.username, is_admin: false },
      preferences: expect.stringContaining('theme=light'),
      sessions: [{ browser: expect.stringContaining('Chrome') }, {}],
      events: expect.arrayContaining([expect.objectContaining({ event: 'invitation-accepted', about_you: true })]),
    })
    expect(JSON.stringify(exported)).not.toMatch(/argon2|ruth/)
  })

  it('deletes the account, from a telephone without script, and is signed out everywhere', async () => {
    const { page } = telephone
    await page.goto('/settings/account/data')
    const confirmation = page.getByLabel('To confirm, type your username')
    await confirmation.fill('somebody')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    expect(await page.getByRole('main').innerText()).toContain("This isn't your username.")
    await confirmation.fill(MIRA.username)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.waitForURL(`${server.url}/`)

    await desk.page.goto('/settings/account')
    expect(pathOf(desk.page)).toBe('/login')
    // The browser still has what was chosen before there was an account.
    expect(await html(desk, 'data-theme')).toBe('dark')
    await desk.page.locator('input[name="username"]').fill(MIRA.username)
    await desk.page.locator('input[name="password"]').fill(MIRA.password)
    await desk.page.locator('form[action="/login"] button').click()
    expect(pathOf(desk.page)).toBe('/login')
  })
})
