// Passkeys (WebAuthn): key pairs in a user's authenticator, of which this instance stores the public half. They serve
// as a second factor, or for signing in on their own. @simplewebauthn/server verifies them; it is loaded on first use.
// Attestation is discarded unread: it does not matter who made the authenticator, and verifying an attestation would
// mean fetching URLs from a stranger's certificate.
import { hash } from 'node:crypto'
import { parseJson } from '@bowerbird/engines/parsing/parse-json.ts'
import ipaddr from 'ipaddr.js'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Schema } from '../store/schema.ts'
import { credentialsOf } from './passkey-rows.ts'

/**
 * This instance's identity towards authenticators. A passkey is permanently bound to a host name: that of PUBLIC_URL,
 * or of the URL the browser uses.
 */
export interface RelyingParty {
  /** The host name. */
  id: string
  /** Scheme, host and port, as the browser writes them. */
  origin: string
}

/**
 * add            to create a new passkey
 * sign-in        instead of username and password
 * second-factor  after the password
 * confirm        to confirm the identity of a signed-in user
 */
type PasskeyPurpose = 'add' | 'sign-in' | 'second-factor' | 'confirm'

/** An authenticator's answer, as the browser sent it. */
export interface PasskeyAnswer {
  party: RelyingParty
  credential: string
}

interface Challenge {
  purpose: PasskeyPurpose
  /** Undefined as long as it is not known who will answer. */
  userId: string | undefined
}

interface ExpectedUse {
  purpose: Exclude<PasskeyPurpose, 'add'>
  userId?: string
}

interface NewPasskey {
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
}

const HANDLE_BYTES = 32
const CHALLENGE_BYTES = 32
const CHALLENGE_PATTERN = /^[\w-]{43}$/
const CHALLENGE_MS = 5 * 60_000
const MAX_ANSWER_LENGTH = 20_000
const SERVICE_NAME = 'Bowerbird'
/** EdDSA, ES256 and RS256. By default the library would also probe algorithms that are experimental in Node. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey that replaces a password counts only if the authenticator has verified its user. */
const mustVerifyUser = ({ purpose }: ExpectedUse): boolean => purpose !== 'second-factor'

export class Passkeys {
  readonly #access: AdminContext

  constructor(access: AdminContext) {
    this.#access = access
  }

  /** The options with which the browser creates a passkey, as JSON. */
  async beginAdding({ id, username }: { id: string; username: string }, { id: rpID }: RelyingParty): Promise<unknown> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server')
    return await generateRegistrationOptions({
      rpName: SERVICE_NAME,
      rpID,
      userName: username,
      userID: await handleOf(this.#access, id),
      challenge: Buffer.from(await issueChallenge(this.#access, { purpose: 'add', userId: id }), 'base64url'),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: await credentialsOf(this.#access.db, id),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
  }

  /** The new passkey, to be stored; undefined if it does not answer a challenge of ours. */
  async verifyNew(userId: string, { party, credential }: PasskeyAnswer): Promise<NewPasskey | undefined> {
    const answer = parseAnswer(NewCredential, credential)
    if (!answer) return undefined
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const attestationObject = await withoutAttestation(answer.response.attestationObject)
    if (attestationObject === undefined) return undefined
    const verified = await orUndefined(
      verifyRegistrationResponse({
        response: { ...answer, response: { ...answer.response, attestationObject }, clientExtensionResults: {} },
        expectedChallenge: (challenge) => spendChallenge(this.#access, challenge, { purpose: 'add', userId }),
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
      transports: answer.response.transports,
    }
  }

  /** The options with which the browser uses a passkey, as JSON. `userId`: who must answer, if that is known. */
  async beginUse({ purpose, userId }: ExpectedUse, { id: rpID }: RelyingParty): Promise<unknown> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
    const isUserKnown = userId !== undefined
    return await generateAuthenticationOptions({
      rpID,
      challenge: Buffer.from(await issueChallenge(this.#access, { purpose, userId }), 'base64url'),
      timeout: CHALLENGE_MS,
      userVerification: mustVerifyUser({ purpose }) ? 'required' : 'preferred',
      ...(isUserKnown && { allowCredentials: await credentialsOf(this.#access.db, userId) }),
    })
  }

  /**
   * Returns the passkey's user, or undefined if the answer is not valid. Don't call it in a transaction: the challenge
   * must stay consumed either way.
   */
  async verifyUse({ purpose, userId }: ExpectedUse, { party, credential }: PasskeyAnswer): Promise<string | undefined> {
    const answer = parseAnswer(CredentialUse, credential)
    const passkey = answer && (await findByCredential(this.#access.db, answer.id))
    if (!answer || !passkey) return undefined
    const { userHandle } = answer.response
    if (userHandle && userHandle !== passkey.handle) return undefined
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const verified = await orUndefined(
      verifyAuthenticationResponse({
        response: { ...answer, clientExtensionResults: {} } as never,
        expectedChallenge: (challenge) => spendChallenge(this.#access, challenge, { purpose, userId }),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        credential: { id: answer.id, publicKey: passkey.publicKey, counter: passkey.counter },
        requireUserVerification: mustVerifyUser({ purpose }),
      }),
    )
    const isTheirs = userId === undefined || passkey.userId === userId
    if (!verified?.verified || !isTheirs) return undefined
    const isCounted = await countUse(this.#access, passkey, verified.authenticationInfo.newCounter)
    return isCounted ? passkey.userId : undefined
  }
}

/** Drops the library's errors: they mean that the input is invalid, and their messages quote it. */
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
async function handleOf({ db, randomBytes }: AdminContext, userId: string): Promise<Buffer<ArrayBuffer>> {
  const newHandle = Buffer.from(randomBytes(HANDLE_BYTES))
  const { passkey_handle } = await db
    .updateTable('users')
    .set((row) => ({ passkey_handle: row.fn.coalesce('passkey_handle', row.val(newHandle)) }))
    .where('id', '=', userId)
    .returning('passkey_handle')
    .executeTakeFirstOrThrow()
  return Buffer.from(passkey_handle ?? newHandle)
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

/** False if another answer changed the counter in the meantime: the authenticator may have been copied. */
async function countUse(
  { db, clock }: AdminContext,
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

/**
 * Returns a challenge for an authenticator to sign, in base64url: 256 random bits, for one purpose and, if it is known,
 * one user, valid once and for five minutes. It is in the database because the answer may reach another node.
 */
async function issueChallenge(
  { db, clock, randomBytes }: AdminContext,
  { purpose, userId }: Challenge,
): Promise<string> {
  const challenge = Buffer.from(randomBytes(CHALLENGE_BYTES)).toString('base64url')
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hash('sha256', challenge, 'buffer'),
      purpose,
      user_id: userId ?? null,
      expires_at: new Date(clock() + CHALLENGE_MS),
    })
    .execute()
  return challenge
}

/**
 * Consumes the challenge, whatever the result. False if it wasn't issued for this purpose and user, has expired or was
 * already used.
 */
async function spendChallenge(
  { db, clock }: { db: Kysely<Schema>; clock: () => number },
  challenge: string,
  { purpose, userId }: Challenge,
): Promise<boolean> {
  if (!CHALLENGE_PATTERN.test(challenge)) return false
  const spent = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash('sha256', challenge, 'buffer'))
    .returning(['purpose', 'user_id', 'expires_at'])
    .executeTakeFirst()
  return (
    spent !== undefined &&
    spent.purpose === purpose &&
    spent.user_id === (userId ?? null) &&
    spent.expires_at.getTime() > clock()
  )
}

const base64url = z.string().regex(/^[\w-]+$/)

const NewCredential = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .catch([]),
  }),
})

const CredentialUse = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().catch(undefined),
  }),
})

/**
 * Parses an authenticator's answer as the browser sends it; undefined if it is not one. Nothing in it can be trusted
 * before the signature has been verified.
 */
function parseAnswer<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  if (text.length > MAX_ANSWER_LENGTH) return undefined
  try {
    return schema.safeParse(parseJson(text)).data
  } catch {
    // Not JSON; the parser reports that only by throwing.
    return undefined
  }
}

/**
 * Undefined if no browser would allow passkeys there: they need https, or localhost for trying things out, and never
 * work for a bare IP address.
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  if (!URL.canParse(baseUrl)) return undefined
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isIpAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))
  return !isIpAddress && (protocol === 'https:' || isLocalhost) ? { id: hostname, origin } : undefined
}
