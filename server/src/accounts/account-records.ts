// What an account has in the tables of accounts, for its owner to take away: no hash and no secret.
import type { AdminContext } from '../keys/admin-context.ts'

export async function readAccountRecords({ db }: AdminContext, userId: string) {
  const user = await db
    .selectFrom('users')
    .select(['username', 'is_admin', 'created_at', 'preferences', 'password_is_temporary'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const [sessions, passkeys, identities, factor, codes, invitations] = await Promise.all([
    db
      .selectFrom('sessions')
      .select(['browser', 'created_at', 'last_seen_at', 'expires_at', 'signed_in_by'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('passkeys')
      .select(['name', 'transports', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('identities')
      .select(['issuer', 'subject', 'grants_admin', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    db.selectFrom('second_factors').select('confirmed_at').where('user_id', '=', userId).executeTakeFirst(),
    db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', userId).execute(),
    db
      .selectFrom('invitations')
      .select(['is_admin', 'created_at', 'expires_at'])
      .where('invited_by', '=', userId)
      .orderBy('id')
      .execute(),
  ])
  const { preferences, ...account } = user
  return {
    account,
    preferences,
    sessions,
    passkeys,
    identities,
    second_factor: { app_since: factor?.confirmed_at ?? null, recovery_codes_left: codes.length },
    invitations,
  }
}
