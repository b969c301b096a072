// Passkeys as their user sees them, and as WebAuthn options list them.
import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'

export interface PasskeyRecord {
  id: string
  /** Chosen by the user. */
  name: string
  createdAt: Date
  lastUsedAt: Date | undefined
}

const ID = /^\d{1,18}$/

export async function listPasskeys(db: Kysely<Schema>, userId: string): Promise<PasskeyRecord[]> {
  const rows = await selectPasskeys(db, userId).orderBy('id').execute()
  return rows.map(toRecord)
}

/** One of the user's own. Other users' passkeys are not found. */
export async function findPasskey(
  db: Kysely<Schema>,
  { userId, passkeyId }: { userId: string; passkeyId: string },
): Promise<PasskeyRecord | undefined> {
  if (!ID.test(passkeyId)) return undefined
  const row = await selectPasskeys(db, userId).where('id', '=', passkeyId).executeTakeFirst()
  return row && toRecord(row)
}

/** As WebAuthn options list them. */
export async function credentialsOf(db: Kysely<Schema>, userId: string) {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ credential_id, transports }) => ({
    id: Buffer.from(credential_id).toString('base64url'),
    transports,
  }))
}

const selectPasskeys = (db: Kysely<Schema>, userId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)

type PasskeyRow = Omit<PasskeyRecord, 'lastUsedAt'> & { lastUsedAt: Date | null }

const toRecord = ({ lastUsedAt, ...row }: PasskeyRow): PasskeyRecord => ({
  ...row,
  lastUsedAt: lastUsedAt ?? undefined,
})
