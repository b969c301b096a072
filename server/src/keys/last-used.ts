// Records when each key was last used, to the minute. Uses are written behind, in batches: no request waits for this or
// fails because of it.
import type { Log } from '../log.ts'
import type { Database, NamedStatement } from '../postgres/database.ts'
import { WriteBehind } from '../postgres/write-behind.ts'

interface Use {
  keyId: string
  at: number
}

const EVERY_MS = 25_000
const KEYS_IN_A_WRITE = 1_000
/** Reached only if uses can't be written while keys can be read; the dates aren't worth more memory than this. */
const MOST_NOTED = 200_000

/** Leaves `updated_at` alone: a use is not a change. Locks rows in order of id, as `accounts/users.ts` does. */
const WRITE_USES: NamedStatement = {
  name: 'write-uses',
  text: `
    with used as (
      select k.id, u.used_at
      from unnest($1::bigint[], $2::timestamptz[]) as u (id, used_at)
      join api_keys k on k.id = u.id
      where k.last_used_at is null or k.last_used_at < u.used_at
      order by k.id
      for no key update of k
    )
    update api_keys set last_used_at = used.used_at from used where api_keys.id = used.id`,
}

/** Rows are put under the key's id. */
export const createLastUsed = (database: Database, log: Log): WriteBehind<Use> =>
  new WriteBehind({
    name: 'the last use of keys',
    everyMs: EVERY_MS,
    log,
    rowsPerWrite: KEYS_IN_A_WRITE,
    maxRows: MOST_NOTED,
    async write(uses) {
      await database.query(WRITE_USES, [
        uses.map(({ keyId }) => keyId),
        uses.map(({ at }) => new Date(at).toISOString()),
      ])
    },
  })
