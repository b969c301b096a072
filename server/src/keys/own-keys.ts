// The keys of one user, for that user alone. Somebody else's key is answered as one that does not exist, so that nobody
// learns even of its existence.
import { Refusal } from '../errors.ts'
import type { AccessContext } from '../access/access-context.ts'
import { type KeyRecord, readKeyRecord } from './key-records.ts'
import { type IssuedKey, revokeKey, rotateKey } from './keys.ts'

/** Which key, by its id, and who says that it is theirs. */
export interface OwnKey {
  userId: string
  keyId: string
}

export async function findOwnKey(
  { db, clock }: AccessContext,
  { userId, keyId }: OwnKey,
): Promise<KeyRecord | undefined> {
  const row = /^\d{1,18}$/.test(keyId)
    ? await db.selectFrom('api_keys').select('user_id').where('id', '=', keyId).executeTakeFirst()
    : undefined
  return row?.user_id === userId ? await readKeyRecord(db, keyId, clock()) : undefined
}

export async function rotateOwnKey(
  context: AccessContext,
  own: OwnKey,
  { graceSeconds }: { graceSeconds: number },
): Promise<IssuedKey> {
  return await rotateKey(context, { key: await idOf(context, own), graceSeconds })
}

export async function revokeOwnKey(context: AccessContext, own: OwnKey): Promise<KeyRecord> {
  return await revokeKey(context, await idOf(context, own))
}

async function idOf(context: AccessContext, own: OwnKey): Promise<string> {
  const key = await findOwnKey(context, own)
  if (!key) throw new Refusal(404, 'You have no such key.')
  return key.id
}
