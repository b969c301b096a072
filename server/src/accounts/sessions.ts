// Sessions of signed-in users: an opaque token in the browser and a row in the database that expires 30 days after the
// last visit, and 90 days after sign-in at the latest (or as configured). Look-ups are cached for a few seconds, so a
// page costs one statement at most. Signing out, disabling an account and changing a password take effect immediately
// on this node and, as long as messages arrive, on the others; without messages, as soon as their cache entries are too
// old. While the database is unavailable, recently seen users stay signed in.
//
// Nobody stays signed in with an old password: starting a session requires the lock on the user's row, and taking
// something away from a user (the password, the account) writes that row first and ends the sessions afterwards. So no
// session can slip in between.
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import { announceUserChange, subscribeToUserChanges } from '../keys/key-changes.ts'
import { atMost } from '../lru-bounds.ts'
import type { Database } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'
import { type AccountParts, accessBy, isSecondFactorRequired, type Member } from './account-parts.ts'

interface SessionViewer {
  sessionId: string
  userId: string
  username: string
  isAdmin: boolean
  /** When they last proved who they are, by signing in or when asked again, in milliseconds since 1970. */
  confirmedAt: number | undefined
  /** Whether they must set up a second factor, because they need one and have none. */
  mustEnrol: boolean
  /** `oidc:<provider>` or `header`; null: they signed in with what the account has here. */
  signedInBy: string | null
  /** As `site/preferences.ts` writes them; null as long as they have chosen none. */
  preferences: string | null
}

/** What a browser gets when a session starts: the session's token, and the one by which the device is known later. */
export interface StartedSession {
  session: string
  device: string
}

/** A session as its user sees it in a list. */
export interface SessionRecord {
  id: string
  /** A short description, or '' if the browser sent none. */
  browser: string
  createdAt: Date
  /** To the minute. */
  lastSeenAt: Date
}

interface SessionsParts extends AccountParts {
  database: Database
}

const DAY_MS = 86_400_000
/** Counted from the last visit. */
export const SESSION_MS = 30 * DAY_MS
/** One more sign-in ends the least recently seen session. */
const MAX_SESSIONS_PER_USER = 100
const CACHED_MS = 5_000
/** How long cached sessions are trusted while the database is unavailable: as long as cached keys. */
const TRUSTED_MS = 600_000
const UNAVAILABLE = 'Sign-in is temporarily unavailable. Try again in a few seconds.'
const MAX_CACHED_SESSIONS = 5_000
const RECORD_VISIT_EVERY_MS = 60_000
const MAX_LISTED_SESSIONS = 100
const MAX_USER_AGENT_LENGTH = 400
const MAX_BROWSER_LENGTH = 60

type SessionRow = Omit<SessionViewer, 'confirmedAt' | 'mustEnrol'> & { confirmedAt: Date | null; hasFactor: boolean }

export class Sessions {
  readonly #parts: SessionsParts
  readonly #cache: ReturnType<typeof createSessionCache>

  constructor(parts: SessionsParts) {
    this.#parts = parts
    this.#cache = createSessionCache(parts.access.clock)
    subscribeToUserChanges(parts.access.changes, this.#cache.forgetUser)
  }

  /**
   * Undefined for a token that is wrong, ended or expired, and for a disabled user. Refuses with 503 if it cannot be
   * checked.
   */
  readonly find = async (token: string): Promise<SessionViewer | undefined> => {
    const tokenHash = this.#parts.tokens.session.hash(token)
    if (!tokenHash) return undefined
    const name = tokenHash.toString('base64')
    const cached = this.#cache.recall(name)
    if (cached) return cached
    const keep = this.#cache.begin(name)
    try {
      return keep(await this.#lookUp(tokenHash))
    } catch (error) {
      this.#parts.access.log.warn({ err: new Error('could not look up a session', { cause: error }) })
      const known = this.#cache.recall(name, TRUSTED_MS)
      if (known) return known
      throw new Refusal('storage_unavailable', UNAVAILABLE, { 'Retry-After': '5' })
    }
  }

  async #lookUp(tokenHash: Buffer): Promise<SessionViewer | undefined> {
    const now = this.#parts.access.clock()
    const moments = [now, now + SESSION_MS, now - RECORD_VISIT_EVERY_MS, this.#oldestStart()]
    const values = [tokenHash, ...moments.map((moment) => new Date(moment))]
    const [row] = await this.#parts.database.query<SessionRow>('find-session', values)
    if (!row) return undefined
    const { confirmedAt, hasFactor, ...viewer } = row
    // How strongly people sign in elsewhere is for the operator to set there.
    const isVouchedFor = viewer.signedInBy !== null
    const mustEnrol = !hasFactor && !isVouchedFor && isSecondFactorRequired(this.#parts.policy, viewer.isAdmin)
    return { ...viewer, confirmedAt: confirmedAt?.getTime(), mustEnrol }
  }

  /** Sessions started before this have ended. */
  #oldestStart(): number {
    return this.#parts.access.clock() - this.#parts.policy.sessionMaxDays * DAY_MS
  }

  /** Most recently seen first. */
  async list(userId: string): Promise<SessionRecord[]> {
    const { db, clock } = this.#parts.access
    return await db
      .selectFrom('sessions')
      .select(['id', 'browser', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
      .where('user_id', '=', userId)
      .where('expires_at', '>', new Date(clock()))
      .where('created_at', '>', new Date(this.#oldestStart()))
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_LISTED_SESSIONS)
      .execute()
  }

  /** Signs out. A session that has already ended is not an error. */
  end(member: Member, sessionId: string): Promise<void> {
    return this.#endOne(member, sessionId, 'sign-out')
  }

  /** Ends another of the user's own sessions. Other users' sessions are left alone. */
  endElsewhere(member: Member, sessionId: string): Promise<void> {
    return this.#endOne(member, sessionId, 'session-ended')
  }

  async #endOne(member: Member, sessionId: string, event: 'sign-out' | 'session-ended'): Promise<void> {
    if (!/^\d{1,18}$/.test(sessionId)) return
    const { userId } = member
    const { db, changes } = this.#parts.access
    await db.transaction().execute(async (transaction) => {
      const ended = await transaction
        .deleteFrom('sessions')
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst()
      if (ended) await recordEvent(accessBy(this.#parts, member, transaction), { event, userId })
    })
    announceUserChange(changes, userId)
  }

  async endAll(member: Member): Promise<void> {
    const { userId } = member
    const { db, changes } = this.#parts.access
    await db.transaction().execute(async (transaction) => {
      await dropSessions(transaction, userId)
      await recordEvent(accessBy(this.#parts, member, transaction), { event: 'all-sessions-ended', userId })
    })
    announceUserChange(changes, userId)
  }

  /** Deletes expired sessions, sign-in tickets, passkey challenges and invitations. They no longer work anyway. */
  readonly removeExpired = async (): Promise<void> => {
    const { db, clock } = this.#parts.access
    const now = new Date(clock())
    const oldestStart = new Date(this.#oldestStart())
    await db
      .deleteFrom('sessions')
      .where((where) => where.or([where('expires_at', '<=', now), where('created_at', '<=', oldestStart)]))
      .execute()
    await db.deleteFrom('sign_in_tickets').where('expires_at', '<=', now).execute()
    await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
    await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
  }
}

/** The result of a look-up during which a change arrives still serves the page that waits for it, but isn't cached. */
function createSessionCache(clock: () => number) {
  const found = new LRUCache<string, { viewer: SessionViewer; readAt: number }>(atMost(MAX_CACHED_SESSIONS))
  let changeCount = 0
  return {
    recall(name: string, maxAgeMs = CACHED_MS): SessionViewer | undefined {
      const entry = found.get(name)
      // An entry is also too old if the clock was set back.
      return entry && Math.abs(clock() - entry.readAt) < maxAgeMs ? entry.viewer : undefined
    },
    /** Call it before a look-up; the returned function caches the result. */
    begin(name: string) {
      const [readAt, countBefore] = [clock(), changeCount]
      return (viewer: SessionViewer | undefined): SessionViewer | undefined => {
        if (viewer && changeCount === countBefore) found.set(name, { viewer, readAt })
        return viewer
      }
    },
    forgetUser: (userId: string): void => {
      changeCount++
      const theirs = [...found.entries()].filter(([, { viewer }]) => viewer.userId === userId)
      for (const [name] of theirs) found.delete(name)
    },
  }
}

/**
 * `db` is a transaction that holds the user's row. The user has just proved who they are with everything that the account
 * requires, so sensitive changes needn't be confirmed for a while. The tokens are always new. Every way in has refused
 * services before; none gets past this.
 */
export async function addSession(
  { access, tokens }: Pick<AccountParts, 'access' | 'tokens'>,
  db: Kysely<Schema>,
  { userId, userAgent, signedInBy = null }: { userId: string; userAgent: string; signedInBy?: string | null },
): Promise<StartedSession> {
  const { token, tokenHash } = tokens.session.mint()
  const now = access.clock()
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (older) =>
      older
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        // SQLite wants to know how many.
        .limit(MAX_SESSIONS_PER_USER)
        .offset(MAX_SESSIONS_PER_USER - 1),
    )
    .execute()
  await db
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      browser: await describeBrowser(userAgent),
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
      confirmed_at: new Date(now),
      signed_in_by: signedInBy,
    })
    .execute()
  const { passwordHash } = await db
    .selectFrom('users')
    .select('password_hash as passwordHash')
    .where('id', '=', userId)
    .where('is_service', '=', false)
    .executeTakeFirstOrThrow()
  return { session: token, device: tokens.device.mint({ id: userId, passwordHash }) }
}

/** Ends all of a user's sessions and half-finished sign-ins. Announce it after the commit. */
export async function dropSessions(transaction: Kysely<Schema>, userId: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('sign_in_tickets').where('user_id', '=', userId).execute()
}

/**
 * Names the browser and the system, which is enough to recognise your own devices. Versions and models would identify
 * users.
 */
export async function describeBrowser(userAgent: string): Promise<string> {
  if (userAgent === '') return ''
  const { default: bowser } = await import('bowser')
  const { browser, os } = bowser.parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH))
  const words = [browser.name, os.name].filter(Boolean).join(', ')
  return words.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_BROWSER_LENGTH)
}
