// Records a security event: a row, in the transaction of the change itself, and a log line. Call it last in the
// transaction, so that a refused change leaves neither.
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from '../postgres/schema.ts'
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
}

export async function recordEvent(context: AuditContext, input: NewAuditEvent): Promise<void> {
  const { db, clock, log, actor, countEvent } = context
  const { event, outcome = 'ok', userId, keyId, detail = '' } = input
  const via = actor ? 'website' : 'command line'
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
