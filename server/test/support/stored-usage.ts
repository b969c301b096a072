// A key's usage as stored in PostgreSQL, regardless of the live counters.
import pg from 'pg'
import { prefixOf } from './cluster.ts'

const USAGE = `select coalesce(sum(counted), 0)::int as usage
  from usage_daily join key_secrets using (key_id) where prefix = $1`

export async function storedUsage(databaseUrl: string, key: string): Promise<number> {
  const database = new pg.Client(databaseUrl)
  await database.connect()
  try {
    return (await database.query<{ usage: number }>(USAGE, [prefixOf(key)])).rows[0]?.usage ?? 0
  } finally {
    await database.end()
  }
}
