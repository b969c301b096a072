// Whether a presented key is good. A warm key is judged in memory, without waiting; a cold one costs one statement.
// What is warm stays true in two ways: messages name what changed, and the change feed is read every few seconds for
// messages that were lost. When neither a look-up of the key nor the feed has been possible for ten minutes, a warm key
// is no longer trusted. While the database is away, an unknown key is `unavailable`: nobody can say that it is wrong.
import { timingSafeEqual } from 'node:crypto'
import type { Log } from '../log.ts'
import type { Database } from '../state/database.ts'
import { createChangeFeed } from './change-feed.ts'
import { findSecret, type VerifiedKey } from './key-lookup.ts'
import { type KeyChanges, readChange } from './key-changes.ts'
import { hashSecret, type KeyParts, readKey } from './key-format.ts'
import { createLastUsed } from './last-used.ts'
import { repeat } from '../repeat.ts'
import { createWarmKeys, type WarmSecret } from './key-cache.ts'

/**
 * malformed    not a key at all, or one with a typo
 * unknown      no such prefix, or not its secret
 * expired      the key's own end, or the end of the grace after a rotation
 * disabled     a good key of a disabled account
 * unavailable  the database is away and the key is not warm
 */
type KeyFault = 'malformed' | 'unknown' | 'revoked' | 'expired' | 'disabled' | 'unavailable'

export type { VerifiedKey }
export type KeyVerdict = { ok: true; key: VerifiedKey } | { ok: false; reason: KeyFault }

export interface KeyVerifier {
  /** For the hot path: the verdict when memory can give it, else undefined; then ask `verify`. */
  verifyWarm: (presented: string) => KeyVerdict | undefined
  /** Never rejects. */
  verify: (presented: string) => Promise<KeyVerdict>
  /** Begins reading the change feed and writing last uses. */
  start: () => void
  /** Ends both, after a last writing. */
  stop: () => Promise<void>
}

interface KeyVerifierParts {
  database: Database
  /** Milliseconds since 1970. */
  clock: () => number
  random: () => number
  changes: KeyChanges
  log: Log
  refreshMs?: number
}

const REFRESH_MS = 3_000
const WRITE_USES_MS = 25_000
const TRUSTED_FOR_MS = 10 * 60_000
const MINUTE_MS = 60_000

const MALFORMED: KeyVerdict = { ok: false, reason: 'malformed' }
const UNKNOWN: KeyVerdict = { ok: false, reason: 'unknown' }
const REVOKED: KeyVerdict = { ok: false, reason: 'revoked' }
const EXPIRED: KeyVerdict = { ok: false, reason: 'expired' }
const DISABLED: KeyVerdict = { ok: false, reason: 'disabled' }
const UNAVAILABLE: KeyVerdict = { ok: false, reason: 'unavailable' }

export function createKeyVerifier(parts: KeyVerifierParts): KeyVerifier {
  const { database, clock, random, changes } = parts
  const contact = createContactLog(parts.log)
  const warm = createWarmKeys((prefix) => findSecret(database, prefix))
  const feed = createChangeFeed({ database, warm, clock })
  const lastUsed = createLastUsed(database)
  let stopWork: (() => Promise<void>)[] = []

  changes.subscribe((message) => {
    for (const prefix of readChange(message)) warm.forget(prefix)
  })

  function judge(found: WarmSecret, secret: string, now: number): KeyVerdict {
    const fault = findFault(found, secret, now)
    if (fault) return fault
    const { keyId, lastUsedAt } = found.key
    if (lastUsedAt === undefined || now - lastUsedAt.getTime() >= MINUTE_MS) {
      lastUsed.note(keyId, now)
      found.key = { ...found.key, lastUsedAt: new Date(now) }
    }
    return { ok: true, key: found.key }
  }

  function recall({ prefix, secret }: KeyParts, now: number): KeyVerdict | undefined {
    const found = warm.recall(prefix, now)
    if (!found) return found === null ? UNKNOWN : undefined
    const isTrusted = now - Math.max(found.readAt, feed.readAt()) <= TRUSTED_FOR_MS
    return isTrusted ? judge(found, secret, now) : undefined
  }

  async function lookUp({ prefix, secret }: KeyParts): Promise<KeyVerdict> {
    let found: WarmSecret | undefined
    try {
      found = await warm.lookUp(prefix, clock())
    } catch (error) {
      contact.failed(error)
      return UNAVAILABLE
    }
    contact.succeeded()
    return found ? judge(found, secret, clock()) : UNKNOWN
  }

  const readFeed = () => feed.read().then(contact.succeeded, contact.failed)
  const writeUses = () => lastUsed.write().catch(contact.failed)

  return {
    verifyWarm(presented) {
      const key = readKey(presented)
      return key ? recall(key, clock()) : MALFORMED
    },
    async verify(presented) {
      const key = readKey(presented)
      return key ? (recall(key, clock()) ?? lookUp(key)) : MALFORMED
    },
    start() {
      stopWork = [
        repeat({ everyMs: parts.refreshMs ?? REFRESH_MS, random, work: readFeed }),
        repeat({ everyMs: WRITE_USES_MS, random, work: writeUses }),
      ]
    },
    async stop() {
      await Promise.all(stopWork.map((stop) => stop()))
      await writeUses()
    },
  }
}

function findFault(found: WarmSecret, secret: string, now: number): KeyVerdict | undefined {
  if (!timingSafeEqual(hashSecret(secret), found.secretHash)) return UNKNOWN
  if (found.isRevoked) return REVOKED
  if (found.endsAt <= now) return EXPIRED
  return found.isDisabled ? DISABLED : undefined
}

/** Says once that the database is away and once that it is back, however many requests notice. */
function createContactLog(log: Log) {
  let isAway = false
  return {
    succeeded: () => {
      if (isAway) log.info('the database is back; keys are read again')
      isAway = false
    },
    failed: (error: unknown) => {
      if (!isAway) log.warn({ err: new Error('the database is away; only warm keys are accepted', { cause: error }) })
      isAway = true
    },
  }
}
