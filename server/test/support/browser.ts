// A real browser: Debian's headless Chromium. A test fails if the site's content security policy blocks something or a
// script throws.
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** Far more than a quiet machine needs. */
const PATIENCE_MS = 60_000

/** Options for launching it. */
export const BROWSER = {
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
}

export const launchBrowser = (): Promise<Browser> => chromium.launch(BROWSER)

export interface Tab {
  page: Page
  /** Errors in the page so far. */
  complaints: string[]
  /** Addresses outside the site that the page requested. */
  strangers: string[]
  close: () => Promise<void>
}

/** Opens a page in a new browser context: no cookies, English. */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused picture is a 404 and logged as one, as intended.
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

/** Signs in through the form. */
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

export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** A session that new tabs can begin with. */
export async function signInOnce(
  browser: Browser,
  url: string,
  who: { username: string; password: string },
): Promise<SignedIn> {
  const { page, close } = await openTab(browser, url)
  await signIn(page, who)
  const session = await page.context().storageState()
  await close()
  return session
}

/** Types the password again where the page asks for it. */
export async function confirmIdentity(page: Page, password: string): Promise<void> {
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL((address) => address.pathname !== '/settings/confirm')
}

/** Adds a virtual authenticator that always approves. */
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
