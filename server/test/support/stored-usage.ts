// A key's usage as PostgreSQL has it, whatever the live counters say.
import pg from 'pg'
import { prefixOf } from './cluster.ts'

export async function storedUsage(databaseUrl: string, key: string): Promise<number> {
  const database = new pg.Client(databaseUrl)
  await database.connect()
  try {
    const { rows } = await database.query<{ usage: string }>(
      `select coalesce(sum(counted - refunded), 0)::text as usage
       from usage_daily join key_secrets using (key_id) where prefix = $1`,
      [prefixOf(key)],
    )
    return Number(rows[0]?.usage)
  } finally {
    await database.end()
  }
}
