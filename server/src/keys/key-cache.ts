// The cached keys of a process, the look-ups in progress, and the feed of changes that keeps the cache fresh even if
// messages (`key-changes.ts`) are lost. The hard part is a change that arrives during a look-up, because the result of
// the look-up may predate the change. Such a result still serves the requests that are waiting for it (they came before
// the change was announced), but it isn't cached, and later requests start a new look-up.
import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import { parseRate } from '../rate-limit/rate.ts'
import type { Rate } from '../rate-limit/rate-limiter.ts'
import type { Database } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import { MAX_CHANGED_KEYS } from '../store/statements.ts'
import { createNetworkCheck, type NetworkCheck } from './allowed-networks.ts'
import { isScope, type Scope } from './scopes.ts'

/** A verified key, as the API and the rate limiter need it. */
export interface VerifiedKey {
  keyId: string
  userId: string
  username: string
  name: string
  /** The prefix of the presented secret; a key being rotated has several. */
  prefix: string
  /** A program that its owner has connected by OAuth has it. */
  isGrant: boolean
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
  /** Undefined: from everywhere. */
  isAllowedFrom: NetworkCheck | undefined
  isRevoked: boolean
  isDisabled: boolean
  /** Milliseconds since 1970; Infinity for never. */
  endsAt: number
  /** Differs after every change of the key; see `nextUpdatedAt` in `store/statements.ts`. */
  version: string
}

export interface CachedSecret extends FoundSecret {
  /** When the look-up started, in milliseconds since 1970. */
  readAt: number
}

/** The default; the operator can change it. */
const MAX_BYTES = 64_000_000
/** The memory that a key takes besides its texts, measured with a full cache. */
const ENTRY_BYTES = 950
/** The same for a list of allowed networks. */
const NETWORKS_BYTES = 1_000
const MAX_UNKNOWN_PREFIXES = 10_000
/** How long a prefix that doesn't exist is remembered as such. */
const UNKNOWN_FOR_MS = 2_000

interface LookUp {
  found: Promise<CachedSecret | undefined>
  /** Whether the key has changed since the look-up started. */
  isOutdated: boolean
}

/** Approximate. Names vary in length, so the cache is bounded by bytes and not by the number of keys. */
const bytesOf = ({ key, isAllowedFrom }: CachedSecret): number =>
  ENTRY_BYTES + 2 * (key.name.length + key.username.length) + (isAllowedFrom ? NETWORKS_BYTES : 0)

export class KeyCache {
  readonly #find: (prefix: string) => Promise<FoundSecret | undefined>
  readonly #cache: LRUCache<string, CachedSecret>
  readonly #unknownSince = new LRUCache<string, number>(atMost(MAX_UNKNOWN_PREFIXES))
  readonly #pending = new Map<string, LookUp>()

  constructor(find: (prefix: string) => Promise<FoundSecret | undefined>, maxBytes = MAX_BYTES) {
    this.#find = find
    this.#cache = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf })
  }

  /** `null`: the prefix did not exist a moment ago. `undefined`: nothing is cached; call `lookUp`. */
  recall(prefix: string, now: number): CachedSecret | null | undefined {
    const secret = this.#cache.get(prefix)
    if (secret) return secret
    const since = this.#unknownSince.get(prefix)
    return since !== undefined && now - since < UNKNOWN_FOR_MS ? null : undefined
  }

  /** Queries the database, once for concurrent requests with the same prefix. Rejects if the database fails. */
  lookUp(prefix: string, now: number): Promise<CachedSecret | undefined> {
    const pending = this.#pending.get(prefix)
    if (pending) return pending.found
    const lookUp: LookUp = { found: Promise.resolve(undefined), isOutdated: false }
    this.#pending.set(prefix, lookUp)
    lookUp.found = this.#findAndCache(prefix, now, lookUp)
    return lookUp.found
  }

  async #findAndCache(prefix: string, now: number, lookUp: LookUp): Promise<CachedSecret | undefined> {
    try {
      const found = await this.#find(prefix)
      const secret = found && { ...found, readAt: now }
      if (!lookUp.isOutdated) {
        if (secret) this.#cache.set(prefix, secret)
        else this.#unknownSince.set(prefix, now)
      }
      return secret
    } finally {
      if (this.#pending.get(prefix) === lookUp) this.#pending.delete(prefix)
    }
  }

  #discardPending(prefix: string): void {
    const lookUp = this.#pending.get(prefix)
    if (lookUp) lookUp.isOutdated = true
    this.#pending.delete(prefix)
  }

  /** Drops the prefix; with `version`, only if a different version is cached. */
  forget(prefix: string, version?: string): void {
    this.#discardPending(prefix)
    this.#unknownSince.delete(prefix)
    if (version === undefined || this.#cache.peek(prefix)?.version !== version) this.#cache.delete(prefix)
  }

  forgetAll(): void {
    for (const prefix of this.#pending.keys()) this.#discardPending(prefix)
    this.#unknownSince.clear()
    this.#cache.clear()
  }
}

type SecretRow = Pick<Selectable<Schema['key_secrets']>, 'prefix' | 'secret_hash'> &
  Omit<Selectable<Schema['api_keys']>, 'id' | 'updated_at'> &
  Pick<Selectable<Schema['users']>, 'username' | 'disabled_at'> & {
    key_id: string
    secret_expires_at: Date | null
    version: string
  }

export async function lookUpSecret(database: Database, prefix: string): Promise<FoundSecret | undefined> {
  const [row] = await database.query<SecretRow>('key-lookup', [prefix])
  if (!row) return undefined
  const endsAt = Math.min(row.expires_at?.getTime() ?? Infinity, row.secret_expires_at?.getTime() ?? Infinity)
  return {
    key: {
      keyId: row.key_id,
      userId: row.user_id,
      username: row.username,
      name: row.name,
      prefix: row.prefix,
      isGrant: row.oauth_client !== null,
      scopes: toScopes(row.scopes),
      burst: readRate(row.burst),
      sustained: readRate(row.sustained),
      createdAt: row.created_at,
      expiresAt: endsAt === Infinity ? undefined : new Date(endsAt),
      lastUsedAt: row.last_used_at ?? undefined,
    },
    secretHash: row.secret_hash,
    isAllowedFrom: createNetworkCheck(row.networks),
    isRevoked: row.revoked_at !== null,
    isDisabled: row.disabled_at !== null,
    endsAt,
    version: row.version,
  }
}

const scopeSets = new Map<string, ReadonlySet<Scope>>()

/** Shares one Set per combination of scopes: there are few combinations, and very many cached keys. */
function toScopes(written: readonly string[]): ReadonlySet<Scope> {
  const scopes = written.filter(isScope)
  const name = scopes.join(' ')
  const shared = scopeSets.get(name) ?? new Set(scopes)
  scopeSets.set(name, shared)
  return shared
}

const readRate = (text: string | null): Rate | undefined => (text === null ? undefined : parseRate(text))

interface ChangeRow {
  read_at: string
  prefix: string | null
  version: string | null
  /** Differs after an account has been deleted; null if none has. */
  deleted: string | null
}

interface ChangeFeedParts {
  database: Database
  cache: KeyCache
  clock: () => number
}

/**
 * Makes up for lost messages: every few seconds, a node queries which keys have changed since its last query. Times are
 * the database's own, and each query reaches back a minute before the last one, because a change only becomes visible
 * when its transaction commits. The cost depends on the number of recent changes, not on the number of keys.
 */
export function createChangeFeed({ database, cache, clock }: ChangeFeedParts) {
  let readAt = 0
  let readUntil: string | null = null
  let lastDeleted: string | null = null
  return {
    /** When it was last read, by the node's own clock; 0 for never. */
    readAt: () => readAt,
    /** Rejects if the database fails; the next read then reaches further back. */
    async read(): Promise<void> {
      const startedAt = clock()
      const rows = await database.query<ChangeRow>('changed-keys', [readUntil])
      const deleted = rows[0]?.deleted ?? null
      // With that many changes, looking keys up again is cheaper. Before the first read, the age of the cached keys is unknown.
      if (readUntil === null || deleted !== lastDeleted || rows.length >= MAX_CHANGED_KEYS) cache.forgetAll()
      lastDeleted = deleted
      for (const { prefix, version } of rows) if (prefix && version) cache.forget(prefix, version)
      readUntil = rows[0]?.read_at ?? readUntil
      readAt = startedAt
    },
  }
}
