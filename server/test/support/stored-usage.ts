// A key's usage as stored in PostgreSQL, regardless of the live counters.
import pg from 'pg'
import { prefixOf } from './cluster.ts'

export const storedUsage = async (databaseUrl: string, key: string): Promise<number> =>
  Number(
    await readValue(
      databaseUrl,
      `select coalesce(sum(counted), 0)::text as value
       from usage_daily join key_secrets using (key_id) where prefix = $1`,
      key,
    ),
  )

export const keyIdOf = (databaseUrl: string, key: string): Promise<string | undefined> =>
  readValue(databaseUrl, 'select key_id::text as value from key_secrets where prefix = $1', key)

async function readValue(databaseUrl: string, statement: string, key: string): Promise<string | undefined> {
  const database = new pg.Client(databaseUrl)
  await database.connect()
  try {
    return (await database.query<{ value: string }>(statement, [prefixOf(key)])).rows[0]?.value
  } finally {
    await database.end()
  }
}
