// Records, reads and prunes security events. The only change ever made to one is that an account which is deleted is no
// longer named in it.
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Log } from '../log.ts'
import { pruneOlder } from '../store/pruning.ts'
import type { Schema } from '../store/schema.ts'
import type { Actor, AuditEventName, AuditOutcome, NewAuditEvent } from './audit-event.ts'

export interface AuditContext {
  /** May be a transaction. */
  db: Kysely<Schema>
  /** Milliseconds since 1970. */
  clock: () => number
  log: Log
  /** For the metrics. */
  countEvent?: (event: AuditEventName, outcome: AuditOutcome) => void
  /** Undefined for the command line. */
  actor?: Actor | undefined
  /** Who runs a command: a user of the machine, as `systemUserOf` in `cli/system-user.ts` writes it. */
  systemUser?: string | undefined
}

/** In the column `via`, the user of the machine follows in brackets. */
const COMMAND_LINE = 'command line'

/**
 * Adds a row, in the transaction of the change itself, and a log line. Call it last in the transaction, so that a
 * refused change leaves neither.
 */
export async function recordEvent(context: AuditContext, input: NewAuditEvent): Promise<void> {
  const { db, clock, log, actor, systemUser, countEvent } = context
  const { event, outcome = 'ok', userId, keyId, detail = '' } = input
  const fromCommand = systemUser ? (`${COMMAND_LINE} (${systemUser})` as const) : COMMAND_LINE
  const via = actor ? (actor.via ?? 'website') : fromCommand
  await db
    .insertInto('audit_events')
    .values({
      at: new Date(clock()),
      event,
      outcome,
      actor_id: actor?.userId ?? null,
      user_id: userId ?? null,
      key_id: keyId ?? null,
      via,
      network: actor?.network ?? '',
      detail,
    })
    .execute()
  countEvent?.(event, outcome)
  log.info(
    { event, outcome, actor: actor?.userId, user: userId, key: keyId, via, network: actor?.network, detail },
    'security event',
  )
}

export interface AuditRecord {
  id: string
  at: Date
  /** One of AUDIT_EVENTS, unless a newer version wrote it. */
  event: string
  outcome: AuditOutcome
  /** Who did it. Undefined for someone who was not signed in, and for the command line. */
  actor: { id: string; username: string } | undefined
  /** The account it is about. */
  user: { id: string; username: string } | undefined
  key: { id: string; name: string } | undefined
  via: 'website' | 'command line' | 'API'
  /** The user of the machine who ran the command; empty otherwise. */
  systemUser: string
  network: string
  detail: string
  /** The first sign-in to the account from this network, as far back as events are kept. */
  isNewNetwork: boolean
}

export interface AuditFilter {
  /** Events by or about this account. */
  userId?: string | undefined
  /** Events about this account only. */
  aboutUserId?: string | undefined
  event?: AuditEventName | undefined
  except?: readonly AuditEventName[]
  outcome?: AuditOutcome
  /** The id of the last event of the previous page. */
  before?: string | undefined
  /** Only newer events than this one. */
  after?: string
  limit: number
}

/** Newest first, with the current names of users and keys. */
/** The events as pages read them. */
export interface AuditReader {
  /** Newest first. */
  read: (filter: AuditFilter) => Promise<AuditRecord[]>
  /** How many days they are kept. */
  retentionDays: number
}

export async function readEvents(db: Kysely<Schema>, filter: AuditFilter): Promise<AuditRecord[]> {
  const { userId, aboutUserId, event, except, outcome, before, after, limit } = filter
  let query = selectEvents(db).orderBy('audit_events.id', 'desc').limit(limit)
  if (before !== undefined) query = query.where('audit_events.id', '<', before)
  if (after !== undefined) query = query.where('audit_events.id', '>', after)
  if (event !== undefined) query = query.where('audit_events.event', '=', event)
  if (except !== undefined) query = query.where('audit_events.event', 'not in', except)
  if (outcome !== undefined) query = query.where('audit_events.outcome', '=', outcome)
  if (aboutUserId !== undefined) query = query.where('audit_events.user_id', '=', aboutUserId)
  if (userId !== undefined) {
    query = query.where((where) =>
      where.or([where('audit_events.user_id', '=', userId), where('audit_events.actor_id', '=', userId)]),
    )
  }
  return (await query.execute()).map(toRecord)
}

const IS_NEW_NETWORK = sql<SqlBool>`
  audit_events.event = 'sign-in' and audit_events.outcome = 'ok' and not exists (
    select 1 from audit_events as earlier
    where earlier.user_id = audit_events.user_id and earlier.id < audit_events.id
      and earlier.event = 'sign-in' and earlier.outcome = 'ok' and earlier.network = audit_events.network)`

const selectEvents = (db: Kysely<Schema>) =>
  db
    .selectFrom('audit_events')
    .leftJoin('users as actor', 'actor.id', 'audit_events.actor_id')
    .leftJoin('users as about', 'about.id', 'audit_events.user_id')
    .leftJoin('api_keys as key', 'key.id', 'audit_events.key_id')
    .selectAll('audit_events')
    .select(['actor.username as actor_name', 'about.username as user_name', 'key.name as key_name'])
    .select(IS_NEW_NETWORK.as('isNewNetwork'))

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]

const toRecord = ({ actor_id, actor_name, user_id, user_name, key_id, key_name, ...row }: EventRow): AuditRecord => ({
  ...row,
  isNewNetwork: Boolean(row.isNewNetwork),
  via: row.via === 'website' || row.via === 'API' ? row.via : COMMAND_LINE,
  systemUser: /^command line \((.+)\)$/.exec(row.via)?.[1] ?? '',
  actor: actor_id === null ? undefined : { id: actor_id, username: actor_name ?? '' },
  user: user_id === null ? undefined : { id: user_id, username: user_name ?? '' },
  key: key_id === null ? undefined : { id: key_id, name: key_name ?? '' },
})

/** Takes the network out of what a user did, before the account is deleted: the database takes out the user's id. */
export async function anonymiseEvents(db: Kysely<Schema>, actorId: string): Promise<void> {
  await db.updateTable('audit_events').set({ network: '' }).where('actor_id', '=', actorId).execute()
}

/** Deletes events that are older than the retention period. Returns how many were deleted. */
export const pruneEvents = (db: Kysely<Schema>, before: Date): Promise<number> => pruneOlder(db, 'audit_events', before)
