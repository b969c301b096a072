// A new instance as its owner uses it, in a real browser, with script and without: set up, sign in, create a key, use
// it, see it counted, revoke it; and an administrator disables a user.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const PATIENCE_MS = 5_000
const OWNER = { username: 'ada', password: 'four unrelated plain words' }

let sandbox: Sandbox
let browser: Browser

beforeAll(async () => {
  ;[sandbox, browser] = await Promise.all([startSandbox(), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await sandbox.close()
})

const ask = (server: ServerProcess, key: string, path = '/api/v1/web/?q=climate') =>
  fetch(server.url + path, { headers: { authorization: `Api-Key ${key}` } })

async function setUp({ page }: Tab, server: ServerProcess): Promise<void> {
  const address = () => /Create the first account at (\S+)/.exec(server.printed())?.[1]
  await eventually(async () => address() !== undefined, PATIENCE_MS)
  await page.goto(address() ?? '')
  await page.getByLabel('Username').fill(OWNER.username)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByLabel('Confirm password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.waitForURL((url) => url.pathname === '/admin/setup/reach')
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto('/settings/keys')
  await page.getByRole('link', { name: 'Create key' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = await page.locator('.once code').first().textContent()
  expect(await page.locator('body').innerText()).toContain('It will not be shown again')
  return key ?? ''
}

describe.each([
  ['with script', true],
  ['without script', false],
])('an owner %s', (_how, javaScriptEnabled) => {
  let server: ServerProcess
  let dataFolder: string
  let owner: Tab

  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'bowerbird-website-'))
    server = await startServerProcess({ ...sandboxSettings((slug) => sandbox.urlOf(slug)), DATA_DIR: dataFolder })
    owner = await openTab(browser, server.url, { javaScriptEnabled })
  })

  afterAll(async () => {
    await owner.close()
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  })

  it('sets the instance up with the printed token, which works once', async () => {
    await setUp(owner, server)
    const stranger = await openTab(browser, server.url, { javaScriptEnabled })
    await stranger.page.goto('/setup')
    expect(new URL(stranger.page.url()).pathname).toBe('/login')
    await stranger.close()
  })

  it('signs out and in again', async () => {
    const { page } = owner
    await page.goto('/')
    await page.getByText(OWNER.username, { exact: true }).click()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
    await page.goto('/settings/keys')
    expect(new URL(page.url()).pathname).toBe('/login')
    await signIn(page, OWNER)
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('creates a key, uses it, sees the usage rise, revokes it, and it is refused', async () => {
    const { page } = owner
    const key = await createKey(page, 'my laptop')
    expect((await ask(server, key)).status).toBe(200)
    expect((await ask(server, key)).status).toBe(200)

    const row = page.getByRole('row', { name: /my laptop/ })
    const isCounted = async () => {
      await page.goto('/settings/keys')
      return (await row.locator('[data-label="This month"]').innerText()).endsWith('2')
    }
    expect(await eventually(isCounted, PATIENCE_MS)).toBe(true)
    expect(await page.content()).not.toContain(key)

    await row.getByRole('link', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    expect(await page.getByRole('main').getByRole('status').innerText()).toContain('Key revoked.')
    expect((await ask(server, key)).status).toBe(401)
  })

  it('disables a user, whose key is then refused with 403', async () => {
    const { page } = owner
    await page.goto('/admin/users/new')
    await page.getByLabel('Username').fill('grace')
    await page.getByRole('button', { name: 'Create user' }).click()
    const password = (await page.locator('.copyable code').first().textContent()) ?? ''

    const grace = await openTab(browser, server.url, { javaScriptEnabled })
    await grace.page.goto('/login')
    await grace.page.getByLabel('Username').fill('grace')
    await grace.page.getByLabel('Password').fill(password)
    await grace.page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    const ownPassword = 'a password of her own'
    await grace.page.getByLabel('New password').fill(ownPassword)
    await grace.page.getByLabel('Confirm password').fill(ownPassword)
    await grace.page.getByRole('main').getByRole('button').first().click()
    const key = await createKey(grace.page, 'hers')
    expect((await ask(server, key)).status).toBe(200)

    await page.goto('/admin/users')
    await page.getByRole('link', { name: 'grace' }).click()
    await page.getByRole('button', { name: 'Disable user' }).click()
    expect((await ask(server, key)).status).toBe(403)
    await grace.page.goto('/settings/keys')
    expect(new URL(grace.page.url()).pathname).toBe('/login')
    await grace.close()
  })

  it('finds all of it among the security events', async () => {
    const { page } = owner
    await page.goto('/admin/audit?user=grace')
    const told = await page.locator('.event-table tbody th').allInnerTexts()
    expect(told.map((text) => text.split('\n')[0]).toReversed()).toEqual([
      'User created',
      'Password changed',
      'Sign-in',
      'API key created',
      'User disabled',
    ])
  })

  it('no request went to a third party, and nothing broke in the browser', () => {
    expect(owner.strangers).toEqual([])
    expect(owner.complaints).toEqual([])
  })

  it('the key and the passwords are in no log', () => {
    expect(server.logged()).not.toMatch(/bowerbird_[A-Za-z\d]{8}\./)
    expect(server.logged()).not.toContain(OWNER.password)
  })
})
