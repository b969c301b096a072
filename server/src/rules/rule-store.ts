// Rules about sites in the database: those that the instance, people and keys make themselves, and the lists that they
// subscribe to.
//
// Every change raises the owner's version to one that is higher than all before, under a lock that is held until the
// commit. So a node that has seen a version has seen every change before it, and needs one look at the highest version to
// know that nothing has changed (`rule-book.ts`).
import { type Kysely, sql } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { announceRulesChange } from '../keys/key-changes.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import { parseRules } from './parse-rules.ts'
import { writeRules } from './read-list.ts'
import { readPattern, readTarget } from './rule-pattern.ts'
import type { ListAction, RuleList, RuleOwner, RuleSubscription, SiteRule } from './site-rules.ts'
import { readStored } from './stored-rules.ts'

/** What the functions here need of the context of an administrator. */
export type RuleContext = Pick<AdminContext, 'db' | 'clock' | 'log' | 'countEvent' | 'actor' | 'systemUser' | 'changes'>

/** Of a person or a key. */
export const MAX_OWN_RULES = 5_000
/** Of a person or a key, with those of the lists that they subscribe to. */
const MAX_RULES_WITH_LISTS = 200_000
/** Of everyone together. */
const MAX_RULES_IN_ALL = 1_000_000
export const MAX_SUBSCRIPTIONS = 20
const MAX_ADDRESS_LENGTH = 2_000
/** An arbitrary number that no other lock in this database has. */
const LOCK_ID = '3853314791062309109'
/** Rows of one insert. */
const BATCH = 5_000

/** Own rules newest first, subscriptions oldest first. */
export async function listRules({ db }: Pick<RuleContext, 'db'>, owner: RuleOwner): Promise<RuleList> {
  const found = await findOwner(db, owner)
  if (!found) return { own: [], subscriptions: [] }
  const own = await selectOwn(db, found.id).orderBy('number', 'desc').execute()
  const subscriptions = await db
    .selectFrom('rule_subscriptions')
    .select(['id', 'address', 'action', 'publisher', 'licence', 'rule_count', 'fetched_at', 'problem'])
    .where('owner_id', '=', found.id)
    .orderBy('id')
    .execute()
  return { own: own.map(toRule), subscriptions: subscriptions.map(toSubscription) }
}

/** An owner's own rules, and then those of each list. */
export async function* readLists({ db }: Pick<RuleContext, 'db'>, ownerId: string): AsyncGenerator<Iterable<SiteRule>> {
  yield (await selectOwn(db, ownerId).execute()).map(toRule)
  const ids = await db
    .selectFrom('rule_subscriptions')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .execute()
  // One by one, because a list may have 10 MB.
  for (const { id } of ids) {
    const list = await db.selectFrom('rule_subscriptions').select('rules').where('id', '=', id).executeTakeFirst()
    if (list) yield readStored(list.rules)
  }
}

export async function setRule(context: RuleContext, owner: RuleOwner, rule: SiteRule): Promise<void> {
  const canonical = requireRule(rule)
  await changeRules(context, owner, (db, ownerId) => writeOwn(db, ownerId, [canonical]))
}

/** Both the rule that ranks or blocks and the one that rewrites. Returns whether there was one. */
export async function removeRule(context: RuleContext, owner: RuleOwner, pattern: string): Promise<boolean> {
  return await changeRules(context, owner, async (db, ownerId) => {
    const { numDeletedRows } = await db
      .deleteFrom('site_rules')
      .where('owner_id', '=', ownerId)
      .where('pattern', 'in', [pattern, readPattern(pattern) ?? pattern])
      .executeTakeFirst()
    return numDeletedRows > 0n
  })
}

/** Adds all rules that can be read; a second one for a pattern replaces the first. */
export async function importRules(context: RuleContext, owner: RuleOwner, text: string) {
  const { rules, problems } = await parseRules(text, 'block')
  // One statement can't write a row twice.
  const last = new Map(rules.map((rule) => [`${rule.action === 'rewrite'} ${rule.pattern}`, rule]))
  if (last.size > 0) await changeRules(context, owner, (db, ownerId) => writeOwn(db, ownerId, [...last.values()]))
  return {
    added: last.size,
    problems: problems.map(({ line, words }) => (line === 0 ? words : `Line ${line}: ${words}`)),
  }
}

/** Own rules, as text that `importRules` reads. */
export async function exportRules(context: Pick<RuleContext, 'db'>, owner: RuleOwner): Promise<string> {
  const { own } = await listRules(context, owner)
  return writeRules(own.toReversed())
}

export interface NewSubscription {
  address: string
  action: ListAction
}

/** The list is fetched within seconds. Subscribing again fetches it anew, with the other action. */
export async function subscribeTo(context: RuleContext, owner: RuleOwner, { address, action }: NewSubscription) {
  const url = requireListAddress(address)
  const due_at = new Date(context.clock())
  await changeRules(context, owner, async (db, ownerId) => {
    await db
      .insertInto('rule_subscriptions')
      .values({ owner_id: ownerId, address: url, action, due_at })
      .onConflict((conflict) =>
        conflict.columns(['owner_id', 'address']).doUpdateSet({ action, due_at, etag: '', last_modified: '' }),
      )
      .execute()
    const { count } = await db
      .selectFrom('rule_subscriptions')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow()
    if (Number(count) > MAX_SUBSCRIPTIONS)
      throw new Refusal('conflict', `Nobody can subscribe to more than ${MAX_SUBSCRIPTIONS} lists. Remove one first.`)
  })
}

/** Returns whether there was such a subscription. */
export const unsubscribeFrom = (context: RuleContext, owner: RuleOwner, id: string): Promise<boolean> =>
  changeRules(context, owner, async (db, ownerId) => {
    const { numDeletedRows } = await db
      .deleteFrom('rule_subscriptions')
      .where('owner_id', '=', ownerId)
      .where('id', '=', id)
      .executeTakeFirst()
    return numDeletedRows > 0n
  })

/** Runs a change, checks the bounds, records it and announces it. */
async function changeRules<Result>(
  context: RuleContext,
  owner: RuleOwner,
  change: (db: Kysely<Schema>, ownerId: string) => Promise<Result>,
): Promise<Result> {
  const result = await context.db.transaction().execute(async (transaction) => {
    await lockRules(transaction)
    const known = await findOwner(transaction, owner)
    const { id } = known ?? (await createOwner(transaction, owner))
    const result = await change(transaction, id)
    await raiseVersion(context, transaction, id)
    await refuseTooMany(transaction, id, owner.kind === 'instance')
    if (owner.kind === 'instance') await recordEvent({ ...context, db: transaction }, { event: 'site-rules-changed' })
    return result
  })
  announceRulesChange(context.changes)
  return result
}

/** Holds up all other changes until the end of the transaction. */
export const lockRules = (transaction: Kysely<Schema>) => getStatements(transaction).lock(transaction, LOCK_ID)

/** Only under the lock. */
export const raiseVersion = ({ clock }: Pick<RuleContext, 'clock'>, transaction: Kysely<Schema>, ownerId: string) =>
  sql`
    update rule_owners set
      version = (select greatest(coalesce(max(version), 0) + 1, ${clock() * 1_000}) from rule_owners),
      rule_count = (select count(*) from site_rules where owner_id = ${ownerId})
    where id = ${ownerId}`.execute(transaction)

/** How many more rules the owner and the instance have room for; below 0 if there are too many already. */
export async function readRoom(db: Kysely<Schema>, ownerId: string, isInstance: boolean): Promise<number> {
  const { rows } = await sql<{ own: string; lists: string; all: string }>`
    select
      (select rule_count from rule_owners where id = ${ownerId}) as own,
      (select coalesce(sum(rule_count), 0) from rule_subscriptions where owner_id = ${ownerId}) as lists,
      (select coalesce(sum(rule_count), 0) from rule_owners)
        + (select coalesce(sum(rule_count), 0) from rule_subscriptions) as "all"`.execute(db)
  const [own, lists, all] = [rows[0]?.own, rows[0]?.lists, rows[0]?.all].map(Number)
  const inAll = MAX_RULES_IN_ALL - (all ?? 0)
  if (isInstance) return inAll
  return Math.min(inAll, MAX_OWN_RULES - (own ?? 0), MAX_RULES_WITH_LISTS - (own ?? 0) - (lists ?? 0))
}

async function refuseTooMany(db: Kysely<Schema>, ownerId: string, isInstance: boolean): Promise<void> {
  if ((await readRoom(db, ownerId, isInstance)) >= 0) return
  throw new Refusal(
    'conflict',
    isInstance
      ? `An instance has room for ${MAX_RULES_IN_ALL} rules, those of people, keys and lists included. Remove some first.`
      : `There is room for ${MAX_OWN_RULES} rules, and for ${MAX_RULES_WITH_LISTS} with those of lists. Remove some first.`,
  )
}

const selectOwn = (db: Kysely<Schema>, ownerId: string) =>
  db.selectFrom('site_rules').select(['pattern', 'action', 'target']).where('owner_id', '=', ownerId)

const findOwner = (db: Kysely<Schema>, owner: RuleOwner) =>
  db
    .selectFrom('rule_owners')
    .select('id')
    .where('user_id', owner.kind === 'person' ? '=' : 'is', owner.kind === 'person' ? owner.userId : null)
    .where('key_id', owner.kind === 'key' ? '=' : 'is', owner.kind === 'key' ? owner.keyId : null)
    .executeTakeFirst()

const createOwner = (db: Kysely<Schema>, owner: RuleOwner) =>
  db
    .insertInto('rule_owners')
    .values({
      user_id: owner.kind === 'person' ? owner.userId : null,
      key_id: owner.kind === 'key' ? owner.keyId : null,
      version: '0',
    })
    .returning('id')
    .executeTakeFirstOrThrow()

async function writeOwn(db: Kysely<Schema>, ownerId: string, rules: readonly SiteRule[]): Promise<void> {
  for (let from = 0; from < rules.length; from += BATCH) {
    const rows = rules.slice(from, from + BATCH).map(({ pattern, action, to = '' }) => ({
      owner_id: ownerId,
      pattern,
      is_rewrite: action === 'rewrite',
      action,
      target: to,
    }))
    for (const [isRewrite, same] of Map.groupBy(rows, ({ is_rewrite }) => is_rewrite)) {
      // Replaced rather than updated, so that a rule which is given again gets a new number.
      const patterns = same.map(({ pattern }) => pattern)
      await db
        .deleteFrom('site_rules')
        .where('owner_id', '=', ownerId)
        .where('is_rewrite', '=', isRewrite)
        .where('pattern', 'in', patterns)
        .execute()
    }
    await db.insertInto('site_rules').values(rows).execute()
  }
}

const toRule = ({ pattern, action, target }: { pattern: string; action: string; target: string }): SiteRule => ({
  pattern,
  // Only canonical rules are stored.
  action: action as SiteRule['action'],
  ...(target !== '' && { to: target }),
})

interface SubscriptionRow {
  id: string
  address: string
  action: string
  publisher: string
  licence: string
  rule_count: number
  fetched_at: Date | null
  problem: string
}

const toSubscription = ({ action, rule_count, fetched_at, ...row }: SubscriptionRow): RuleSubscription => ({
  ...row,
  // Only known actions are stored.
  action: action as ListAction,
  rules: rule_count,
  fetchedAt: fetched_at?.getTime(),
})

/** The rule in its canonical form. Refuses one that can't be read. */
function requireRule({ pattern: written, action, to }: SiteRule): SiteRule {
  const pattern = readPattern(written)
  if (pattern === undefined)
    throw new Refusal('parameter_invalid', {
      pattern: ['Write a site such as example.org, *.example or example.org/shop/*.'],
    })
  if (action !== 'rewrite') return { pattern, action }
  const target = readTarget(to ?? '')
  if (target === undefined) throw new Refusal('parameter_invalid', { to: ['Write a host such as example.net.'] })
  return { pattern, action, to: target }
}

/**
 * The address in the form of URL. Refuses one that can't be fetched, or that holds a password. Over plain HTTP, others
 * on the way could change the list.
 */
function requireListAddress(address: string): string {
  const url = address.length <= MAX_ADDRESS_LENGTH ? URL.parse(address.trim()) : null
  const isPlain = url?.username === '' && url.password === ''
  if (!url || !isPlain || url.protocol !== 'https:' || url.href.length > MAX_ADDRESS_LENGTH)
    throw new Refusal('parameter_invalid', {
      address: ['Send the address of a list, such as https://example.org/list.txt.'],
    })
  url.hash = ''
  return url.href
}
