// Creates, rotates and revokes keys, for operators and for the owners of keys. A key is an identity with limits; its
// secrets can be replaced. The full key exists only in the result of `createKey` and `rotateKey`: the database has its
// prefix and a hash.
//
// On the website, a user makes at most ten secrets an hour, be it for new keys or by rotating them. Limits belong to a
// key, so someone who could replace keys at will would have none. Counting rows in the transaction that adds one holds
// on all nodes, with or without Redis. The command line belongs to the operator and isn't counted.
import { type Kysely, sql } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import { type FieldMessages, Refusal } from '../errors.ts'
import { parseRate } from '../rate-limit/rate.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import type { AdminContext } from './admin-context.ts'
import { MAX_NETWORKS, parseNetwork } from './allowed-networks.ts'
import { announceKeyChange } from './key-changes.ts'
import { hashSecret, type MintedKey, mintKey, readPrefix } from './key-format.ts'
import { type KeyRecord, readKeyRecord } from './key-records.ts'
import {
  DEFAULT_SCOPES,
  isAllowedTogether,
  isScope,
  normaliseScopes,
  PERMISSION_SCOPES,
  READ_ANY_SCOPE,
  READ_LINKS_SCOPE,
  READ_SCOPE,
} from './scopes.ts'
import { toStoredUsername, unknownUser } from './username.ts'

export interface NewKey {
  owner: { username: string } | { userId: string }
  name?: string
  /** `DEFAULT_SCOPES` by default. */
  scopes?: readonly string[]
  /** Null: never. The operator's default if it isn't given. */
  expiresAt?: Date | null
  /** The only networks it works from ('192.0.2.0/24'); any by default. */
  networks?: readonly string[]
  /** This key's own limits as the operator writes them ('120/min'); the instance's by default. */
  burst?: string
  sustained?: string
}

export interface IssuedKey {
  key: KeyRecord
  /** Shown once, and never stored here. */
  full: string
}

/** The default; the operator can change it. */
export const MAX_KEYS_PER_USER = 25

/** The user already has the maximum number of active keys. */
export class TooManyKeys extends Refusal {
  readonly most: number

  constructor(most: number) {
    super('conflict', `The number of active keys per user is limited to ${most}. Revoke a key first.`)
    this.most = most
  }
}

export const MAX_NEW_SECRETS_PER_HOUR = 10

/** The user has made as many keys and secrets as they can in an hour. */
export class TooManyNewSecrets extends Refusal {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(
      'rate_limited',
      `You can create or rotate at most ${MAX_NEW_SECRETS_PER_HOUR} keys an hour. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
      { 'Retry-After': String(retryAfterSeconds) },
    )
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** One more rotation ends the oldest. */
const MAX_LIVING_SECRETS = 3
/** SQLite wants to know how many rows follow an offset: more than any key has. */
const MANY = 10_000
const HOUR_MS = 3_600_000
const MAX_NAME_LENGTH = 100
const DAY_SECONDS = 86_400
const MAX_GRACE_SECONDS = 366 * DAY_SECONDS

export async function createKey(context: AdminContext, input: NewKey): Promise<IssuedKey> {
  const values = checkNewKey(input, context)
  const issued = await context.db.transaction().execute(async (transaction) => {
    const { id, userId } = await addKey({ ...context, db: transaction }, input.owner, values)
    const { full } = await addSecret(transaction, id, context)
    await recordEvent({ ...context, db: transaction }, { event: 'key-created', userId, keyId: id })
    return { key: await readKeyRecord(transaction, id, context.clock()), full }
  })
  announceKeyChange(
    context.changes,
    issued.key.secrets.map(({ prefix }) => prefix),
  )
  return issued
}

/**
 * Creates the key of a client that its owner connects by OAuth. It has no secret yet: the authorization server adds one
 * for every access token (`oauth/oauth-store.ts`). Returns the key's id.
 */
export async function createClientKey(context: AdminContext, input: NewKey & { client: string }): Promise<string> {
  const values = { ...checkNewKey(input, context), oauth_client: input.client }
  return await context.db.transaction().execute(async (transaction) => {
    const { id, userId } = await addKey({ ...context, db: transaction }, input.owner, values)
    await recordEvent({ ...context, db: transaction }, { event: 'key-created', userId, keyId: id })
    return id
  })
}

/** Adds a key without a secret. `context.db` is a transaction. */
async function addKey(
  context: AdminContext,
  owner: NewKey['owner'],
  values: ReturnType<typeof checkNewKey> & { oauth_client?: string },
): Promise<{ id: string; userId: string }> {
  const { id: userId, disabled_at } = await lockOwner(context.db, owner)
  if (disabled_at) throw new Refusal('conflict', 'This account is disabled. Enable it first.')
  await refuseIfAtKeyLimit(context.db, userId, context)
  await refuseIfTooManyNew(context.db, userId, context)
  const { id } = await context.db
    .insertInto('api_keys')
    .values({ user_id: userId, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, userId }
}

interface Rotation {
  /** A prefix, a full key or an id. */
  key: string
  /** How long the older secrets keep working. */
  graceSeconds?: number
}

/**
 * Adds a new secret to a key. Older secrets expire after the grace period, or at their existing expiry if that is
 * earlier; all but the newest few expire immediately.
 */
export async function rotateKey(context: AdminContext, { key, graceSeconds }: Rotation): Promise<IssuedKey> {
  const grace = graceSeconds ?? DAY_SECONDS
  if (!(grace >= 0 && grace <= MAX_GRACE_SECONDS)) {
    throw new Refusal('parameter_invalid', { grace_seconds: [`Use 0 to ${MAX_GRACE_SECONDS} seconds.`] })
  }
  const now = context.clock()
  const { issued, prefixes } = await context.db.transaction().execute(async (transaction) => {
    const { id, userId } = await findKey(transaction, key)
    await lockOwner(transaction, { userId })
    const updated = await transaction
      .updateTable('api_keys')
      .set({ updated_at: getStatements(transaction).nextUpdatedAt })
      .where('id', '=', id)
      .returning(['revoked_at', 'expires_at', 'oauth_client'])
      .executeTakeFirstOrThrow()
    if (updated.oauth_client !== null) throw new Refusal('conflict', 'The program that has this key renews it itself.')
    if (updated.revoked_at) throw new Refusal('conflict', 'This key is revoked. Create a new one.')
    if (updated.expires_at && updated.expires_at.getTime() <= now) {
      throw new Refusal('conflict', 'This key has expired. Create a new one.')
    }
    await refuseIfTooManyNew(transaction, userId, context)
    await transaction
      .updateTable('key_secrets')
      .set({ expires_at: sql<Date>`least(expires_at, ${new Date(now + grace * 1_000)})` })
      .where('key_id', '=', id)
      .execute()
    await endOldestSecrets(transaction, id, now)
    const { full } = await addSecret(transaction, id, context)
    const issued = { key: await readKeyRecord(transaction, id, now), full }
    await recordEvent({ ...context, db: transaction }, { event: 'key-rotated', userId: issued.key.userId, keyId: id })
    return { issued, prefixes: await readPrefixes(transaction, id) }
  })
  announceKeyChange(context.changes, prefixes)
  return issued
}

/** `key` is a prefix, a full key (if it leaked) or an id. Revoking a key again keeps the original time. */
export async function revokeKey(context: AdminContext, key: string): Promise<KeyRecord> {
  const now = context.clock()
  const { record, prefixes } = await context.db.transaction().execute(async (transaction) => {
    const { id } = await findKey(transaction, key)
    await transaction
      .updateTable('api_keys')
      .set({
        revoked_at: sql<Date>`coalesce(revoked_at, ${new Date(now)})`,
        updated_at: getStatements(transaction).nextUpdatedAt,
      })
      .where('id', '=', id)
      .execute()
    const record = await readKeyRecord(transaction, id, now)
    await recordEvent({ ...context, db: transaction }, { event: 'key-revoked', userId: record.userId, keyId: id })
    return { record, prefixes: await readPrefixes(transaction, id) }
  })
  announceKeyChange(context.changes, prefixes)
  return record
}

/** A key's id, and the user who claims to own it. Another user's key is treated as missing, so as not to reveal it. */
interface OwnKey {
  userId: string
  keyId: string
}

export async function findOwnKey(
  { db, clock }: AdminContext,
  { userId, keyId }: OwnKey,
): Promise<KeyRecord | undefined> {
  const id = toId(keyId)
  const row = id && (await db.selectFrom('api_keys').select('user_id').where('id', '=', id).executeTakeFirst())
  return row && row.user_id === userId ? await readKeyRecord(db, keyId, clock()) : undefined
}

export async function rotateOwnKey(
  context: AdminContext,
  own: OwnKey,
  { graceSeconds }: { graceSeconds: number },
): Promise<IssuedKey> {
  return await rotateKey(context, { key: await requireOwnKeyId(context, own), graceSeconds })
}

export async function revokeOwnKey(context: AdminContext, own: OwnKey): Promise<KeyRecord> {
  return await revokeKey(context, await requireOwnKeyId(context, own))
}

async function requireOwnKeyId(context: AdminContext, own: OwnKey): Promise<string> {
  const key = await findOwnKey(context, own)
  if (!key) throw new Refusal('not_found', 'You do not have this key.')
  return key.id
}

/**
 * Locks the owner, so that disabling the account at the same time waits for the new key and includes it. Without the
 * lock, a key created at that moment would be missed when all other keys of the account are updated. Of two keys
 * created concurrently, the second waits and is counted after the first. Rotating a key locks its owner too, before the
 * key itself, as disabling an account does.
 */
async function lockOwner(
  transaction: Kysely<Schema>,
  owner: NewKey['owner'],
): Promise<{ id: string; disabled_at: Date | null }> {
  const query = transaction.selectFrom('users').select(['id', 'disabled_at']).forNoKeyUpdate()
  const user = await ('userId' in owner
    ? query.where('id', '=', toId(owner.userId) ?? '0')
    : query.where('username', '=', toStoredUsername(owner.username))
  ).executeTakeFirst()
  if (!user) throw unknownUser()
  return user
}

async function refuseIfAtKeyLimit(
  transaction: Kysely<Schema>,
  userId: string,
  { clock, maxKeysPerUser = MAX_KEYS_PER_USER }: AdminContext,
): Promise<void> {
  const { active } = await transaction
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('active'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', new Date(clock()))]))
    .executeTakeFirstOrThrow()
  if (Number(active) >= maxKeysPerUser) throw new TooManyKeys(maxKeysPerUser)
}

/**
 * Every new key and every rotation adds one secret, so secrets are counted; of a client's key, the key itself, since its
 * secrets are access tokens.
 */
async function refuseIfTooManyNew(
  transaction: Kysely<Schema>,
  userId: string,
  { actor, clock }: AdminContext,
): Promise<void> {
  if (!actor) return
  const now = clock()
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from (
      select s.created_at from key_secrets s join api_keys k on k.id = s.key_id
      where k.user_id = ${userId} and k.oauth_client is null
      union all
      select created_at from api_keys where user_id = ${userId} and oauth_client is not null
    ) made
    where created_at > ${new Date(now - HOUR_MS)}
    order by created_at desc limit 1 offset ${MAX_NEW_SECRETS_PER_HOUR - 1}`.execute(transaction)
  const [oldestCounted] = rows
  if (!oldestCounted) return
  const waitMs = oldestCounted.created_at.getTime() + HOUR_MS - now
  throw new TooManyNewSecrets(Math.ceil(waitMs / 1_000))
}

/** Leaves room for the secret that is about to be added. A later secret never expires before an earlier one. */
async function endOldestSecrets(transaction: Kysely<Schema>, keyId: string, now: number): Promise<void> {
  await transaction
    .updateTable('key_secrets')
    .set({ expires_at: new Date(now) })
    .where('expires_at', '>', new Date(now))
    .where('prefix', 'in', (older) =>
      older
        .selectFrom('key_secrets')
        .select('prefix')
        .where('key_id', '=', keyId)
        .orderBy('expires_at', (order) => order.desc().nullsFirst())
        .orderBy('created_at', 'desc')
        .limit(MANY)
        .offset(MAX_LIVING_SECRETS - 1),
    )
    .execute()
}

/** Retries if the prefix is taken. With a million keys, the chance of that is about one in 200 million. */
async function addSecret(transaction: Kysely<Schema>, keyId: string, context: AdminContext): Promise<MintedKey> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const minted = mintKey(context.randomBytes)
    const added = await transaction
      .insertInto('key_secrets')
      .values({
        prefix: minted.prefix,
        key_id: keyId,
        secret_hash: hashSecret(minted.secret),
        created_at: new Date(context.clock()),
      })
      .onConflict((conflict) => conflict.column('prefix').doNothing())
      .returning('prefix')
      .executeTakeFirst()
    if (added) return minted
  }
  throw new Error('ten generated prefixes in a row were taken: the random source is broken')
}

export async function findKey(transaction: Kysely<Schema>, key: string): Promise<{ id: string; userId: string }> {
  const id = toId(key)
  const prefix = readPrefix(key)
  const query = transaction.selectFrom('api_keys').select(['api_keys.id', 'api_keys.user_id as userId'])
  const row = id
    ? await query.where('api_keys.id', '=', id).executeTakeFirst()
    : prefix &&
      (await query
        .innerJoin('key_secrets', 'key_secrets.key_id', 'api_keys.id')
        .where('key_secrets.prefix', '=', prefix)
        .executeTakeFirst())
  if (!row) throw new Refusal('not_found', 'No key has this prefix or id.')
  return row
}

async function readPrefixes(transaction: Kysely<Schema>, keyId: string): Promise<string[]> {
  const rows = await transaction.selectFrom('key_secrets').select('prefix').where('key_id', '=', keyId).execute()
  return rows.map(({ prefix }) => prefix)
}

/** Digits alone are an id: generated prefixes always contain a letter. */
const toId = (text: string): string | undefined => (/^\d{1,18}$/.test(text) ? text : undefined)

/** Control characters, line breaks, and characters that change the direction of writing. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

function checkNewKey(input: NewKey, { clock, defaultKeyDays }: AdminContext) {
  const now = clock()
  const defaultExpiry = defaultKeyDays === undefined ? null : new Date(now + defaultKeyDays * DAY_SECONDS * 1_000)
  const { name = '', scopes = DEFAULT_SCOPES, expiresAt = defaultExpiry, networks = [], burst, sustained } = input
  const unknownScopes = scopes.filter((scope) => !isScope(scope))
  const isRate = (text: string | undefined) => text === undefined || parseRate(text) !== undefined
  const rateMessage = 'Use a rate such as 60/min or 5000/day.'
  const checks: [field: string, isRight: boolean, message: string][] = [
    ['name', Array.from(name.trim()).length <= MAX_NAME_LENGTH, `Use at most ${MAX_NAME_LENGTH} characters.`],
    ['name', !UNPRINTABLE.test(name), 'Use plain text on one line.'],
    ['scopes', scopes.length > 0, `Choose at least one of ${PERMISSION_SCOPES.join(', ')}.`],
    ['scopes', unknownScopes.length === 0, `Choose from ${PERMISSION_SCOPES.join(', ')}.`],
    ['scopes', isAllowedTogether(scopes), 'Combine address with search and nothing else.'],
    ['scopes', !scopes.includes(READ_ANY_SCOPE) || scopes.includes(READ_SCOPE), 'Combine read_any with read.'],
    ['scopes', !scopes.includes(READ_LINKS_SCOPE) || scopes.includes(READ_SCOPE), 'Combine read_links with read.'],
    ['expires_at', !expiresAt || expiresAt.getTime() > now, 'Choose a time in the future.'],
    ['networks', networks.length <= MAX_NETWORKS, `Name at most ${MAX_NETWORKS} networks.`],
    ['networks', networks.every(parseNetwork), 'Use addresses or ranges such as 192.0.2.0/24 or 2001:db8::/32.'],
    ['burst', isRate(burst), rateMessage],
    ['sustained', isRate(sustained), rateMessage],
  ]
  const messages: FieldMessages = {}
  for (const [field, isRight, message] of checks) {
    if (!isRight) messages[field] = [...(messages[field] ?? []), message]
  }
  if (Object.keys(messages).length > 0) throw new Refusal('parameter_invalid', messages)
  return {
    name: name.trim(),
    scopes: normaliseScopes(scopes),
    burst: burst ?? null,
    sustained: sustained ?? null,
    networks: [...networks],
    expires_at: expiresAt,
  }
}
