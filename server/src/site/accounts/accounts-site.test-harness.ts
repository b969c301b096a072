// For tests: the site over real account services and a real PostgreSQL database, with a clock that only the test
// moves.

import { beforeEach } from 'vitest'
import type { AccountPolicy } from '../../accounts/account-parts.ts'
import { CONFIRMED_MS } from '../../accounts/account-settings.ts'
import { type AccountsStage, PASSWORD, setUpAccounts } from '../../accounts/accounts.test-harness.ts'
import type { NewUser } from '../../accounts/users.ts'
import { type AuditFilter, readEvents } from '../../audit/audit-log.ts'
import { withSettings } from '../../cli/command-line.test-harness.ts'
import { createLog } from '../../log.ts'
import { Usage } from '../../usage/usage.ts'
import type { UsageReader } from '../settings/usage-reader.ts'
import { type Browser, deskWith, openSiteStage, type SiteStage, type SiteStubs } from '../site.test-harness.ts'

const log = createLog('silent')

export class AccountsSite {
  declare people: AccountsStage
  declare site: SiteStage
  declare usage: Usage

  /** A browser in which a new user has just signed in through the form, so that nothing asks for the password again. */
  async signedIn(input: Partial<NewUser> = {}) {
    const user = await this.people.addUser(input)
    const browser = this.site.browser()
    await this.signInWith(browser, user.username)
    return { user, browser }
  }

  administrator = () => this.signedIn({ isAdmin: true })

  /** A browser in which a new user signed in so long ago that sensitive pages ask for the password again. */
  async signedInEarlier(input: Partial<NewUser> = {}) {
    const signedIn = await this.signedIn(input)
    this.people.now += CONFIRMED_MS
    return signedIn
  }

  confirm = (browser: Browser, password = PASSWORD) => browser.submit('/settings/confirm', { present: password })

  signInWith = (browser: Browser, username: string, password = PASSWORD) =>
    browser.submit('/login', { username, password })

  /** The text of all account tables, to check for secrets. */
  async storedText(): Promise<string> {
    const { db } = this.people.access
    const names = [
      'users',
      'api_keys',
      'key_secrets',
      'sessions',
      'sign_in_tickets',
      'recovery_codes',
      'passkeys',
    ] as const
    const tables = await Promise.all(names.map((table) => db.selectFrom(table).selectAll().execute()))
    return JSON.stringify(tables, (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
  }
}

interface SiteSettings {
  publicUrl?: string
  policy?: AccountPolicy
  areUrlKeysOn?: boolean
}

/** Call it inside `describe`. */
export function setUpAccountsSite({ policy, ...settings }: SiteSettings = {}): AccountsSite {
  const stage = new AccountsSite()
  stage.people = setUpAccounts('postgres')
  if (policy) stage.people.policy = policy
  beforeEach(async () => {
    const { accounts, access } = stage.people
    const clock = () => stage.people.now
    const { db } = access
    const stored = withSettings(access).settings
    stage.usage = new Usage({ db, clock, log })
    const { usage } = stage
    const services = {
      accounts,
      sessions: accounts.sessions,
      usage: {
        ofKeys: usage.readOfKeys,
      } as UsageReader, // The key pages call nothing else.
      audit: { read: (filter: AuditFilter) => readEvents(db, filter), retentionDays: 365 },
      recordDenied: accounts.recordDenied,
      keyless: {
        current: 'foundations',
        isFixed: false,
        names: { none: [], foundations: [], all: [] },
      } satisfies SiteStubs['keyless'],
      settings: deskWith({ change: stored.change }),
      isPublic: false,
      clock,
      ...settings,
    }
    stage.site = await openSiteStage(services)
  })
  return stage
}
