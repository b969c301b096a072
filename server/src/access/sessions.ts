// Who is signed in. A session is an opaque token in the browser and a row in PostgreSQL that ends 30 days after the last
// visit. What was found is remembered for a few seconds, so a page costs one statement at most. A sign-out, a disabling
// and a new password are heard of at once on this node and, while messages arrive, on the others; without messages
// they hold there once what is remembered is old. While PostgreSQL is away, who was seen lately stays signed in.
import { LRUCache } from 'lru-cache'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database, NamedStatement } from '../state/database.ts'
import type { AccessContext } from './access-context.ts'
import { hashToken } from './opaque-token.ts'
import { repeat } from '../repeat.ts'
import { dropSessions, SESSION_MS } from '../accounts/session-rows.ts'
import { announceUserChange, hearUserChanges } from '../accounts/user-changes.ts'

export interface SessionViewer {
  sessionId: string
  userId: string
  username: string
  isAdmin: boolean
}

/** A session as its user sees it in a list. */
export interface SessionRecord {
  id: string
  /** In a few words, or '' when the browser did not say. */
  browser: string
  createdAt: Date
  /** To the minute. */
  lastSeenAt: Date
}

export interface Sessions {
  /** Undefined for a token that is wrong, ended or expired, and for a disabled user. Refuses with 503 when nobody knows. */
  find: (token: string) => Promise<SessionViewer | undefined>
  /** Last seen first. */
  list: (userId: string) => Promise<SessionRecord[]>
  /** Signs out. A token that opens nothing is not an error. */
  end: (token: string) => Promise<void>
  /** One of the user's own, by its id. Somebody else's stays. */
  endOne: (userId: string, sessionId: string) => Promise<void>
  endAll: (userId: string) => Promise<void>
  /** Begins to remove what has expired, now and then. */
  start: () => void
  stop: () => Promise<void>
}

interface SessionsParts {
  access: AccessContext
  database: Database
  random: () => number
  log: Log
}

const REMEMBERED_MS = 5_000
/** While PostgreSQL is away: as long as a key that is in use. */
const TRUSTED_MS = 600_000
const NOBODY_KNOWS = 'Nobody can be recognised right now. Try again in a few seconds.'
const MOST_REMEMBERED = 5_000
const SEEN_EVERY_MS = 60_000
const CLEAN_EVERY_MS = 3_600_000
const MOST_LISTED = 100

/** Looks the session up and, once a minute, notes the visit, in one statement of look-ups by key. */
const FIND_SESSION: NamedStatement = {
  name: 'find-session',
  text: `
    with seen as (
      update sessions s
      set last_seen_at = $2::timestamptz, expires_at = $3::timestamptz
      from users u
      where s.token_hash = $1 and s.expires_at > $2::timestamptz and s.last_seen_at <= $4::timestamptz
        and u.id = s.user_id and u.disabled_at is null
    )
    select s.id as session_id, u.id as user_id, u.username, u.is_admin
    from sessions s
    join users u on u.id = s.user_id
    where s.token_hash = $1 and s.expires_at > $2::timestamptz and u.disabled_at is null`,
}

interface SessionRow {
  session_id: string
  user_id: string
  username: string
  is_admin: boolean
}

export function createSessions(parts: SessionsParts): Sessions {
  const { access, log } = parts
  const { db, clock, changes } = access
  const memory = createMemory(clock)
  hearUserChanges(changes, memory.forgetUser)
  let stopCleaning: (() => Promise<void>) | undefined

  return {
    async find(token) {
      const tokenHash = hashToken(token)
      if (!tokenHash) return undefined
      const name = tokenHash.toString('base64')
      const remembered = memory.recall(name)
      if (remembered) return remembered
      const keep = memory.begin(name)
      try {
        return keep(await lookUp(parts.database, tokenHash, clock()))
      } catch (error) {
        log.warn({ err: new Error('a session could not be looked up', { cause: error }) })
        const known = memory.recall(name, TRUSTED_MS)
        if (known) return known
        throw new Refusal(503, NOBODY_KNOWS, { 'Retry-After': '5' })
      }
    },
    list: (userId) => listSessions(access, userId),
    async end(token) {
      const tokenHash = hashToken(token)
      if (!tokenHash) return
      const ended = await db
        .deleteFrom('sessions')
        .where('token_hash', '=', tokenHash)
        .returning('user_id')
        .executeTakeFirst()
      if (ended) announceUserChange(changes, ended.user_id)
    },
    async endOne(userId, sessionId) {
      if (!/^\d{1,18}$/.test(sessionId)) return
      await db.deleteFrom('sessions').where('id', '=', sessionId).where('user_id', '=', userId).execute()
      announceUserChange(changes, userId)
    },
    async endAll(userId) {
      await dropSessions(db, userId)
      announceUserChange(changes, userId)
    },
    start() {
      const clean = () =>
        removeExpired(access).catch((error: unknown) =>
          log.warn({ err: new Error('expired sessions could not be removed', { cause: error }) }),
        )
      stopCleaning = repeat({ everyMs: CLEAN_EVERY_MS, random: parts.random, work: clean })
    },
    stop: async () => await stopCleaning?.(),
  }
}

async function lookUp(database: Database, tokenHash: Buffer, now: number): Promise<SessionViewer | undefined> {
  const moments = [now, now + SESSION_MS, now - SEEN_EVERY_MS].map((moment) => new Date(moment).toISOString())
  const [row] = await database.query<SessionRow>(FIND_SESSION, [tokenHash, ...moments])
  return row && { sessionId: row.session_id, userId: row.user_id, username: row.username, isAdmin: row.is_admin }
}

async function listSessions({ db, clock }: AccessContext, userId: string): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'browser', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(clock()))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(({ id, browser, created_at, last_seen_at }) => ({
    id,
    browser,
    createdAt: created_at,
    lastSeenAt: last_seen_at,
  }))
}

async function removeExpired({ db, clock }: AccessContext): Promise<void> {
  const now = new Date(clock())
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_in_tickets').where('expires_at', '<=', now).execute()
}

/** A look-up that a change overtakes still serves the page that waits for it, but is not remembered. */
function createMemory(clock: () => number) {
  const found = new LRUCache<string, { viewer: SessionViewer; readAt: number }>({ max: MOST_REMEMBERED })
  let changesHeard = 0
  return {
    recall(name: string, maxAgeMs = REMEMBERED_MS): SessionViewer | undefined {
      const entry = found.get(name)
      // A clock that was set back makes an entry old as well.
      return entry && Math.abs(clock() - entry.readAt) < maxAgeMs ? entry.viewer : undefined
    },
    begin(name: string) {
      const [readAt, heardBefore] = [clock(), changesHeard]
      return (viewer: SessionViewer | undefined): SessionViewer | undefined => {
        if (viewer && changesHeard === heardBefore) found.set(name, { viewer, readAt })
        return viewer
      }
    },
    forgetUser: (userId: string): void => {
      changesHeard++
      const theirs = [...found.entries()].filter(([, { viewer }]) => viewer.userId === userId)
      for (const [name] of theirs) found.delete(name)
    },
  }
}
