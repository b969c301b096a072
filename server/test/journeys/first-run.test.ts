// An owner from an empty data folder on, in a real browser, on a phone: two engines whose keys are pasted and tried, a
// search, a sign-out, a key that is used, counted and revoked, a user who is disabled, a service of one's own. The set-up
// is also done without script. Providers are simulated; their addresses are the only settings.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEYS, type Sandbox, startSandbox } from '@bowerbird/sandbox'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { DESKTOP, PHONE } from '../support/demo-site.ts'
import { type PrivateService, startPrivateService } from '../support/private-service.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { readMetrics } from '../support/stored-data.ts'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const OWNER = { username: 'ada', password: 'four unrelated plain words' }
const ENGINES = { brave: 'Brave', mojeek: 'Mojeek' }

let sandbox: Sandbox
let service: PrivateService
let browser: Browser

beforeAll(async () => {
  ;[sandbox, service, browser] = await Promise.all([startSandbox(), startPrivateService('qx9canary'), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
  await sandbox?.close()
})

/** Where the simulated providers are, and nothing else: no key, no slot, no service of one's own. */
const addresses = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sandboxSettings((slug) => sandbox.urlOf(slug))).filter(([name]) =>
      /^(?!KARAKEEP).*_URL$/.test(name),
    ),
  )

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto('/settings/keys')
  await page.getByRole('link', { name: 'Create key' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('It will not be shown again').waitFor()
  return (await page.locator('.once code').first().textContent()) ?? ''
}

const pathOf = (page: Page): string => new URL(page.url()).pathname

describe.each([
  ['on a phone', { ...PHONE, javaScriptEnabled: true }],
  ['on a wide screen without script', { ...DESKTOP, javaScriptEnabled: false }],
])('an owner %s', (_how, options) => {
  let server: ServerProcess
  let dataFolder: string
  let tab: Tab
  let page: Page
  /** Every page on the way. */
  const pages: string[] = []
  /** What nobody may read. */
  const secrets: string[] = [OWNER.password]

  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'bowerbird-first-run-'))
    server = await startServerProcess({ ...addresses(), DATA_DIR: dataFolder, METRICS_TOKEN, LOG_LEVEL: 'trace' })
    tab = await openTab(browser, server.url, { ...options, reducedMotion: 'reduce' })
    page = tab.page
  })
  afterAll(async () => {
    await tab.close()
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  })

  async function arriveAt(path: string): Promise<void> {
    await page.waitForURL((url) => url.pathname === path)
    pages.push(await page.content())
    expect(await overflow(tab), path).toBe(0)
  }

  const press = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()
  const follow = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).click()
  const search = async (key: string) =>
    (await fetch(`${server.url}/api/v1/web/?q=climate`, { headers: { authorization: `Api-Key ${key}` } })).status

  /** Opens the engine's row, pastes its key, and tries it. */
  async function addEngine(slug: keyof typeof ENGINES): Promise<void> {
    const row = page.locator(`#engine-${slug}`)
    await row.locator('summary').click()
    await row.getByLabel('Key').fill(SANDBOX_KEYS[slug] ?? '')
    await row.getByRole('button', { name: 'Save key' }).click()
    await page.waitForURL((url) => url.searchParams.get('engine') === slug)
    await arriveAt('/admin/setup/engines')
    expect(await row.getByRole('status').innerText()).toContain('Saved.')
    await row.getByRole('button', { name: 'Try' }).click()
    await arriveAt('/admin/setup/engines/try')
    expect(await page.locator('.trial-results .result').count()).toBe(3)
    expect(await page.getByRole('main').innerText()).toMatch(/The call cost US\$0\.00[45]/)
    await follow('Back to the engines')
    await arriveAt('/admin/setup/engines')
  }

  it('sets the instance up in five steps, and then finds something with both engines', async () => {
    const printed = () => /Create the first account at (\S+)/.exec(server.printed())?.[1] ?? ''
    await expect.poll(printed, { timeout: 30_000 }).not.toBe('')
    await page.goto(printed())
    await arriveAt('/setup')
    // `nightly/website-themes.test.ts` looks at the pages that come then.
    if (options.javaScriptEnabled) expect(await findings(tab)).toEqual([])
    await page.getByLabel('Username').fill(OWNER.username)
    expect(await page.getByLabel('Setup token').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByLabel('Confirm password').fill(OWNER.password)
    await press('Create administrator')
    await arriveAt('/admin/setup/reach')
    await page.getByLabel('Name').fill('Plumage')
    await page.getByLabel('Contact').fill('ada@example.org')
    await press('Save and continue')
    await arriveAt('/admin/setup/engines')
    await addEngine('brave')
    await addEngine('mojeek')
    await page.getByLabel('None', { exact: true }).check()
    await press('Save and continue')
    await arriveAt('/admin/setup/connect')
    expect(await page.getByRole('main').innerText()).toContain('9 more programs are not listed.')
    await follow('Continue')
    await arriveAt('/admin/setup/done')
    expect(await page.getByRole('navigation', { name: 'Steps' }).innerText()).toMatch(
      /ada[\s\S]*Plumage, 127\.0\.0\.1[\s\S]*2 engines in use/,
    )
    await follow('Start searching')
    await arriveAt('/')
    expect(await page.title()).toBe('Plumage')
    await page.getByRole('main').locator('[name="q"]').fill('lighthouse')
    await page.keyboard.press('Enter')
    await arriveAt('/search')
    for (const name of Object.values(ENGINES)) expect(await page.locator('.results').innerHTML()).toContain(name)
  })

  if (options.javaScriptEnabled) {
    it('signs out and in again, and nobody else can set it up', async () => {
      await page.goto('/')
      await page.getByText(OWNER.username, { exact: true }).click()
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
      for (const path of ['/settings/keys', '/setup']) {
        await page.goto(path)
        expect(pathOf(page)).toBe('/login')
      }
      await signIn(page, OWNER)
      expect(pathOf(page)).toBe('/')
    })

    it('creates a key, uses it, sees the usage rise, revokes it, and it is refused', async () => {
      const key = await createKey(page, 'my laptop')
      secrets.push(key)
      expect([await search(key), await search(key)]).toEqual([200, 200])
      const row = page.getByRole('row', { name: /my laptop/ })
      const counted = async () => {
        await page.goto('/settings/keys')
        return await row.locator('[data-label="This month"]').innerText()
      }
      await expect.poll(counted, { timeout: 30_000 }).toMatch(/2$/)
      pages.push(await page.content())
      await row.getByRole('link', { name: 'Revoke' }).click()
      await page.getByRole('button', { name: 'Revoke key' }).click()
      expect(await page.getByRole('main').getByRole('status').innerText()).toContain('Key revoked.')
      expect(await search(key)).toBe(401)
    })

    it('disables a user, whose key is then refused, and finds all of it among the security events', async () => {
      await page.goto('/admin/users/new')
      await page.getByLabel('Username').fill('grace')
      await page.getByRole('button', { name: 'Create user' }).click()
      const password = (await page.locator('.copyable code').first().textContent()) ?? ''

      const grace = await openTab(browser, server.url, options)
      await grace.page.goto('/login')
      await grace.page.getByLabel('Username').fill('grace')
      await grace.page.getByLabel('Password').fill(password)
      await grace.page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
      await grace.page.getByLabel('New password').fill('a password of her own')
      await grace.page.getByLabel('Confirm password').fill('a password of her own')
      await grace.page.getByRole('main').getByRole('button').first().click()
      const key = await createKey(grace.page, 'hers')
      secrets.push(password, 'a password of her own', key)
      expect(await search(key)).toBe(200)

      await page.goto('/admin/users')
      await page.getByRole('link', { name: 'grace' }).click()
      await page.getByRole('button', { name: 'Disable user' }).click()
      expect(await search(key)).toBe(403)
      await grace.page.goto('/settings/keys')
      expect(pathOf(grace.page)).toBe('/login')
      await grace.close()

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

    it('adds a service of their own, tries it, and finds it', async () => {
      await page.goto('/admin/engines')
      await page.getByRole('link', { name: 'Add your own services as engines' }).click()
      await page.getByRole('link', { name: 'Add a service' }).click()
      await page.getByRole('link', { name: 'Karakeep' }).click()
      await page.getByLabel('Address', { exact: true }).fill(service.url)
      await page.getByLabel('Key, token or password').fill(service.token)
      secrets.push(service.token)
      expect(await overflow(tab)).toBe(0)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByLabel('Query').fill('boiler')
      await page.getByRole('main').getByRole('button', { name: 'Try' }).click()
      await page.getByText('It works: 10 results.').waitFor()
      expect(await overflow(tab)).toBe(0)
      await page.goto('/mine?q=boiler')
      await page.getByText('Title qx9canary-0').waitFor()
    })

    it('has the pasted keys, the created ones and the passwords in no page, no line of the log and no metric', async () => {
      for (const path of ['/admin/engines', '/admin/instance', '/admin/providers', '/admin/audit', '/status']) {
        await page.goto(path)
        pages.push(await page.content())
      }
      const exported = await (await page.request.get('/admin/instance/export')).text()
      expect(exported).toContain('# BRAVE_API_KEY is set, not shown')
      const places = [
        ...pages,
        server.logged(),
        server.printed(),
        await readMetrics(server.url, METRICS_TOKEN),
        exported,
      ]
      for (const secret of [...secrets, SANDBOX_KEYS.brave, SANDBOX_KEYS.mojeek]) {
        expect(secret.length).toBeGreaterThan(8)
        expect(places.filter((text) => text.includes(secret))).toEqual([])
      }
    })
  }

  it('no request went to a third party, and nothing broke in the browser', () => {
    expect(tab.strangers).toEqual([])
    expect(tab.complaints).toEqual([])
  })
})
