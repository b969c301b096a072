// Makes up for lost messages: every few seconds, a node queries which keys have changed since its last query. Times are
// the database's own, and each query reaches back a minute before the last one, because a change only becomes visible
// when its transaction commits. The cost depends on the number of recent changes, not on the number of keys.
import type { Database, NamedStatement } from '../postgres/database.ts'
import type { KeyCache } from './key-cache.ts'

export interface ChangeFeed {
  /** When it was last read, by the node's own clock; 0 for never. */
  readAt: () => number
  /** Rejects if the database fails; the next read then reaches further back. */
  read: () => Promise<void>
}

/** With more changes than this, the whole cache is dropped: looking keys up again is cheaper. */
const MOST_CHANGES = 10_000

/**
 * A new key can't be cached anywhere yet, so creating one doesn't count as a change. The order and the `offset 0` tie
 * the planner to the two indexes: without them it may read a whole table when it expects many changes.
 */
export const CHANGED_KEYS: NamedStatement = {
  name: 'changed-keys',
  text: `
    select extract(epoch from now())::text as read_at, changed.prefix, changed.version
    from (select) as always
    left join (
      select s.prefix, extract(epoch from k.updated_at)::text as version
      from (
        select id, updated_at
        from api_keys
        where updated_at > to_timestamp($1::float8) - interval '60 seconds' and updated_at <> created_at
        order by updated_at
        limit ${MOST_CHANGES}
      ) k
      cross join lateral (select prefix from key_secrets where key_id = k.id offset 0) s
    ) changed on true`,
}

interface ChangeRow {
  read_at: string
  prefix: string | null
  version: string | null
}

interface ChangeFeedParts {
  database: Database
  cache: KeyCache
  clock: () => number
}

export function createChangeFeed({ database, cache, clock }: ChangeFeedParts): ChangeFeed {
  let readAt = 0
  let readUntil: string | null = null
  return {
    readAt: () => readAt,
    async read() {
      const startedAt = clock()
      const rows = await database.query<ChangeRow>(CHANGED_KEYS, [readUntil])
      // Before the first read, the age of the cached keys is unknown.
      if (readUntil === null || rows.length >= MOST_CHANGES) cache.forgetAll()
      for (const { prefix, version } of rows) if (prefix && version) cache.forget(prefix, version)
      readUntil = rows[0]?.read_at ?? readUntil
      readAt = startedAt
    },
  }
}
