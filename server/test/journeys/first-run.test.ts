// From an empty data folder to a search with two engines whose keys were pasted and tried, in a real browser: on a phone and
// on a wide screen, and without script. It prints how many pages and seconds that takes. Providers are simulated; their
// addresses are the only settings.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEYS, type Sandbox, startSandbox } from '@bowerbird/sandbox'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, type Tab } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { readMetrics } from '../support/stored-data.ts'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const PASSWORD = 'four unrelated plain words'
const PATIENCE_MS = 5_000
const ENGINES = { brave: 'Brave', mojeek: 'Mojeek' }

let sandbox: Sandbox
let browser: Browser

beforeAll(async () => {
  ;[sandbox, browser] = await Promise.all([startSandbox(), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await sandbox.close()
})

/** Where the simulated providers are, and nothing else: no key, no slot. */
const addresses = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sandboxSettings((slug) => sandbox.urlOf(slug))).filter(([name]) => name.endsWith('_URL')),
  )

describe.each([
  ['on a phone', { width: 390, javaScriptEnabled: true }],
  ['on a wide screen', { width: 1280, javaScriptEnabled: true }],
  ['on a phone without script', { width: 390, javaScriptEnabled: false }],
])('a new instance %s', (how, { width, javaScriptEnabled }) => {
  let server: ServerProcess
  let dataFolder: string
  let tab: Tab
  /** Every page on the way. */
  const pages: string[] = []
  const wrong: string[] = []
  const looked = new Set<string>()

  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'bowerbird-first-run-'))
    server = await startServerProcess({ ...addresses(), DATA_DIR: dataFolder, METRICS_TOKEN, LOG_LEVEL: 'trace' })
    tab = await openTab(browser, server.url, {
      viewport: { width, height: 800 },
      javaScriptEnabled,
      reducedMotion: 'reduce',
    })
  })

  afterAll(async () => {
    await tab.close()
    await server.stop()
    await rm(dataFolder, { recursive: true, force: true })
  })

  async function arriveAt(path: string): Promise<void> {
    await tab.page.waitForURL((url) => url.pathname === path)
    pages.push(await tab.page.content())
    if (!javaScriptEnabled || looked.has(path)) return
    looked.add(path)
    // At the other width, `nightly/website-themes.test.ts` looks at them.
    const found = width === 390 ? await findings(tab) : []
    if ((await overflow(tab)) > 0) found.push('sticks out at the side')
    wrong.push(...found.map((finding) => `${path}: ${finding}`))
  }

  const press = (name: string) => tab.page.getByRole('main').getByRole('button', { name, exact: true }).click()
  const follow = (name: string) => tab.page.getByRole('main').getByRole('link', { name, exact: true }).click()

  /** Opens the engine's row, pastes its key, and tries it. */
  async function addEngine(page: Page, slug: keyof typeof ENGINES): Promise<void> {
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

  it('is set up in five steps, and then finds something with both engines', async () => {
    const { page } = tab
    const printed = () => /Create the first account at (\S+)/.exec(server.printed())?.[1]
    await eventually(async () => printed() !== undefined, PATIENCE_MS)
    const started = performance.now()
    await page.goto(printed() ?? '')
    await arriveAt('/setup')
    await page.getByLabel('Username').fill('ada')
    expect(await page.getByLabel('Setup token').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    await press('Create administrator')
    await arriveAt('/admin/setup/reach')
    await page.getByLabel('Name').fill('Plumage')
    await page.getByLabel('Contact').fill('ada@example.org')
    await press('Save and continue')
    await arriveAt('/admin/setup/engines')
    await addEngine(page, 'brave')
    await addEngine(page, 'mojeek')
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
    const seconds = (performance.now() - started) / 1_000
    process.stdout.write(`The first run ${how}: ${pages.length} pages, ${seconds.toFixed(1)} s.\n`)
    expect(wrong).toEqual([])
    expect(tab.complaints).toEqual([])
    expect(tab.strangers).toEqual([])
  })

  it('has the pasted keys in no page, no line of the log and no metric', async () => {
    const { page } = tab
    for (const path of ['/admin/engines', '/admin/instance', '/admin/providers', '/admin/audit', '/status']) {
      await page.goto(path)
      pages.push(await page.content())
    }
    const exported = await page.request.get('/admin/instance/export')
    expect(await exported.text()).toContain('# BRAVE_API_KEY is set, not shown')
    const places = [
      ...pages,
      server.logged(),
      server.printed(),
      await readMetrics(server.url, METRICS_TOKEN),
      await exported.text(),
    ]
    for (const slug of Object.keys(ENGINES)) {
      const key = SANDBOX_KEYS[slug] ?? ''
      expect(key.length).toBeGreaterThan(8)
      expect(places.filter((text) => text.includes(key))).toEqual([])
    }
  })
})
