// For tests: the pages of accounts over real services and a real PostgreSQL database, with a clock that only the test moves.

import { afterEach, beforeEach } from 'vitest'
import { type AccountsStage, PASSWORD, setUpAccounts } from '../../accounts/accounts.test-stage.ts'
import type { NewUser } from '../../accounts/users.ts'
import { createLog } from '../../log.ts'
import { createMeter } from '../../state/meter-with-twin.ts'
import { readUsageOfKeys } from '../../limits/usage-reading.ts'
import { type Browser, openSiteStage, type SiteStage } from '../site.test-stage.ts'
import type { UsageBook } from '../site-services.ts'
import { accountsPages } from './accounts-pages.ts'

const log = createLog('silent')

export class AccountsSite {
  declare people: AccountsStage
  declare site: SiteStage
  declare meter: ReturnType<typeof createMeter>

  /** A browser in which a user of its own is signed in, through the form. */
  async signedIn(input: Partial<NewUser> = {}) {
    const user = await this.people.addUser(input)
    const browser = this.site.browser()
    await this.signInWith(browser, user.username)
    return { user, browser }
  }

  signInWith = (browser: Browser, username: string, password = PASSWORD) =>
    browser.submit('/login', { username, password })

  /** All text of all tables, to look for what must not be there. */
  async storedText(): Promise<string> {
    const { db } = this.people.access
    const tables = await Promise.all(
      (['users', 'api_keys', 'key_secrets', 'sessions', 'sign_in_tickets', 'recovery_codes'] as const).map((table) =>
        db.selectFrom(table).selectAll().execute(),
      ),
    )
    return JSON.stringify(tables, (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
  }
}

/** To be called where tests are described. */
export function setUpAccountsSite(settings: { publicUrl?: string } = {}): AccountsSite {
  const stage = new AccountsSite()
  stage.people = setUpAccounts('postgres')
  beforeEach(async () => {
    const { accounts, access } = stage.people
    const clock = () => stage.people.now
    const { db } = access
    stage.meter = createMeter({ redis: undefined, db, clock, log })
    const { meter } = stage
    const services = {
      accounts,
      sessions: accounts.sessions,
      usage: {
        ofKeys: (keyIds: readonly string[], sinceDay: string) =>
          readUsageOfKeys({ db, meter, clock, log }, { keyIds, sinceDay }),
      } as UsageBook, // The pages of keys ask it nothing else.
      isPublic: false,
      clock,
      ...settings,
    }
    stage.site = await openSiteStage(services, accountsPages)
  })
  afterEach(() => stage.site.close())
  return stage
}

/** What a person reads: the text of a page without its tags. */
export const textOf = (body: string): string => body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
