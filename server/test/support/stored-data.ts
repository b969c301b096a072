// Everything that an instance has stored, as text keyed by place, for tests that search for what must not be there.
import { Redis } from 'ioredis'
import pg from 'pg'

export async function readMetrics(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`no metrics: ${response.status}`)
  return await response.text()
}

async function inDatabase<Result>(url: string, work: (database: pg.Client) => Promise<Result>): Promise<Result> {
  const database = new pg.Client(url)
  await database.connect()
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

/** Every table, including partitions. */
export const readTables = (url: string): Promise<[place: string, content: string][]> =>
  inDatabase(url, async (database) => {
    const { rows } = await database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const tables: [string, string][] = []
    for (const { name } of rows) {
      const { rows } = await database.query<{ row: string }>(`select t::text as row from "${name}" t`)
      tables.push([`table ${name}`, rows.map(({ row }) => row).join('\n')])
    }
    return tables
  })

/** `table.column`, without partitions, which have the columns of their table. */
export const readColumns = (url: string): Promise<string[]> =>
  inDatabase(url, async (database) => {
    const { rows } = await database.query<{ name: string }>(
      `select c.relname || '.' || a.attname as name
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
         and a.attnum > 0 and not a.attisdropped`,
    )
    return rows.map(({ name }) => name).sort()
  })

/** All keys as one entry, then the value of each. */
export async function readRedis(url: string): Promise<[place: string, content: string][]> {
  const redis = new Redis(url)
  try {
    const names = await redis.keys('*')
    const values: [string, string][] = [['Redis keys', names.join('\n')]]
    for (const name of names) values.push([`Redis value of ${name}`, JSON.stringify(await readValue(redis, name))])
    return values
  } finally {
    redis.disconnect()
  }
}

async function readValue(redis: Redis, name: string): Promise<unknown> {
  const type = await redis.type(name)
  switch (type) {
    case 'string':
      return await redis.get(name)
    case 'hash':
      return await redis.hgetall(name)
    case 'zset':
      return await redis.zrange(name, '0', '-1')
    case 'list':
      return await redis.lrange(name, 0, -1)
    case 'set':
      return await redis.smembers(name)
    case 'none':
      return 'it has expired meanwhile'
    default:
      throw new Error(`no way to read a ${type} of Redis`)
  }
}
