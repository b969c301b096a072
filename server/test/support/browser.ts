// A real browser: Debian's Chromium, without a window. A page that the site's own policy stops from doing something, or
// whose script throws, fails its test.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const PATIENCE_MS = 10_000

/** How it is started. */
export const BROWSER = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
}

export const launchBrowser = (): Promise<Browser> => chromium.launch(BROWSER)

export interface Tab {
  page: Page
  /** What went wrong in the page itself so far. */
  complaints: string[]
  /** Addresses outside the site that the page asked for. */
  strangers: string[]
  close: () => Promise<void>
}

/** A browser of its own for somebody: no cookies, English. */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A picture that is refused is a 404 and is told as one; that is as it should be.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  page.on('dialog', async (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    const address = request.url()
    if (!address.startsWith(url) && !address.startsWith('data:')) strangers.push(address)
  })
  return { page, complaints, strangers, close: () => context.close() }
}

/** As a person does it. */
export async function signIn(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/login'))
}

/** Types the password again, where the page asks for it. */
export async function confirmIdentity(page: Page, password: string): Promise<void> {
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL((address) => address.pathname !== '/settings/confirm')
}

/** A telephone that always says yes: passkeys in the browser, without anybody to touch anything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
