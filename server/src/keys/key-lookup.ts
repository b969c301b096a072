// Looks up a key that isn't cached: everything about a prefix in one prepared statement of primary-key look-ups, so it
// costs the same with a hundred keys and with a million.

import type { Database, NamedStatement } from '../postgres/database.ts'
import { parseRate } from '../rate-limit/rate.ts'
import type { Rate } from '../rate-limit/rate-limiter.ts'
import { isScope, type Scope } from './scopes.ts'

/** A verified key, as the API and the rate limiter need it. */
export interface VerifiedKey {
  keyId: string
  userId: string
  username: string
  name: string
  /** The prefix of the presented secret; a key being rotated has several. */
  prefix: string
  scopes: ReadonlySet<Scope>
  /** The key's own limits, or undefined for the instance's. */
  burst: Rate | undefined
  sustained: Rate | undefined
  createdAt: Date
  /** When the presented secret expires: with the key, or with the grace period after a rotation. */
  expiresAt: Date | undefined
  /** To the minute; includes the current use. */
  lastUsedAt: Date | undefined
}

export interface FoundSecret {
  key: VerifiedKey
  secretHash: Uint8Array
  isRevoked: boolean
  isDisabled: boolean
  /** Milliseconds since 1970; Infinity for never. */
  endsAt: number
  /** Differs after every change of the key; see `nextUpdatedAt`. */
  version: string
}

export const SECRET_LOOKUP: NamedStatement = {
  name: 'key-lookup',
  text: `
    select s.prefix, s.secret_hash, s.expires_at as secret_expires_at,
      k.id as key_id, k.name, k.scopes, k.burst, k.sustained, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
      extract(epoch from k.updated_at)::text as version,
      u.id as user_id, u.username, u.disabled_at
    from key_secrets s
    join api_keys k on k.id = s.key_id
    join users u on u.id = k.user_id
    where s.prefix = $1`,
}

interface SecretRow {
  prefix: string
  secret_hash: Uint8Array
  secret_expires_at: Date | null
  key_id: string
  name: string
  scopes: string[]
  burst: string | null
  sustained: string | null
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  version: string
  user_id: string
  username: string
  disabled_at: Date | null
}

export async function lookUpSecret(database: Database, prefix: string): Promise<FoundSecret | undefined> {
  const [row] = await database.query<SecretRow>(SECRET_LOOKUP, [prefix])
  if (!row) return undefined
  const endsAt = Math.min(row.expires_at?.getTime() ?? Infinity, row.secret_expires_at?.getTime() ?? Infinity)
  return {
    key: {
      keyId: row.key_id,
      userId: row.user_id,
      username: row.username,
      name: row.name,
      prefix: row.prefix,
      scopes: toScopes(row.scopes),
      burst: readRate(row.burst),
      sustained: readRate(row.sustained),
      createdAt: row.created_at,
      expiresAt: endsAt === Infinity ? undefined : new Date(endsAt),
      lastUsedAt: row.last_used_at ?? undefined,
    },
    secretHash: row.secret_hash,
    isRevoked: row.revoked_at !== null,
    isDisabled: row.disabled_at !== null,
    endsAt,
    version: row.version,
  }
}

const known = new Map<string, ReadonlySet<Scope>>()

/** Shares one Set per combination of scopes: there are few combinations, and very many cached keys. */
function toScopes(written: readonly string[]): ReadonlySet<Scope> {
  const scopes = written.filter(isScope)
  const name = scopes.join(' ')
  const found = known.get(name) ?? new Set(scopes)
  known.set(name, found)
  return found
}

const readRate = (text: string | null): Rate | undefined => (text === null ? undefined : parseRate(text))
