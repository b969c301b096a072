// An instance with two identity providers, and people who walk from one to the other.

import { type BrowserReply, type FormBrowser, openFormBrowser } from './form-browser.ts'
import {
  CLIENT,
  openProviderBrowser,
  type ProviderBrowser,
  startIdentityProvider,
  type TestProvider,
} from './identity-provider.ts'
import { choosePort } from './oauth-walk.ts'
import { startTestInstance, type TestInstance } from './test-instance.ts'

export interface OidcStage {
  server: TestInstance
  /** `oidc`: accounts are connected first. */
  company: TestProvider
  /** `club`: creates accounts, and administrators by their group. */
  club: TestProvider
  close: () => Promise<void>
}

export async function startOidcStage(settings: Record<string, string> = {}): Promise<OidcStage> {
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const [company, club] = await Promise.all(
    ['oidc', 'club'].map((slug) => startIdentityProvider([`${url}/callback/${slug}`], `${url}/login?done=signed-out`)),
  )
  if (!company || !club) throw new Error('two providers were started')
  const server = await startTestInstance({
    PUBLIC_URL: url,
    PORT: String(port),
    LOG_LEVEL: 'trace',
    // Each person has an address of their own, and attempts of their own.
    TRUSTED_PROXIES: '127.0.0.1',
    OIDC_ISSUER: company.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Company',
    OIDC_PROVIDERS: 'club',
    OIDC_CLUB_ISSUER: club.issuer,
    OIDC_CLUB_CLIENT_ID: CLIENT.id,
    OIDC_CLUB_CLIENT_SECRET: CLIENT.secret,
    OIDC_CLUB_CREATE_USERS: 'on',
    OIDC_CLUB_ROLE_CLAIM: 'groups',
    OIDC_CLUB_ADMIN_VALUES: 'board, Head Office',
    OIDC_CLUB_ALLOWED_VALUES: 'board, Head Office, members',
    ...settings,
  })
  return {
    server,
    company,
    club,
    async close() {
      await server.close()
      await Promise.all([company.close(), club.close()])
    },
  }
}

/** A person with a browser. */
export interface Walker {
  browser: FormBrowser
  provider: ProviderBrowser
  /** Submits the form that leads to the provider, and returns where the page leads on to. */
  leave: (page: string, action: string) => Promise<URL>
  /** Comes back to the instance. */
  arrive: (url: URL) => Promise<BrowserReply>
  /** From the sign-in page to the provider and back; returns the reply to the callback. */
  signIn: (slug: string, login: string) => Promise<BrowserReply>
}

let walkers = 0

export function openWalker(url: string): Walker {
  walkers += 1
  const browser = openFormBrowser(url, {
    'x-forwarded-for': `100.${64 + Math.floor(walkers / 200)}.${walkers % 200}.7`,
  })
  const provider = openProviderBrowser()
  const leave = async (page: string, action: string): Promise<URL> => {
    const reply = await browser.fillIn(page, action)
    const location = /href="(http[^"]+)"[^>]*>Continue to/.exec(reply.body)?.[1]
    if (location === undefined) throw new Error(`the page does not lead on: ${reply.status}`)
    return new URL(location.replaceAll('&amp;', '&'))
  }
  const arrive = (back: URL): Promise<BrowserReply> => browser.ask(back.pathname + back.search)
  return {
    browser,
    provider,
    leave,
    arrive,
    async signIn(slug, login) {
      const location = await leave('/login', `/login/with/${slug}`)
      return await arrive(await provider.walk(location.href, login))
    },
  }
}
