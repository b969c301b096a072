import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
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
    const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(table)}`.execute(
      opened.database.db,
    )
    return Number(rows[0]?.count ?? -1)
  }

  it('is kept as long as configured, and then deleted', async () => {
    const { db } = opened.database
    for (const age of AGES) {
      const at = new Date(NOW - age * DAY_MS)
      const day = at.toISOString().slice(0, 10)
      await sql`insert into usage_daily (day, key_id, endpoint, source) values (${day}, 1, 'web', 'a')`.execute(db)
      await sql`insert into provider_costs (day, provider, source) values (${day}, 'brave', 'a')`.execute(db)
      await sql`insert into provider_budgets (provider, month) values (${`p${age}`}, ${`${day.slice(0, 7)}-01`})`.execute(
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
    await sql`insert into users (username, password_hash) values ('ada', '')`.execute(db)
    const { rows: users } = await sql<{ id: string }>`select id from users`.execute(db)
    const addKey = async (name: string, { revoked, expired }: { revoked?: number; expired?: number } = {}) => {
      const before = (days: number | undefined) => (days === undefined ? null : new Date(NOW - days * DAY_MS))
      const { rows } = await sql<{ id: string }>`
        insert into api_keys (user_id, name, scopes, revoked_at, expires_at)
        values (${users[0]?.id}, ${name}, '{search}', ${before(revoked)}, ${before(expired)}) returning id`.execute(db)
      const id = rows[0]?.id
      for (const [age, n] of [[undefined, 0] as const, [399, 1] as const, [401, 2] as const]) {
        await sql`
          insert into key_secrets (prefix, key_id, secret_hash, expires_at)
          values (${`${name}${n}`}, ${id}, '', ${before(age)})`.execute(db)
      }
      await sql`
        insert into audit_events (at, event, outcome, key_id, via, network, detail)
        values (${new Date(NOW)}, 'key-created', 'ok', ${id}, 'website', '', '')`.execute(db)
    }
    await addKey('living')
    await addKey('revoked lately', { revoked: 399 })
    await addKey('revoked', { revoked: 401 })
    await addKey('expired lately', { expired: 399 })
    await addKey('expired', { expired: 401 })
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
    }).toEqual({ usage: 3, costs: 2, budgets: 1, contributions: 2, transitions: 3, events: 2 + 5, cleaned: 1 })
    const keys = await db.selectFrom('api_keys').select('name').orderBy('id').execute()
    expect(keys.map(({ name }) => name)).toEqual(['living', 'revoked lately', 'expired lately'])
    const secrets = await db.selectFrom('key_secrets').select('prefix').orderBy('prefix').execute()
    expect(secrets.map(({ prefix }) => prefix)).toEqual(
      ['expired lately', 'living', 'revoked lately'].flatMap((name) => [`${name}0`, `${name}1`]),
    )
    // An event still names its key.
    const events = await readEvents(db, { event: 'key-created', limit: 10 })
    expect(events.map(({ key }) => key?.name)).toEqual(['', 'expired lately', '', 'revoked lately', 'living'])
  })
})
