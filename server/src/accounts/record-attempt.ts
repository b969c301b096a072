// Records failed, throttled and denied attempts. Most of them wait for their turn in `sign-in-limits.ts` before they can
// fail. Of those that don't, only some are recorded, so that no one can fill the table with them.
import type { Kysely } from 'kysely'
import type { AuditEventName, NewAuditEvent } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import type { Schema } from '../store/schema.ts'
import { type AccountParts, accessBy } from './account-parts.ts'

export interface Attempt extends NewAuditEvent {
  outcome: 'failed' | 'throttled'
  address: string
  /** The signed-in user, if there is one. */
  actorId?: string
}

/** What fails without having waited: a wrong setup token, and what isn't the answer to a challenge. */
const UNTHROTTLED: readonly AuditEventName[] = ['setup', 'passkey-added']

/** `db`: the current transaction, if there is one. */
export async function recordAttempt(parts: AccountParts, attempt: Attempt, db?: Kysely<Schema>): Promise<void> {
  const { address, actorId, ...event } = attempt
  const isEndless = event.outcome === 'throttled' || UNTHROTTLED.includes(event.event)
  if (isEndless && !parts.limits.forRecord(address).ok) return
  await recordEvent(accessBy(parts, { address, userId: actorId }, db), event)
}

export interface Denial {
  userId: string
  address: string
  /** The pattern of the page's path. */
  route: string
}

export async function recordDenied(parts: AccountParts, { userId, address, route }: Denial): Promise<void> {
  if (!parts.limits.forRecord(address).ok) return
  const by = accessBy(parts, { address, userId })
  await recordEvent(by, { event: 'access-denied', outcome: 'failed', userId, detail: `/${route.replace(/^\//, '')}` })
}
