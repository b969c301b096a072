// How long the instance keeps what it has recorded, and the hourly work of one node that deletes the rest.
import type { Accounts } from '../accounts/accounts.ts'
import { pruneEvents } from '../audit/prune-events.ts'
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { type Reading, together } from '../config/reading.ts'
import { setting } from '../config/setting.ts'
import { pruneTransitions } from '../health/transition-history.ts'
import { pruneBudgets } from '../limits/budgets/cost-rows.ts'
import { pruneCosts, pruneUsage } from '../limits/prune-usage.ts'
import { dayOf } from '../limits/usage-reading.ts'
import type { Log } from '../log.ts'
import { pruneContributions } from '../search/contributions/contribution-rows.ts'
import type { Database } from '../storage/database.ts'
import { createNodeLease } from '../storage/node-lease.ts'
import { startPruning } from '../storage/pruning.ts'
import type { RedisClient } from '../storage/redis-client.ts'

export interface Retention {
  usageDays: number
  costDays: number
  transitionDays: number
}

/** `/status` shows 90 days, and a budget needs its month. */
const SHORTEST_DAYS = 92
const LONGEST_DAYS = 3_650

export function readRetention(reader: EnvironmentReader): Reading<Retention> {
  const days = (env: string) => reader.integer(setting(env, '400'), { min: SHORTEST_DAYS, max: LONGEST_DAYS })
  return together<Retention>({
    usageDays: days('USAGE_RETENTION_DAYS'),
    costDays: days('COST_RETENTION_DAYS'),
    transitionDays: days('TRANSITION_RETENTION_DAYS'),
  })
}

interface RetentionParts {
  retention: Retention
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
    ],
    lease: createNodeLease(redis, 'retention'),
    random: Math.random,
    log,
  })
}
