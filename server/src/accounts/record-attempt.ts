// Records failed, throttled and denied attempts, as many as `audit/audit-rate-limit.ts` admits.
import type { Kysely } from 'kysely'
import type { NewAuditEvent } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import type { Schema } from '../postgres/schema.ts'
import { type AccountParts, accessBy } from './account-parts.ts'

export interface Attempt extends NewAuditEvent {
  outcome: 'failed' | 'throttled'
  address: string
  /** The signed-in user, if there is one. */
  actorId?: string
}

/** `db`: the current transaction, if there is one. */
export async function recordAttempt(parts: AccountParts, attempt: Attempt, db?: Kysely<Schema>): Promise<void> {
  const { address, actorId, ...event } = attempt
  const { userId, outcome } = event
  const isAdmitted = parts.auditLimit.admits({
    networks: parts.networkPseudonyms(address),
    isAboutAccount: userId !== undefined,
    // Attempts that fail are bounded already; those that have to wait can be repeated without limit.
    identity: outcome === 'throttled' ? `${event.event} ${userId}` : undefined,
  })
  if (isAdmitted) await recordEvent(accessBy(parts, { address, userId: actorId }, db), event)
}

export interface Denial {
  userId: string
  address: string
  /** The pattern of the page's path. */
  route: string
}

export async function recordDenied(parts: AccountParts, { userId, address, route }: Denial): Promise<void> {
  const isAdmitted = parts.auditLimit.admits({
    networks: parts.networkPseudonyms(address),
    isAboutAccount: true,
    identity: `denied ${userId} ${route}`,
  })
  if (!isAdmitted) return
  const by = accessBy(parts, { address, userId })
  await recordEvent(by, { event: 'access-denied', outcome: 'failed', userId, detail: `/${route.replace(/^\//, '')}` })
}

/** One event for each network whose events were left out. A failure is logged, with how many were lost. */
export async function recordLeftOut({ access, auditLimit }: AccountParts): Promise<void> {
  for (const { network, count } of auditLimit.takeLeftOut()) {
    const event = { event: 'events-left-out', outcome: 'throttled', detail: `${count}` } as const
    try {
      await recordEvent({ ...access, actor: { network } }, event)
    } catch (error) {
      access.log.warn({ leftOut: count, err: new Error('could not record a security event', { cause: error }) })
    }
  }
}
