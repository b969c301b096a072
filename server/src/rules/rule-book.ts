// The rules in force, in memory. This file answers for every search, so in steady state it asks nobody: a node knows who
// has rules at all, and at which version, and has compiled those of whoever searched recently. It reads what has changed
// when a change is announced, and looks for itself every few seconds, because an announcement may be lost.
//
// A blocked site must appear nowhere. The rules of the instance are read before the instance starts, and the last known
// ones stay in force while the database is away. So do those of a person or key; only if theirs exist and this node has
// never read them, the search is refused, because it could show what they blocked.
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../errors.ts'
import { subscribeToRulesChanges } from '../keys/key-changes.ts'
import { repeat } from '../repeat.ts'
import type { Schema } from '../store/schema.ts'
import { compileRules, type OwnedRules } from './compile-rules.ts'
import { indexRules, type RuleIndex } from './rule-index.ts'
import {
  exportRules,
  importRules,
  listRules,
  type RuleContext,
  readLists,
  removeRule,
  setRule,
  subscribeTo,
  unsubscribeFrom,
} from './rule-store.ts'
import type { RuleBook, RuleChanger, RuleOwnerKind, RuleSet } from './site-rules.ts'

interface Owner {
  id: string
  version: number
}

/** The rules of the instance: the same object until they change. */
interface InstanceRules {
  version: number
  indexes: readonly RuleIndex[]
  set: RuleSet | undefined
}

/** What somebody who has rules searches with. */
interface Personal {
  version: number
  indexes: readonly RuleIndex[]
  /** The rules of the instance that it was compiled with. */
  instance: InstanceRules
  set: RuleSet | undefined
}

const LOOK_EVERY_MS = 3_000
/** In all sets of people and keys together that are kept compiled. */
const MAX_COMPILED_RULES = 400_000
/** What a set takes besides its rules, in rules. */
const SET_SIZE = 20
const INSTANCE = 'instance'
const UNAVAILABLE = 'Your rules about sites cannot be looked up at the moment. Try again in a few seconds.'

export async function openRuleBook(context: RuleContext, everyMs = LOOK_EVERY_MS) {
  const { db } = context
  const owners = new Map<string, Owner>()
  const compiled = new LRUCache<string, Personal>({
    maxSize: MAX_COMPILED_RULES,
    sizeCalculation: ({ indexes }) => SET_SIZE + indexes.reduce((sum, { size }) => sum + size, 0),
  })
  const compiling = new Map<string, Promise<Personal>>()
  let instance: InstanceRules = { version: 0, indexes: [], set: undefined }
  let newest = 0

  async function readNewer(): Promise<void> {
    const { highest, count } = await readState(db)
    if (highest === newest && count === owners.size) return
    // A restored backup, or an owner is gone: everything is read again.
    const known = highest < newest || count < owners.size ? 0 : newest
    const changed = await readOwners(db, known)
    if (known === 0) owners.clear()
    for (const { name, ...owner } of changed) owners.set(name, owner)
    for (const name of compiled.keys()) if (!owners.has(name)) compiled.delete(name)
    const owner = owners.get(INSTANCE)
    if (owner?.version !== instance.version) instance = await compileInstance(context, owner)
    // What was read may be newer than what was looked at before.
    newest = changed.reduce((version, owner) => Math.max(version, owner.version), known)
  }

  await readNewer()
  const { catchUpLater, stop } = followChanges(context, readNewer, everyMs)

  /** Compiles the rules of a person or key with the instance's, once for searches at the same time. */
  function compile(name: string, owner: Owner): Promise<Personal> {
    const state = `${name} ${owner.version} ${instance.version}`
    const underWay = compiling.get(state)
    if (underWay) return underWay
    const working = compilePersonal(name, owner, instance).finally(() => compiling.delete(state))
    compiling.set(state, working)
    return working
  }

  async function compilePersonal(name: string, owner: Owner, common: InstanceRules): Promise<Personal> {
    const before = compiled.get(name)
    const { version, indexes } =
      before?.version === owner.version ? before : await readIndexes(context, owner).catch(() => before ?? refuse())
    const own = owned(name.startsWith('key') ? 'key' : 'person', indexes)
    const set = own.length === 0 ? common.set : await compileRules([...owned('instance', common.indexes), ...own])
    const personal = { version, indexes, instance: common, set }
    compiled.set(name, personal)
    return personal
  }

  /** Makes a change and waits until it is in force on this node. */
  const changed = async <Result>(change: Promise<Result>): Promise<Result> => {
    const result = await change
    await catchUpLater()
    return result
  }
  const as = (by: RuleChanger = {}): RuleContext => ({ ...context, actor: by.actor, systemUser: by.systemUser })

  const book: RuleBook = {
    inForce({ userId, keyId, browser = [] }) {
      if (browser.length > 0)
        return compileRules([...owned('instance', instance.indexes), { owner: 'person', rules: browser }])
      const name = keyId === undefined ? `person ${userId}` : `key ${keyId}`
      const owner = owners.get(name)
      if (!owner) return instance.set
      const known = compiled.get(name)
      const isCurrent = known?.version === owner.version && known.instance === instance
      return isCurrent ? known.set : compile(name, owner).then(({ set }) => set)
    },
    list: (owner) => listRules(context, owner),
    set: (owner, rule, by) => changed(setRule(as(by), owner, rule)),
    async remove(owner, pattern, by) {
      await changed(removeRule(as(by), owner, pattern))
    },
    importText: (owner, text, by) => changed(importRules(as(by), owner, text)),
    exportText: (owner) => exportRules(context, owner),
    subscribe: (owner, subscription, by) => changed(subscribeTo(as(by), owner, subscription)),
    async unsubscribe(owner, id, by) {
      await changed(unsubscribeFrom(as(by), owner, id))
    },
  }
  return { ...book, stop }
}

const refuse = (): never => {
  throw new Refusal('storage_unavailable', UNAVAILABLE, { 'Retry-After': '5' })
}

const owned = (owner: RuleOwnerKind, indexes: readonly RuleIndex[]): OwnedRules[] =>
  indexes.map((rules) => ({ owner, rules }))

async function compileInstance(context: RuleContext, owner: Owner | undefined): Promise<InstanceRules> {
  if (!owner) return { version: 0, indexes: [], set: undefined }
  const { version, indexes } = await readIndexes(context, owner)
  return { version, indexes, set: indexes.length === 0 ? undefined : await compileRules(owned('instance', indexes)) }
}

/** Of two rules for the same pattern, the owner's own counts, then that of the list subscribed to first. */
async function readIndexes(context: RuleContext, { id, version }: Owner) {
  const indexes: RuleIndex[] = []
  for await (const rules of readLists(context, id)) indexes.push(await indexRules(rules))
  return { version, indexes: indexes.filter(({ size }) => size > 0) }
}

async function readState(db: Kysely<Schema>): Promise<{ highest: number; count: number }> {
  const row = await db
    .selectFrom('rule_owners')
    .select(({ fn }) => [fn.max('version').as('highest'), fn.countAll().as('count')])
    .executeTakeFirst()
  return { highest: Number(row?.highest ?? 0), count: Number(row?.count ?? 0) }
}

async function readOwners(db: Kysely<Schema>, after: number) {
  const rows = await db
    .selectFrom('rule_owners')
    .select(['id', 'user_id', 'key_id', 'version'])
    .where('version', '>', String(after))
    .execute()
  return rows.map(({ id, user_id, key_id, version }) => ({
    name: user_id !== null ? `person ${user_id}` : key_id !== null ? `key ${key_id}` : INSTANCE,
    id,
    version: Number(version),
  }))
}

/** Reads what is newer when a change is announced, and every few seconds. */
function followChanges({ changes }: RuleContext, readNewer: () => Promise<void>, everyMs: number) {
  let underWay: Promise<void> | undefined
  let isOutdated = false

  async function read(): Promise<void> {
    do {
      isOutdated = false
      await readNewer()
    } while (isOutdated)
  }

  /** Resolves when a change that was stored before the call is in force. */
  function catchUp(): Promise<void> {
    isOutdated = true
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  // The metrics report a database that is away, and the next look catches up.
  const catchUpLater = () => catchUp().catch(() => undefined)
  subscribeToRulesChanges(changes, () => void catchUpLater())
  return { catchUpLater, stop: repeat({ everyMs, work: catchUpLater }) }
}
