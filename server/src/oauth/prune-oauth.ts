// Deletes what the authorization server no longer needs, and revokes the keys of programs that can't come back: their
// refresh token has expired, or they never fetched one.
import { type Kysely, sql } from 'kysely'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'

const HOUR_MS = 3_600_000
/** A client that comes back late is told that its token has expired, not that there never was such a key. */
const EXPIRED_TOKENS_MS = 7 * 24 * HOUR_MS

export async function pruneOauth(db: Kysely<Schema>, now: number): Promise<void> {
  const at = new Date(now)
  const before = (ms: number): Date => new Date(now - ms)
  // A client stays for as long as someone has it connected.
  await sql`
    delete from oauth_state as s where expires_at < ${at} and not (model = 'Client' and exists (
      select 1 from api_keys k where k.oauth_client = s.payload ->> 'client_id' and k.revoked_at is null))`.execute(db)
  await sql`
    delete from key_secrets
    where expires_at < ${before(EXPIRED_TOKENS_MS)}
      and key_id in (select id from api_keys where oauth_client is not null)`.execute(db)
  await sql`
    update api_keys as k set revoked_at = ${at}, updated_at = ${getStatements(db).nextUpdatedAt}
    where oauth_client is not null and revoked_at is null and created_at < ${before(HOUR_MS)}
      and not exists (select 1 from oauth_state s where s.key_id = k.id)
      and not exists (select 1 from key_secrets s where s.key_id = k.id and s.expires_at > ${at})`.execute(db)
}
