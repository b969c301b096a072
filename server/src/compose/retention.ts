// Deletes data that has reached its retention limit. One node does it, hourly.
import type { Accounts } from '../accounts/accounts.ts'
import { pruneEvents } from '../audit/audit-log.ts'
import { pruneBudgets, pruneCosts } from '../budget/cost-ledger.ts'
import { pruneTransitions } from '../health/transition-history.ts'
import type { Log } from '../log.ts'
import { pruneOauth } from '../oauth/prune-oauth.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import { pruneContributions } from '../search/contributions/contribution-rows.ts'
import type { OperationConfiguration } from '../settings/operation-configuration.ts'
import type { Database } from '../store/database.ts'
import { pruneEndedKeys, startPruning } from '../store/pruning.ts'
import { pruneUsage } from '../store/usage-partitions.ts'
import { dayOf } from '../text/utc-day.ts'

interface RetentionParts {
  retention: OperationConfiguration['retention']
  auditDays: number
  database: Database
  redis: RedisClient | undefined
  sessions: Pick<Accounts['sessions'], 'removeExpired'>
  clock: () => number
  log: Log
}

const DAY_MS = 86_400_000

/** Returns a function that stops it. */
export function startRetention(parts: RetentionParts): () => Promise<void> {
  const { retention, auditDays, database, redis, sessions, clock, log } = parts
  const { db } = database
  const ago = (days: number): number => clock() - days * DAY_MS
  return startPruning({
    tasks: [
      { name: 'expired sessions', prune: sessions.removeExpired },
      { name: 'old security events', prune: () => pruneEvents(db, new Date(ago(auditDays))) },
      {
        name: 'old provider health history',
        prune: () => pruneTransitions(db, new Date(ago(retention.transitionDays))),
      },
      { name: 'old provider costs', prune: () => pruneCosts(db, dayOf(ago(retention.costDays))) },
      { name: 'old provider budgets', prune: () => pruneBudgets(db, dayOf(ago(retention.costDays))) },
      { name: 'old contributions of engines', prune: () => pruneContributions(db, dayOf(ago(retention.costDays))) },
      { name: 'old usage', prune: () => pruneUsage(db, dayOf(ago(retention.usageDays))) },
      { name: 'what connected programs no longer need', prune: () => pruneOauth(db, clock()) },
      { name: 'keys that ended long ago', prune: () => pruneEndedKeys(db, new Date(ago(retention.usageDays))) },
    ],
    lease: createNodeLease(redis, 'retention'),
    random: Math.random,
    log,
  })
}
