// Records failed, throttled and denied attempts. Attempts that can be repeated without limit are recorded at most once
// a minute.
import type { Kysely } from 'kysely'
import type { NewAuditEvent } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import type { Schema } from '../postgres/schema.ts'
import { type AccountParts, accessBy } from './account-parts.ts'
import { findUser } from './users.ts'

export interface Attempt extends NewAuditEvent {
  outcome: 'failed' | 'throttled'
  address: string
  /** The signed-in user, if there is one. */
  actorId?: string
  /** The username that was typed, if it has not been looked up yet. It is only ever kept in memory. */
  typedName?: string
}

/** `db`: the current transaction, if there is one. */
export async function recordAttempt(parts: AccountParts, attempt: Attempt, db?: Kysely<Schema>): Promise<void> {
  const { address, actorId, typedName, ...event } = attempt
  const by = accessBy(parts, { address, userId: actorId })
  const identity = [event.event, event.userId, typedName, by.actor?.network].join(' ')
  if (!parts.auditLimit.admits(event.outcome === 'throttled' ? identity : undefined)) return
  const userId = typedName === undefined ? event.userId : (await findUser(by, typedName))?.id
  await recordEvent(db ? { ...by, db } : by, { ...event, userId })
}

export interface Denial {
  userId: string
  address: string
  /** The pattern of the page's path. */
  route: string
}

export async function recordDenied(parts: AccountParts, { userId, address, route }: Denial): Promise<void> {
  if (!parts.auditLimit.admits(`denied ${userId} ${route}`)) return
  const by = accessBy(parts, { address, userId })
  await recordEvent(by, { event: 'access-denied', outcome: 'failed', userId, detail: `/${route.replace(/^\//, '')}` })
}
