// Searches as feeds: a person makes an address that opens one search, and nothing else, for a feed reader. Nobody is signed
// in there, so the address has a secret: a token of its own, which the API doesn't know, and of which the database has the
// hash. What is searched for is encrypted with the instance's secret, for its owner: the list of feeds shows it again.
//
// A feed has no items of its own. A reader that has the current ones is told so for an hour, and nobody is asked; others
// may search, a few times an hour. The times of these searches are in the row, so the limit holds on all nodes.
import type { Selectable } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Schema } from '../store/schema.ts'
import { createEncryption, createKeyedHash } from '../text/cryptography.ts'
import { createOpaqueTokens } from './tokens.ts'

/** The parameters of the search's URL. */
export type FeedSearch = Readonly<Record<string, string>>

export interface Feed {
  id: string
  /** undefined: it was encrypted with another secret of the instance, and its address doesn't work either. */
  search: FeedSearch | undefined
  createdAt: Date
  /** When its address was last asked for. */
  fetchedAt: Date | undefined
}

/** A feed that a reader asks for. */
export interface OpenedFeed {
  id: string
  userId: string
  /** As `site/preferences.ts` writes them; null as long as its owner has chosen none. */
  preferences: string | null
  search: FeedSearch
  /** Of the last few searches, newest first. */
  searchedAt: readonly Date[]
  /** Of what the last search found; '' if it failed. */
  tag: string
}

interface FeedsParts {
  access: AdminContext
  instanceSecret: string
}

type Searches = Pick<Selectable<Schema['feeds']>, 'searched_at' | 'tag'>

export const MAX_FEEDS = 50
/** How long readers needn't ask again. */
export const FEED_LIFE_SECONDS = 3_600
/** In this time: for several readers, and those that don't say what they have. */
export const SEARCHES_PER_LIFE = 4
const LIFE_MS = FEED_LIFE_SECONDS * 1_000

export function createFeeds({ access, instanceSecret }: FeedsParts) {
  const { db, clock, randomBytes } = access
  const tokens = createOpaqueTokens({ instanceSecret, purpose: 'feed', randomBytes })
  const encryption = createEncryption(instanceSecret, 'bowerbird feeds of people', randomBytes)
  const hashItems = createKeyedHash(instanceSecret, 'items of feeds')
  const unseal = (sealed: Uint8Array, userId: string): FeedSearch | undefined => {
    const text = encryption.decrypt(sealed, userId)
    return text && JSON.parse(text.toString())
  }
  /** Returns whether `change` wanted one. */
  const changeSearches = (id: string, change: (now: Searches) => Searches | undefined): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const found = await transaction
        .selectFrom('feeds')
        .select(['searched_at', 'tag'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      const changed = found && change(found)
      if (changed) await transaction.updateTable('feeds').set(changed).where('id', '=', id).execute()
      return changed !== undefined
    })
  return {
    /** Oldest first. */
    async list(userId: string): Promise<Feed[]> {
      const rows = await db.selectFrom('feeds').selectAll().where('user_id', '=', userId).orderBy('id').execute()
      return rows.map(({ id, sealed_search, created_at, fetched_at }) => ({
        id,
        search: unseal(sealed_search, userId),
        createdAt: created_at,
        fetchedAt: fetched_at ?? undefined,
      }))
    },

    /** Returns the token, to be shown once; undefined: they have too many feeds. */
    async create(by: AdminContext, userId: string, search: FeedSearch): Promise<string | undefined> {
      return await by.db.transaction().execute(async (transaction) => {
        // Holds up others of this user, so that they can't pass the limit together.
        await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
        const theirs = await transaction.selectFrom('feeds').select('id').where('user_id', '=', userId).execute()
        if (theirs.length >= MAX_FEEDS) return undefined
        const { token, tokenHash } = tokens.mint()
        const sealed = encryption.encrypt(Buffer.from(JSON.stringify(search)), userId)
        await transaction
          .insertInto('feeds')
          .values({ user_id: userId, token_hash: tokenHash, sealed_search: sealed, created_at: new Date(clock()) })
          .execute()
        await recordEvent({ ...by, db: transaction }, { event: 'feeds-changed', userId })
        return token
      })
    },

    /** The address stops working at once. One of somebody else, or none, is left alone. */
    async remove(by: AdminContext, userId: string, id: string): Promise<void> {
      if (!/^\d{1,18}$/.test(id)) return
      await by.db.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('feeds')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning('id')
          .executeTakeFirst()
        if (removed) await recordEvent({ ...by, db: transaction }, { event: 'feeds-changed', userId })
      })
    },

    /**
     * Notes that it was asked for. Undefined for a token that isn't ours, whose feed is gone, or whose owner is disabled.
     * A token that was made up is never looked up.
     */
    async open(token: string): Promise<OpenedFeed | undefined> {
      const tokenHash = tokens.hash(token)
      if (!tokenHash) return undefined
      const row = await db
        .selectFrom('feeds')
        .innerJoin('users', 'users.id', 'feeds.user_id')
        .select(['feeds.id', 'user_id', 'sealed_search', 'searched_at', 'tag', 'users.preferences'])
        .where('feeds.token_hash', '=', tokenHash)
        .where('users.disabled_at', 'is', null)
        .executeTakeFirst()
      if (!row) return undefined
      await db
        .updateTable('feeds')
        .set({ fetched_at: new Date(clock()) })
        .where('id', '=', row.id)
        .execute()
      const search = unseal(row.sealed_search, row.user_id)
      if (!search) return undefined
      const { id, user_id: userId, searched_at: searchedAt, tag, preferences } = row
      return { id, userId, preferences, search, searchedAt, tag }
    },

    /** The tag of what the last search found, while nobody needs to search again. */
    currentTag({ searchedAt: [last], tag }: OpenedFeed): string | undefined {
      return last && tag !== '' && clock() - last.getTime() < LIFE_MS ? tag : undefined
    },

    /** Before a search: 0 if it may be made, otherwise the seconds to wait. */
    async claimSearch({ id, searchedAt }: OpenedFeed): Promise<number> {
      const now = clock()
      const isClaimed = await changeSearches(id, ({ searched_at: times }) => {
        const oldest = times[SEARCHES_PER_LIFE - 1]
        if (oldest && oldest.getTime() > now - LIFE_MS) return undefined
        return { searched_at: [new Date(now), ...times].slice(0, SEARCHES_PER_LIFE), tag: '' }
      })
      if (isClaimed) return 0
      const oldest = searchedAt[SEARCHES_PER_LIFE - 1]?.getTime() ?? now
      return Math.max(1, Math.ceil((oldest + LIFE_MS - now) / 1_000))
    },

    /** Undoes the claim of a search that was not made. */
    async returnSearch({ id, tag }: OpenedFeed): Promise<void> {
      await changeSearches(id, (now) => (now.tag === '' ? { searched_at: now.searched_at.slice(1), tag } : undefined))
    },

    /** After a search: the tag of what it found, in any format. */
    async noteFound({ id }: OpenedFeed, items: string): Promise<string> {
      // Keyed, so that nobody can find out from the row alone what was found.
      const tag = `W/"${hashItems(items)}"`
      await db.updateTable('feeds').set({ tag }).where('id', '=', id).execute()
      return tag
    },
  }
}
