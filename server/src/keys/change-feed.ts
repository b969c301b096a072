// What makes up for lost messages: every few seconds a node asks which keys changed since it last asked. The moments
// are the database's own, and each question reaches back a minute before the last one, because a change becomes visible
// only when its transaction commits. The cost follows the number of recent changes, not the number of keys.
import type { Database, NamedStatement } from '../state/database.ts'
import type { WarmKeys } from './key-cache.ts'

export interface ChangeFeed {
  /** When it was last read, by the node's own clock; 0 for never. */
  readAt: () => number
  /** Rejects when the database fails; the next reading then reaches further back. */
  read: () => Promise<void>
}

/** Beyond this many changes at once everything is forgotten: looking keys up again is then cheaper. */
const MOST_CHANGES = 10_000

/**
 * A key that was only ever created has changed for nobody. The order and the `offset 0` tie the planner to the two
 * indexes: without them it may read a whole table when it expects many changes.
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
  warm: WarmKeys
  clock: () => number
}

export function createChangeFeed({ database, warm, clock }: ChangeFeedParts): ChangeFeed {
  let readAt = 0
  let readUntil: string | null = null
  return {
    readAt: () => readAt,
    async read() {
      const startedAt = clock()
      const rows = await database.query<ChangeRow>(CHANGED_KEYS, [readUntil])
      // Before the first reading nothing says how old the warm keys are.
      if (readUntil === null || rows.length >= MOST_CHANGES) warm.forgetAll()
      for (const { prefix, version } of rows) if (prefix && version) warm.forget(prefix, version)
      readUntil = rows[0]?.read_at ?? readUntil
      readAt = startedAt
    },
  }
}
