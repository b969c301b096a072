import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { POSTGRES_NAMED } from '../store/postgres-statements.ts'
import type { StatementName } from '../store/statements.ts'
import { openTestDatabase } from './access.test-database.ts'
import { createChangeFeed, KeyCache, lookUpSecret } from './key-cache.ts'

describe('the statements of a verification among 20,000 keys', () => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>

  beforeAll(async () => {
    temporary = await openTestDatabase('postgres')
    const { db } = temporary.database
    await sql`
      insert into users (username, password_hash) select 'user' || n, '' from generate_series(1, 20000) n
    `.execute(db)
    await sql`
      insert into api_keys (user_id, scopes, created_at, updated_at)
      select id, '{search}', now() - interval '1 year', now() - interval '1 year' + id * interval '1 minute' from users
    `.execute(db)
    await sql`
      insert into key_secrets (prefix, key_id, secret_hash) select lpad(id::text, 8, 'x'), id, '' from api_keys
    `.execute(db)
    await sql`
      insert into audit_events (at, event, outcome, via, network, detail)
      select now(), 'sign-in', 'ok', '', '', '' from generate_series(1, 20000)
    `.execute(db)
    await sql`analyze`.execute(db)
  })
  afterAll(() => temporary.drop())

  async function planOf(name: StatementName, value: string, mode: string): Promise<string> {
    return await temporary.database.db.connection().execute(async (db) => {
      await sql`set plan_cache_mode = ${sql.lit(mode)}`.execute(db)
      await sql`deallocate all`.execute(db)
      await sql`prepare statement as ${sql.raw(POSTGRES_NAMED[name])}`.execute(db)
      const { rows } = await sql<Record<string, string>>`explain execute statement(${sql.lit(value)})`.execute(db)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  }

  it.each(['force_custom_plan', 'force_generic_plan'])('a cold look-up reads three primary keys (%s)', async (mode) => {
    const plan = await planOf('key-lookup', 'xxxxxx77', mode)
    for (const index of ['key_secrets_pkey', 'api_keys_pkey', 'users_pkey']) {
      expect(plan).toContain(`Index Scan using ${index}`)
    }
    expect(plan).not.toContain('Seq Scan')
  })

  it.each(['force_custom_plan', 'force_generic_plan'])('the change feed reads three indexes (%s)', async (mode) => {
    const plan = await planOf('changed-keys', `${Date.now() / 1_000}`, mode)
    expect(plan).toContain('api_keys_updated_at')
    expect(plan).toContain('key_secrets_key_id')
    expect(plan).toContain('audit_events_deletions')
    expect(plan).not.toContain('Seq Scan')
  })

  it('more changes than the feed returns make a node drop its whole cache', async () => {
    const { database } = temporary
    const cache = new KeyCache((prefix) => lookUpSecret(database, prefix))
    const feed = createChangeFeed({ database, cache, clock: Date.now })
    await feed.read()
    await cache.lookUp('xxx20000', 0)
    await feed.read()
    expect(cache.recall('xxx20000', 0)).toBeDefined()
    await sql`update api_keys set updated_at = clock_timestamp() + id * interval '1 microsecond'`.execute(database.db)
    await feed.read()
    expect(cache.recall('xxx20000', 0)).toBeUndefined()
  })
})
