// Where the authorization server keeps its state: an adapter, as oidc-provider calls it, for each kind of thing.
//
// A grant is an API key, so there is no row for it elsewhere: it lasts as long as the key, and revoking one revokes the
// other. An access token is a secret of that key, so everything that checks keys checks it too. Codes, refresh tokens,
// clients and requests for consent are rows of `oauth_state`, found by the hash of their id. Sessions aren't kept at all:
// the website's own say who someone is.
import { hash, timingSafeEqual } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { AdminContext } from '../keys/admin-context.ts'
import { hashSecret, readKey } from '../keys/key-format.ts'
import { revokeKey } from '../keys/keys.ts'

interface StoreParts {
  access: AdminContext
  /** The URL that access is granted to. */
  resource: string
}

/** A refresh token that has been used still works for this long: clients refresh in parallel, and repeat lost requests. */
const REUSE_GRACE_MS = 60_000
/** Clients that nobody connects are forgotten. */
const CLIENT_SECONDS = 30 * 86_400

const hashOf = (id: string): Uint8Array => hash('sha256', id, 'buffer')

export function createOauthStore({ access, resource }: StoreParts): (model: string) => Adapter {
  const { db, clock } = access
  // No one is signed in when a token is used.
  const byProgram: AdminContext = { ...access, actor: { network: '', via: 'API' } }
  const revokeGrant = async (keyId: string): Promise<void> => {
    await revokeKey(byProgram, keyId)
  }

  const grants: Adapter = {
    ...nothing,
    async find(id) {
      const key = await db
        .selectFrom('api_keys')
        .select(['user_id', 'scopes', 'oauth_client'])
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', new Date(clock()))]))
        .executeTakeFirst()
      if (!key?.oauth_client) return undefined
      return {
        jti: id,
        kind: 'Grant',
        accountId: key.user_id,
        clientId: key.oauth_client,
        resources: { [resource]: key.scopes.join(' ') },
        openid: { scope: 'offline_access' },
        // It was valid a moment ago, and is looked up for every request.
        exp: Math.floor(clock() / 1_000) + 60,
      }
    },
    destroy: revokeGrant,
  }

  const accessTokens: Adapter = {
    ...nothing,
    async upsert(token, { grantId, exp }) {
      const parts = readKey(token)
      if (!parts || !grantId || !exp) throw new Error('an access token is not a secret of a key')
      await db
        .insertInto('key_secrets')
        .values({
          prefix: parts.prefix,
          key_id: grantId,
          secret_hash: hashSecret(parts.secret),
          created_at: new Date(clock()),
          expires_at: new Date(exp * 1_000),
        })
        .execute()
    },
    async find(token) {
      const parts = readKey(token)
      const row =
        parts &&
        (await db
          .selectFrom('key_secrets')
          .innerJoin('api_keys', 'api_keys.id', 'key_secrets.key_id')
          .select(['key_id', 'secret_hash', 'key_secrets.expires_at', 'user_id', 'oauth_client'])
          .where('prefix', '=', parts.prefix)
          .executeTakeFirst())
      if (!row?.oauth_client || !row.expires_at) return undefined
      if (!timingSafeEqual(hashSecret(parts?.secret ?? ''), row.secret_hash)) return undefined
      const { user_id: accountId, oauth_client: clientId, key_id: grantId } = row
      const exp = Math.floor(row.expires_at.getTime() / 1_000)
      return { jti: token, kind: 'AccessToken', accountId, clientId, grantId, exp }
    },
  }

  /** Rows of `oauth_state`. */
  const states = (model: string): Adapter => {
    const rowOf = (id: string) =>
      db.selectFrom('oauth_state').where('model', '=', model).where('id_hash', '=', hashOf(id))
    return {
      ...nothing,
      async upsert(id, written, expiresIn = CLIENT_SECONDS) {
        // `jti` is the secret itself.
        const payload = { ...written, jti: undefined }
        const row = { payload: JSON.stringify(payload), expires_at: new Date(clock() + expiresIn * 1_000) }
        await db
          .insertInto('oauth_state')
          .values({ model, id_hash: hashOf(id), key_id: payload.grantId ?? null, ...row })
          .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(row))
          .execute()
      },
      async find(id) {
        const row = await rowOf(id).select(['payload', 'consumed_at', 'expires_at']).executeTakeFirst()
        // Whether a client is still needed is for `prune-oauth.ts` to say.
        if (!row || (model !== 'Client' && row.expires_at.getTime() <= clock())) return undefined
        const graceMs = model === 'RefreshToken' ? REUSE_GRACE_MS : 0
        const isConsumed = row.consumed_at !== null && row.consumed_at.getTime() + graceMs <= clock()
        // Written by `upsert`, so it is what the library gave us.
        const payload = row.payload as AdapterPayload
        return { ...payload, ...(model !== 'Client' && { jti: id }), ...(isConsumed && { consumed: true }) }
      },
      async consume(id) {
        const { numUpdatedRows } = await db
          .updateTable('oauth_state')
          .set({ consumed_at: new Date(clock()) })
          .where('model', '=', model)
          .where('id_hash', '=', hashOf(id))
          .where('consumed_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows > 0n || model === 'RefreshToken') return
        // Someone else has used the code since it was looked up.
        const row = await rowOf(id).select('key_id').executeTakeFirst()
        if (row?.key_id) await revokeGrant(row.key_id)
        throw new errors.InvalidGrant('the code was used before')
      },
      async destroy(id) {
        await db.deleteFrom('oauth_state').where('model', '=', model).where('id_hash', '=', hashOf(id)).execute()
      },
      async revokeByGrantId(grantId) {
        await db.deleteFrom('oauth_state').where('model', '=', model).where('key_id', '=', grantId).execute()
      },
    }
  }

  return (model) => {
    if (model === 'Grant') return grants
    if (model === 'AccessToken') return accessTokens
    return model === 'Session' ? nothing : states(model)
  }
}

const nothing: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}
