// Which user a key belongs to. That never changes, so it is asked once.
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../at-most.ts'
import type { Schema } from '../../storage/schema.ts'

export interface KeyOwners {
  /** Undefined if there is no such key, or nobody can say right now. */
  ownerOf: (keyId: string) => Promise<string | undefined>
  /** All keys of a user, revoked ones included. Rejects if they cannot be read. */
  keysOf: (userId: string) => Promise<string[]>
}

const MOST_KEYS = 100_000

export function createKeyOwners(db: Kysely<Schema>): KeyOwners {
  const owners = new LRUCache<string, string>(atMost(MOST_KEYS))
  return {
    async ownerOf(keyId) {
      const known = owners.get(keyId)
      if (known !== undefined || !/^\d+$/.test(keyId)) return known
      const query = db.selectFrom('api_keys').select('user_id').where('id', '=', keyId)
      const row = await query.executeTakeFirst().catch(() => undefined)
      if (row) owners.set(keyId, row.user_id)
      return row?.user_id
    },
    async keysOf(userId) {
      const rows = await db.selectFrom('api_keys').select('id').where('user_id', '=', userId).execute()
      return rows.map(({ id }) => id)
    },
  }
}
