// A person from the invitation to the end, in a real browser: they come by a link, find their preferences on a second
// device, take their data with them, and delete the account.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ADMIN = { username: 'grace', password: 'correct horse battery' }
const PERSON = { username: 'mira', password: 'four unrelated plain words' }
const TELEPHONE = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }

let server: TestInstance
let browser: Browser
let desk: Tab
let telephone: Tab

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestInstance({ SITE_ACCESS: 'public' }), launchBrowser()])
  await createUser(server.instance.services.access, { ...ADMIN, isAdmin: true })
  desk = await openTab(browser, server.url)
  telephone = await openTab(browser, server.url, TELEPHONE)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const themeOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-theme')

async function choose(page: Page, { theme, language }: { theme: string; language: string }): Promise<void> {
  await page.goto('/settings/search')
  await page.locator(`input[name="theme"][value="${theme}"]`).check()
  await page.locator('select[name="interface"]').selectOption(language)
  await page.locator('form[action="/settings/search"] button').click()
  await page.waitForURL(/done=saved/)
}

async function invite(): Promise<string> {
  const admin = await openTab(browser, server.url)
  await signIn(admin.page, ADMIN)
  await admin.page.goto('/admin/users')
  await admin.page.getByRole('link', { name: 'Invitations' }).click()
  await admin.page.getByRole('button', { name: 'Create invitation' }).click()
  const link = (await admin.page.locator('.copyable code').first().textContent()) ?? ''
  await admin.page.goto('/admin/users/invitations')
  expect(await admin.page.getByRole('row', { name: /grace/ }).count()).toBe(1)
  expect(await admin.page.content()).not.toContain(link)
  expect(admin.complaints).toEqual([])
  await admin.close()
  return link
}

it('an invited person creates an account with a name and password of their own', async () => {
  const { page } = desk
  await choose(page, { theme: 'dark', language: 'de' })
  const link = await invite()
  await page.goto(link)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Konto anlegen')
  await page.locator('input[name="username"]').fill(PERSON.username)
  await page.locator('input[name="password"]').fill(PERSON.password)
  await page.locator('input[name="repeat"]').fill(PERSON.password)
  await page.getByRole('button', { name: 'Konto anlegen' }).click()
  await page.waitForURL(`${server.url}/`)
  await page.goto('/settings/account')
  expect(await page.getByRole('main').innerText()).toContain(PERSON.username)

  // The link has been used.
  await telephone.page.goto(link)
  expect(await telephone.page.getByRole('main').innerText()).toContain("This invitation doesn't work")
})

it('finds the preferences of the first browser in the second, and changes of either in the other', async () => {
  const { page } = telephone
  await page.goto('/')
  expect(await themeOf(page)).not.toBe('dark')
  await signIn(page, PERSON)
  expect(await themeOf(page)).toBe('dark')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')

  await choose(page, { theme: 'light', language: 'en' })
  await desk.page.goto('/')
  expect(await themeOf(desk.page)).toBe('light')
  expect(await desk.page.locator('html').getAttribute('lang')).toBe('en')
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
    account: { username: PERSON.username, is_admin: false },
    preferences: expect.stringContaining('theme=light'),
    sessions: [{ browser: expect.stringContaining('Chrome') }, {}],
    events: expect.arrayContaining([expect.objectContaining({ event: 'invitation-accepted', about_you: true })]),
  })
  expect(JSON.stringify(exported)).not.toMatch(/argon2|grace/)
})

it('deletes the account, from a telephone without script, and is signed out everywhere', async () => {
  const { page } = telephone
  await page.goto('/settings/account/data')
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.getByLabel('To confirm, type your username').fill('somebody')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  expect(await page.getByRole('main').innerText()).toContain("This isn't your username.")
  await page.getByLabel('To confirm, type your username').fill(PERSON.username)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(`${server.url}/`)

  await desk.page.goto('/settings/account')
  expect(new URL(desk.page.url()).pathname).toBe('/login')
  // The browser still has what was chosen before there was an account.
  expect(await themeOf(desk.page)).toBe('dark')
  await desk.page.locator('input[name="username"]').fill(PERSON.username)
  await desk.page.locator('input[name="password"]').fill(PERSON.password)
  await desk.page.locator('form[action="/login"] button').click()
  expect(new URL(desk.page.url()).pathname).toBe('/login')
})

it('nothing broke in the browser, and no request went to a third party', () => {
  for (const { complaints, strangers } of [desk, telephone]) expect([complaints, strangers]).toEqual([[], []])
})
