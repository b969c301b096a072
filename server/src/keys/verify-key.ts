// Verifies a presented key. A cached key is checked in memory, without waiting; any other costs one query. Two things
// keep the cache fresh: messages name the keys that changed, and the change feed is read every few seconds in case
// messages were lost. If neither the key nor the feed could be read for ten minutes, a cached key is no longer trusted.
// While the database is down, a key that isn't cached is `unavailable`: it may be valid.
import { timingSafeEqual } from 'node:crypto'
import type { Log } from '../log.ts'
import { repeat } from '../repeat.ts'
import type { Database } from '../store/database.ts'
import { WriteBehind } from '../store/write-behind.ts'
import { type CachedSecret, createChangeFeed, KeyCache, lookUpSecret, type VerifiedKey } from './key-cache.ts'
import { type ChangeBus, prefixesIn } from './key-changes.ts'
import { hashSecret, type KeyParts, readKey } from './key-format.ts'

/**
 * malformed    not a key at all, or one with a typo
 * unknown      no such prefix, or the wrong secret
 * expired      the key has expired, or its grace period after a rotation is over
 * disabled     a valid key of a disabled account
 * network      a valid key that is restricted to other networks
 * unavailable  the database is unavailable and the key is not cached
 */
type KeyFault = 'malformed' | 'unknown' | 'revoked' | 'expired' | 'disabled' | 'network' | 'unavailable'

export type { VerifiedKey }
export type KeyVerdict = { ok: true; key: VerifiedKey } | { ok: false; reason: KeyFault }

export interface KeyVerifier {
  /** The hot path: returns the verdict from memory. If that is undefined, call `verify`. `address`: the client's. */
  verifyCached: (presented: string, address: string) => KeyVerdict | undefined
  /** Never rejects. */
  verify: (presented: string, address: string) => Promise<KeyVerdict>
  /** For the metrics: cache hits and misses, and whether the last database read succeeded. */
  state: () => { hits: number; misses: number; isDatabaseUp: boolean }
  /** Starts reading the change feed and writing last uses. */
  start: () => void
  /** Stops them, after a last write. */
  stop: () => Promise<void>
}

interface KeyVerifierParts {
  database: Database
  /** Milliseconds since 1970. */
  clock: () => number
  random: () => number
  changes: ChangeBus
  log: Log
  refreshMs?: number
  cacheBytes?: number
}

const REFRESH_MS = 3_000
const TRUSTED_FOR_MS = 10 * 60_000
const MINUTE_MS = 60_000
const WRITE_USES_EVERY_MS = 25_000
const USES_PER_WRITE = 1_000
/** Reached only if keys can be read but their uses can't be written; the dates aren't worth more memory than this. */
const MAX_UNWRITTEN_USES = 200_000

const refused = (reason: KeyFault): KeyVerdict => ({ ok: false, reason })

export function createKeyVerifier(parts: KeyVerifierParts): KeyVerifier {
  const { database, clock, random, changes } = parts
  const databaseStatus = createDatabaseStatus(parts.log)
  const cache = new KeyCache((prefix) => lookUpSecret(database, prefix), parts.cacheBytes)
  const feed = createChangeFeed({ database, cache, clock })
  const lastUsed = createLastUsed(database, parts.log)
  let stopReading = () => Promise.resolve()
  const lookUps = { hits: 0, misses: 0 }

  forgetChangedKeys(changes, cache)

  function judge(found: CachedSecret, presented: PresentedKey, now: number): KeyVerdict {
    const fault = findFault(found, presented, now)
    if (fault) return fault
    const { keyId, lastUsedAt } = found.key
    if (lastUsedAt === undefined || now - lastUsedAt.getTime() >= MINUTE_MS) {
      lastUsed.put(keyId, { keyId, at: now })
      found.key = { ...found.key, lastUsedAt: new Date(now) }
    }
    return { ok: true, key: found.key }
  }

  function recall(key: PresentedKey, now: number): KeyVerdict | undefined {
    const found = cache.recall(key.prefix, now)
    if (!found) return found === null ? refused('unknown') : undefined
    const isTrusted = now - Math.max(found.readAt, feed.readAt()) <= TRUSTED_FOR_MS
    return isTrusted ? judge(found, key, now) : undefined
  }

  async function lookUp(key: PresentedKey): Promise<KeyVerdict> {
    let found: CachedSecret | undefined
    try {
      found = await cache.lookUp(key.prefix, clock())
    } catch (error) {
      databaseStatus.failed(error)
      return refused('unavailable')
    }
    databaseStatus.succeeded()
    return found ? judge(found, key, clock()) : refused('unknown')
  }

  const readFeed = () => feed.read().then(databaseStatus.succeeded, databaseStatus.failed)

  return {
    verifyCached(presented, address) {
      const verdict = withKey(presented, address, (key) => recall(key, clock()))
      lookUps[verdict ? 'hits' : 'misses']++
      return verdict
    },
    verify: async (presented, address) =>
      await withKey(presented, address, (key) => recall(key, clock()) ?? lookUp(key)),
    state: () => ({ ...lookUps, isDatabaseUp: !databaseStatus.isAway() }),
    start() {
      stopReading = repeat({ everyMs: parts.refreshMs ?? REFRESH_MS, random, work: readFeed })
      lastUsed.start()
    },
    async stop() {
      await stopReading()
      await lastUsed.stop()
    },
  }
}

interface PresentedKey extends KeyParts {
  /** The client's. */
  address: string
}

function withKey<Result>(
  presented: string,
  address: string,
  judge: (key: PresentedKey) => Result,
): Result | KeyVerdict {
  const key = readKey(presented)
  return key ? judge({ ...key, address }) : refused('malformed')
}

function forgetChangedKeys(changes: ChangeBus, cache: KeyCache): void {
  changes.subscribe((message) => {
    for (const prefix of prefixesIn(message)) cache.forget(prefix)
  })
}

function findFault(found: CachedSecret, { secret, address }: PresentedKey, now: number): KeyVerdict | undefined {
  if (!timingSafeEqual(hashSecret(secret), found.secretHash)) return refused('unknown')
  if (found.isRevoked) return refused('revoked')
  if (found.endsAt <= now) return refused('expired')
  if (found.isDisabled) return refused('disabled')
  return found.isAllowedFrom?.(address) === false ? refused('network') : undefined
}

/** Logs once when the database becomes unavailable and once when it is back, however many requests are affected. */
function createDatabaseStatus(log: Log) {
  let isAway = false
  return {
    isAway: () => isAway,
    succeeded: () => {
      if (isAway) log.info('the database is available again; accepting all keys')
      isAway = false
    },
    failed: (error: unknown) => {
      if (!isAway)
        log.warn({ err: new Error('the database is unavailable; accepting cached keys only', { cause: error }) })
      isAway = true
    },
  }
}

/**
 * Records when each key was last used, to the minute. Uses are written later, in batches: no request waits for this or
 * fails because of it. Only the latest use of each key is kept for writing.
 */
const createLastUsed = (database: Database, log: Log): WriteBehind<{ keyId: string; at: number }> =>
  new WriteBehind({
    name: 'the last use of keys',
    everyMs: WRITE_USES_EVERY_MS,
    log,
    rowsPerWrite: USES_PER_WRITE,
    maxRows: MAX_UNWRITTEN_USES,
    async write(uses) {
      const rows = uses.map(({ keyId, at }) => ({ id: keyId, used_at: new Date(at) }))
      await database.query('write-uses', [JSON.stringify(rows)])
    },
  })
