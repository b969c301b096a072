// A user's access to their own keys. Another user's key is treated as missing, so that its existence isn't revealed.
import { Refusal } from '../errors.ts'
import type { AccessContext } from './admin-context.ts'
import { type KeyRecord, readKeyRecord } from './key-records.ts'
import { type IssuedKey, revokeKey, rotateKey } from './keys.ts'

/** A key's id, and the user who claims to own it. */
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
  if (!key) throw new Refusal(404, 'You do not have this key.')
  return key.id
}
