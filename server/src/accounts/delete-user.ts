// Deletes an account with everything it has. The database does most of it: whatever belongs to a user or a key goes with
// it, by the foreign keys of the tables. What has none is deleted here: usage by key, what the authorization server keeps
// before consent, and what Redis has. Events about the account go with it; what its owner did to others stays, without
// the owner's name and network.
//
// Nodes drop the keys and sessions as soon as they hear of it. One that misses the message finds out from the event that
// is recorded here: see the change feed in `keys/key-cache.ts`.
import { type Kysely, sql } from 'kysely'
import type { Actor } from '../audit/audit-event.ts'
import { anonymiseEvents, recordEvent } from '../audit/audit-log.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { announceKeyChange, announceRulesChange, announceUserChange } from '../keys/key-changes.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import { lockUserByName, refuseIfLastAdmin } from './users.ts'

interface OwnedKey {
  id: string
  prefixes: string[]
  client: string | null
}

/** Refuses with 404 if there is no such user, and with 409 to delete the last enabled administrator. */
export async function deleteUser(context: AdminContext, username: string): Promise<void> {
  const { db, changes, forgetShared } = context
  const { userId, keys } = await db.transaction().execute(async (transaction) => {
    const user = await lockUserByName(transaction, username, 'update')
    refuseIfLastAdmin(user)
    const keys = await lockKeys(transaction, user.id)
    await deleteUnreferenced(transaction, user.id, keys)
    await transaction.deleteFrom('users').where('id', '=', user.id).execute()
    await deleteIdleClients(transaction, keys)
    const actor = withoutSelf(context.actor, user.id)
    await recordEvent({ ...context, db: transaction, actor }, { event: 'user-deleted' })
    return { userId: user.id, keys }
  })
  announceUserChange(changes, userId)
  announceKeyChange(
    changes,
    keys.flatMap(({ prefixes }) => prefixes),
  )
  announceRulesChange(changes)
  await forgetShared?.({ userId, keyIds: keys.map(({ id }) => id) })
}

/** In order of id, as everything that writes many keys locks them. */
async function lockKeys(transaction: Kysely<Schema>, userId: string): Promise<OwnedKey[]> {
  const keys = await transaction
    .selectFrom('api_keys')
    .select(['id', 'oauth_client as client'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const secrets = await transaction
    .selectFrom('key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'key_secrets.key_id')
    .select(['key_id', 'prefix'])
    .where('user_id', '=', userId)
    .execute()
  const prefixesOf = Map.groupBy(secrets, ({ key_id }) => key_id)
  return keys.map((key) => ({ ...key, prefixes: prefixesOf.get(key.id)?.map(({ prefix }) => prefix) ?? [] }))
}

/** Deletes or anonymises what the user's row doesn't take with it. */
async function deleteUnreferenced(db: Kysely<Schema>, userId: string, keys: readonly OwnedKey[]): Promise<void> {
  const keyIds = keys.map(({ id }) => id)
  await db.deleteFrom('usage_daily').where(getStatements(db).isAmong('key_id', keyIds)).execute()
  await getStatements(db).deleteOauthStateOf(db, userId)
  await anonymiseEvents(db, userId)
}

const CLIENTS_PER_STATEMENT = 1_000

/** Programs that nobody else has connected. */
async function deleteIdleClients(db: Kysely<Schema>, keys: readonly OwnedKey[]): Promise<void> {
  const clients = [...new Set(keys.flatMap(({ client }) => client ?? []))]
  for (let from = 0; from < clients.length; from += CLIENTS_PER_STATEMENT) {
    const some = sql.join(clients.slice(from, from + CLIENTS_PER_STATEMENT))
    await sql`
      delete from oauth_state as s where model = 'Client' and payload ->> 'client_id' in (${some})
        and not exists (select 1 from api_keys k where k.oauth_client = s.payload ->> 'client_id')`.execute(db)
  }
}

/** Nobody is left who could have done it, if they deleted their own account. */
const withoutSelf = (actor: Actor | undefined, userId: string): Actor | undefined =>
  actor?.userId === userId ? { network: '' } : actor
