// When each key was last used, to the minute. Uses are collected in memory and written in batches: no request waits for
// this or fails because of it, and a write that fails is retried later.
import type { Database, NamedStatement } from '../storage/database.ts'

export interface LastUsed {
  note: (keyId: string, at: number) => void
  /** Rejects if the database fails; nothing is lost then. */
  write: () => Promise<void>
}

const KEYS_IN_A_WRITE = 1_000
/** Reached only if uses cannot be written while keys can be read; a date is then not worth more memory. */
const MOST_NOTED = 200_000

/** Leaves `updated_at` alone: a use is not a change. Rows are locked in order, as everywhere (see `users.ts`). */
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

export function createLastUsed(database: Database): LastUsed {
  const noted = new Map<string, number>()

  async function writeSome(uses: [keyId: string, at: number][]): Promise<void> {
    await database.query(WRITE_USES, [uses.map(([keyId]) => keyId), uses.map(([, at]) => new Date(at).toISOString())])
    for (const [keyId, at] of uses) if (noted.get(keyId) === at) noted.delete(keyId)
  }

  return {
    note(keyId, at) {
      if (noted.size < MOST_NOTED) noted.set(keyId, at)
    },
    async write() {
      const uses = [...noted]
      for (let from = 0; from < uses.length; from += KEYS_IN_A_WRITE) {
        await writeSome(uses.slice(from, from + KEYS_IN_A_WRITE))
      }
    },
  }
}
