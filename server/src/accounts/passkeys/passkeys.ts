// Passkeys (WebAuthn): key pairs in a user's authenticator, of which this instance stores the public half. They serve as a
// second factor, or for signing in on their own. @simplewebauthn/server verifies them; it is loaded on first use.
// Attestation is discarded unread: it does not matter who made the authenticator, and verifying it would mean fetching
// URLs from a stranger's certificate.
import type { Kysely } from 'kysely'
import type { AccessContext } from '../../keys/admin-context.ts'
import type { Schema } from '../../postgres/schema.ts'
import { readNewPasskey, readPasskeyUse } from './passkey-answer.ts'
import { CHALLENGE_MS, issueChallenge, type PasskeyPurpose, spendChallenge } from './passkey-challenges.ts'
import { credentialsOf } from './passkey-rows.ts'
import type { RelyingParty } from './relying-party.ts'

/** An authenticator's answer, as the browser sent it. */
export interface PasskeyAnswer {
  party: RelyingParty
  credential: string
}

export interface Passkeys {
  /** The options for the browser to create one, as JSON. */
  beginAdding: (user: { id: string; username: string }, party: RelyingParty) => Promise<unknown>
  /** The new passkey, to be stored; undefined if it does not answer a challenge of ours. */
  readNew: (userId: string, answer: PasskeyAnswer) => Promise<NewPasskey | undefined>
  /** The options for the browser to use one, as JSON. `userId` if it is known who must answer. */
  beginUse: (use: PasskeyQuestion, party: RelyingParty) => Promise<unknown>
  /**
   * Returns the passkey's user, or undefined. Don't call it in a transaction: the challenge must stay consumed either
   * way.
   */
  judgeUse: (use: PasskeyQuestion, answer: PasskeyAnswer) => Promise<string | undefined>
}

interface PasskeyQuestion {
  purpose: Exclude<PasskeyPurpose, 'add'>
  userId?: string
}

export interface NewPasskey {
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
}

const HANDLE_BYTES = 32
const SERVICE_NAME = 'Bowerbird'
/** EdDSA, ES256 and RS256. By default the library would also probe algorithms that are experimental in Node. */
const ALGORITHMS = [-8, -7, -257]

/** If it replaces a password, the authenticator must have verified its user. */
const mustVerifyUser = ({ purpose }: PasskeyQuestion): boolean => purpose !== 'second-factor'

export function createPasskeys(access: AccessContext): Passkeys {
  const { db } = access
  return {
    async beginAdding({ id, username }, { id: rpID }) {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      return await generateRegistrationOptions({
        rpName: SERVICE_NAME,
        rpID,
        userName: username,
        userID: await handleOf(access, id),
        challenge: Buffer.from(await issueChallenge(access, { purpose: 'add', userId: id }), 'base64url'),
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        excludeCredentials: await credentialsOf(db, id),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        supportedAlgorithmIDs: ALGORITHMS,
      })
    },
    readNew: (userId, answer) => readNew(access, userId, answer),
    async beginUse({ purpose, userId }, { id: rpID }) {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      const isNamed = userId !== undefined
      return await generateAuthenticationOptions({
        rpID,
        challenge: Buffer.from(await issueChallenge(access, { purpose, userId }), 'base64url'),
        timeout: CHALLENGE_MS,
        userVerification: mustVerifyUser({ purpose }) ? 'required' : 'preferred',
        ...(isNamed && { allowCredentials: await credentialsOf(db, userId) }),
      })
    },
    judgeUse: (use, answer) => judgeUse(access, use, answer),
  }
}

async function readNew(
  access: AccessContext,
  userId: string,
  { party, credential }: PasskeyAnswer,
): Promise<NewPasskey | undefined> {
  const given = readNewPasskey(credential)
  if (!given) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const attestationObject = await withoutAttestation(given.response.attestationObject)
  if (attestationObject === undefined) return undefined
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response: { ...given, response: { ...given.response, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: (challenge) => spendChallenge(access, challenge, { purpose: 'add', userId }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified?.verified) return undefined
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return {
    credential_id: Buffer.from(id, 'base64url'),
    public_key: Buffer.from(publicKey),
    counter,
    transports: given.response.transports,
  }
}

async function judgeUse(
  access: AccessContext,
  { purpose, userId }: PasskeyQuestion,
  { party, credential }: PasskeyAnswer,
): Promise<string | undefined> {
  const given = readPasskeyUse(credential)
  const passkey = given && (await findByCredential(access.db, given.id))
  if (!given || !passkey) return undefined
  const { userHandle } = given.response
  if (userHandle && userHandle !== passkey.handle) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response: { ...given, clientExtensionResults: {} } as never,
      expectedChallenge: (challenge) => spendChallenge(access, challenge, { purpose, userId }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: given.id, publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: mustVerifyUser({ purpose }),
    }),
  )
  const isTheirs = userId === undefined || passkey.userId === userId
  if (!verified?.verified || !isTheirs) return undefined
  const isCounted = await countUse(access, passkey, verified.authenticationInfo.newCounter)
  return isCounted ? passkey.userId : undefined
}

/** The library rejects by throwing, and its messages quote the input. */
const orUndefined = <Value>(promise: Promise<Value>): Promise<Value | undefined> => promise.catch(() => undefined)

/** The same credential without attestation. Undefined if it is not CBOR. */
async function withoutAttestation(attestationObject: string): Promise<string | undefined> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  try {
    const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData')
    const plain = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    // The encoder's type does not cover maps of mixed values.
    return Buffer.from(isoCBOR.encode(plain as never)).toString('base64url')
  } catch {
    // The decoder reports malformed input only by throwing.
    return undefined
  }
}

/**
 * Returns the WebAuthn user handle: the same for all of a user's passkeys, and random, so it doesn't reveal the user.
 */
async function handleOf({ db, randomBytes }: AccessContext, userId: string): Promise<Buffer<ArrayBuffer>> {
  const made = Buffer.from(randomBytes(HANDLE_BYTES))
  const { passkey_handle } = await db
    .updateTable('users')
    .set((row) => ({ passkey_handle: row.fn.coalesce('passkey_handle', row.val(made)) }))
    .where('id', '=', userId)
    .returning('passkey_handle')
    .executeTakeFirstOrThrow()
  return Buffer.from(passkey_handle ?? made)
}

async function findByCredential(db: Kysely<Schema>, credentialId: string) {
  const row = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['passkeys.id', 'user_id', 'public_key', 'counter', 'passkey_handle'])
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      publicKey: Buffer.from(row.public_key),
      counter: Number(row.counter),
      handle: row.passkey_handle && Buffer.from(row.passkey_handle).toString('base64url'),
    }
  )
}

/** False if another answer changed the counter in the meantime: one of the two authenticators is a copy. */
async function countUse(
  { db, clock }: AccessContext,
  { id, counter }: { id: string; counter: number },
  newCounter: number,
): Promise<boolean> {
  const counted = await db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: new Date(clock()) })
    .where('id', '=', id)
    .where('counter', '=', String(counter))
    .returning('id')
    .executeTakeFirst()
  return counted !== undefined
}
