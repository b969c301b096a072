// For tests: accounts on a database of one's own, with a clock that only the test moves.
import { Secret, TOTP } from 'otpauth'
import { beforeEach } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
import { createAdminContext, type DatabaseKind, useTestDatabase } from '../keys/access.test-database.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLocalChangeBus } from '../keys/key-changes.ts'
import type { Database } from '../store/database.ts'
import { type AccountPolicy, DEFAULT_POLICY, type Member, type Visitor } from './account-parts.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { createUser, type NewUser } from './users.ts'

export const PASSWORD = 'correct horse'
export const VISITOR: Visitor = {
  address: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
}

const INSTANCE_SECRET = 'the secret of the instance'

export class AccountsStage {
  now = Date.UTC(2026, 10, 15, 12)
  declare access: AdminContext
  declare database: Database
  declare accounts: Accounts
  policy: AccountPolicy = DEFAULT_POLICY
  #users = 0

  /** Another node on the same database. */
  createNode(changes = createLocalChangeBus(), database = this.database): Accounts {
    return createAccounts({
      access: { ...this.access, changes },
      database,
      instanceSecret: INSTANCE_SECRET,
      policy: this.policy,
    })
  }

  /** A user as somebody who is signed in. */
  member({ id, username }: { id: string; username: string }): Member & { username: string } {
    return { ...VISITOR, userId: id, username }
  }

  /** What was recorded about a user, oldest first, in a few words each. */
  async eventsOf(userId: string): Promise<string[]> {
    const events = await readEvents(this.access.db, { aboutUserId: userId, limit: 100 })
    return events.toReversed().map(({ event, outcome, detail }) => [event, outcome, detail].filter(Boolean).join(' '))
  }

  /** A user of its own for a test. */
  async addUser(input: Partial<NewUser> = {}) {
    this.#users++
    return await createUser(this.access, { username: `user${this.#users}`, password: PASSWORD, ...input })
  }

  signIn(username: string, password = PASSWORD, visitor: Partial<Visitor> = {}) {
    return this.accounts.signIn.withPassword({ username, password }, { ...VISITOR, ...visitor })
  }

  async openSession(username: string, password = PASSWORD): Promise<string> {
    const verdict = await this.signIn(username, password)
    if (verdict.outcome !== 'signed-in') throw new Error(`the sign-in ended with ${verdict.outcome}`)
    return verdict.session
  }

  /** What the user's app shows. */
  codeFor(secret: string, offsetMs = 0): string {
    return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
      timestamp: this.now + offsetMs,
    })
  }

  confirmApp(userId: string, code: string): Promise<string[] | undefined> {
    return this.access.db
      .transaction()
      .execute((transaction) => this.accounts.secondFactor.confirm(transaction, userId, code))
  }

  /** Switches the second factor on and steps past the code that did it. */
  async enrol({ id, username }: { id: string; username: string }) {
    const { secret } = await this.accounts.secondFactor.begin({ userId: id, username, issuer: 'Bowerbird' })
    const recoveryCodes = await this.confirmApp(id, this.codeFor(secret))
    if (!recoveryCodes) throw new Error('the second factor was not confirmed')
    this.now += 60_000
    return { secret, recoveryCodes }
  }
}

/** To be called where tests are described: each test then finds fresh accounts, without memory of earlier attempts. */
export function setUpAccounts(kind: DatabaseKind): AccountsStage {
  const stage = new AccountsStage()
  const used = useTestDatabase(kind)
  beforeEach(() => {
    stage.database = used.database
    stage.access = createAdminContext(used.db, () => stage.now)
    stage.accounts = stage.createNode(stage.access.changes)
  })
  return stage
}
