// Everything that is stored about a person, as one JSON document that they download. It has no secret and no hash of one,
// and names nobody else. docs/operate/accounts.md describes it.
import { readAccountRecords } from '../../accounts/account-records.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Feed } from '../../accounts/feeds.ts'
import type { AuditReader } from '../../audit/audit-log.ts'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import type { RuleBook, RuleOwner } from '../../rules/site-rules.ts'
import type { UsageReader } from '../settings/usage-reader.ts'
import type { SignedInContext } from './account-forms.ts'

/** More than anyone has. */
const MAX_KEYS = 100_000
const EVENTS_PER_PAGE = 1_000
const EVERY_DAY = '1970-01-01'

export interface AccountExportParts {
  accounts: Accounts
  usage: UsageReader
  rules: RuleBook
  audit: AuditReader
}

export async function exportAccount(
  { accounts, usage, rules, audit }: AccountExportParts,
  { viewer, clock }: Pick<SignedInContext, 'viewer' | 'clock'>,
) {
  const { userId, username } = viewer
  const { access } = accounts
  const [records, keys, feeds] = await Promise.all([
    readAccountRecords(access, userId),
    listKeys(access, { username, limit: MAX_KEYS }),
    accounts.feeds.list(userId),
  ])
  const keyIds = keys.map(({ id }) => id)
  const { counts } = await usage.ofKeys(keyIds, EVERY_DAY)
  const usageOf = Map.groupBy(counts, ({ keyId }) => keyId)
  const exportedKeys = []
  for (const key of keys) {
    const used = (usageOf.get(key.id) ?? []).map(({ day, endpoint, count }) => ({ day, endpoint, count }))
    exportedKeys.push({
      ...describeKey(key),
      usage: used,
      sites: await exportSites(rules, { kind: 'key', keyId: key.id }),
    })
  }
  return {
    bowerbird: 'account',
    exported_at: new Date(clock()),
    ...records,
    keys: exportedKeys,
    sites: await exportSites(rules, { kind: 'person', userId }),
    feeds: feeds.map(describeFeed),
    events: await readAllEvents(audit, userId),
  }
}

const describeKey = ({ id, name, scopes, networks, client, secrets, ...key }: KeyRecord) => ({
  id,
  name,
  prefixes: secrets.map(({ prefix }) => prefix),
  scopes,
  burst: key.burst ?? null,
  sustained: key.sustained ?? null,
  networks,
  connected_program: client ?? null,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt ?? null,
  expires_at: key.expiresAt ?? null,
  revoked_at: key.revokedAt ?? null,
})

async function exportSites(rules: RuleBook, owner: RuleOwner) {
  const { own, subscriptions } = await rules.list(owner)
  return { rules: own, lists: subscriptions.map(({ address, action }) => ({ address, action })) }
}

const describeFeed = ({ search, createdAt, fetchedAt }: Feed) => ({
  search: search ?? null,
  created_at: createdAt,
  last_fetched_at: fetchedAt ?? null,
})

/** What they did, and what was done to their account. */
async function readAllEvents(audit: AuditReader, userId: string) {
  const events = []
  for (let before: string | undefined; ; ) {
    const page = await audit.read({ userId, before, limit: EVENTS_PER_PAGE })
    for (const { at, event, outcome, via, network, detail, user, actor } of page) {
      events.push({
        at,
        event,
        outcome,
        via,
        network,
        detail,
        about_you: user?.id === userId,
        by_you: actor?.id === userId,
      })
    }
    before = page.at(-1)?.id
    if (page.length < EVENTS_PER_PAGE) return events
  }
}
