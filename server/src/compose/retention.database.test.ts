import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createLog } from '../log.ts'
import { startRetention } from './retention.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const DAY_MS = 86_400_000
const AGES = [0, 90, 399, 401, 800]

describe.each(DATABASE_KINDS)('what is recorded (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
  })
  afterEach(() => opened.drop())

  const countOf = async (table: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
      opened.database.db,
    )
    return rows[0]?.count ?? -1
  }

  it('is kept as long as configured, and then deleted', async () => {
    const { db } = opened.database
    for (const age of AGES) {
      const at = new Date(NOW - age * DAY_MS)
      const day = at.toISOString().slice(0, 10)
      await sql`insert into usage_daily (day, key_id, endpoint, source) values (${day}, 1, 'web', 'a')`.execute(db)
      await sql`insert into provider_costs (day, provider, source) values (${day}, 'brave', 'a')`.execute(db)
      await sql`insert into provider_budgets (provider, month) values (${`p${age}`}, date_trunc('month', ${day}::date))`.execute(
        db,
      )
      await sql`insert into engine_contributions (day, engine, source) values (${day}, 'brave', 'a')`.execute(db)
      await sql`
        insert into provider_transitions (id, provider, provider_group, from_state, to_state, at, reason)
        values (${randomUUID()}, 'brave', 'web', 'up', 'down', ${at}, 'timeout')`.execute(db)
      await sql`
        insert into audit_events (at, event, outcome, via, network, detail)
        values (${at}, 'sign-in', 'ok', 'website', '', '')`.execute(db)
    }
    let cleaned = 0
    const stop = startRetention({
      retention: { usageDays: 400, costDays: 92, transitionDays: 400 },
      auditDays: 365,
      database: opened.database,
      redis: undefined,
      sessions: { removeExpired: async () => void cleaned++ },
      clock: () => NOW,
      log: createLog('silent'),
    })
    await stop()
    expect({
      usage: await countOf('usage_daily'),
      costs: await countOf('provider_costs'),
      budgets: await countOf('provider_budgets'),
      contributions: await countOf('engine_contributions'),
      transitions: await countOf('provider_transitions'),
      events: await countOf('audit_events'),
      cleaned,
    }).toEqual({ usage: 3, costs: 2, budgets: 1, contributions: 2, transitions: 3, events: 2, cleaned: 1 })
  })
})
