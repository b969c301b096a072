// Everything that an instance has stored, as text keyed by place, for tests that search for what must not be there.
import { hash } from 'node:crypto'
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

/** All keys of these databases as one entry, then the value of each. */
export async function readRedis(...urls: string[]): Promise<[place: string, content: string][]> {
  const databases = await Promise.all(urls.map(readRedisDatabase))
  const values = databases.flat()
  return [
    ['Redis keys', values.map(([name]) => name).join('\n')],
    ...values.map(([name, value]): [string, string] => [`Redis value of ${name}`, value]),
  ]
}

async function readRedisDatabase(url: string): Promise<[name: string, value: string][]> {
  const redis = new Redis(url)
  try {
    const values: [string, string][] = []
    for (const name of await redis.keys('*')) values.push([name, JSON.stringify(await readValue(redis, name))])
    return values
  } finally {
    redis.disconnect()
  }
}

interface RedisRecord {
  /** Every command so far, one a line. */
  sent: () => string
  close: () => void
}

/** Records what is sent to a Redis, whichever database it is for: also messages, and what soon expires. */
export async function recordRedis(url: string): Promise<RedisRecord> {
  const redis = new Redis(url)
  const monitor = await redis.monitor()
  const commands: string[] = []
  monitor.on('monitor', (_time: string, command: string[]) => commands.push(command.join(' ')))
  return {
    sent: () => commands.join('\n'),
    close() {
      monitor.disconnect()
      redis.disconnect()
    },
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

/** The places that contain a text, as it is or as a program may have encoded it. */
export const placesOf = (stored: ReadonlyMap<string, string>, text: string): string[] => {
  const forms = encodingsOf(text)
  return [...stored].filter(([, content]) => forms.some((form) => content.includes(form))).map(([place]) => place)
}

/** The places that contain a plain hash of a text, from which anyone could tell whether a guess is right. */
export const hashedPlacesOf = (stored: ReadonlyMap<string, string>, text: string): string[] => {
  const forms = (['md5', 'sha1', 'sha256'] as const).flatMap((algorithm) => [
    hash(algorithm, text, 'hex'),
    hash(algorithm, text, 'base64url'),
  ])
  return [...stored].filter(([, content]) => forms.some((form) => content.includes(form))).map(([place]) => place)
}

const encodingsOf = (text: string): string[] => [
  text,
  Buffer.from(text).toString('hex'),
  ...[0, 1, 2].map((offset) => base64Inside(text, offset)),
]

/** What Base64 has of a text that begins `offset` bytes after a multiple of three, whatever surrounds it. */
function base64Inside(text: string, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
  return padded.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((padded.length * 4) / 3))
}
