// Turns the Authorization header into a verified key or a refusal. A cached key is verified without waiting. The API
// and the compatible APIs, which find the key elsewhere in a request, share one key check.
//
// Wrong keys are limited by the networks they come from, so that no client can keep guessing or make us look up garbage
// forever. Once a network is over its limit, unknown keys from there are refused without a look-up for a while. Keys
// that this node has cached still work from there, so one bad client behind a shared address does not lock out the
// others.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { KeyVerdict, KeyVerifier, VerifiedKey } from '../../keys/verify-key.ts'
import { createNetworkThrottle } from '../../rate-limit/network-throttle.ts'
import { throttled } from './admission.ts'

const API_KEY_SCHEME = /^api-key +(\S{1,200}) *$/i

const perMinute = (count: number) => ({ count, windowMs: 60_000 })
const perDay = (count: number) => ({ count, windowMs: 86_400_000 })

/** A distributed attack must not cost more than a hundred look-ups a second. */
const WRONG_KEY_LIMITS = {
  networks: [[perMinute(20), perDay(1_000)], [perMinute(60)], [perMinute(200)]],
  everyone: [perMinute(6_000)],
}

type WrongKeyReason = Exclude<KeyVerdict, { ok: true }>['reason']

const API_KEY_CHALLENGE = { 'WWW-Authenticate': 'Api-Key' }

/** Only a caller that sends the right secret learns that a key was revoked, has expired and so on. */
const REFUSALS: Record<WrongKeyReason, ConstructorParameters<typeof Refusal>> = {
  malformed: ['key_malformed', 'This is not a valid API key. Check that you copied all of it.', API_KEY_CHALLENGE],
  unknown: ['key_unknown', 'This API key does not exist.', API_KEY_CHALLENGE],
  revoked: ['key_revoked', 'This API key has been revoked.', API_KEY_CHALLENGE],
  expired: ['key_expired', 'This API key has expired.', API_KEY_CHALLENGE],
  disabled: ['account_disabled', 'The account that owns this API key is disabled.'],
  network: ['network_not_allowed', 'This API key cannot be used from your network.'],
  unavailable: [
    'storage_unavailable',
    'API keys cannot be checked right now. Try again in a few seconds.',
    { 'Retry-After': '5' },
  ],
}

type CheckedKey = VerifiedKey | Promise<VerifiedKey>

/** `presented` is the unverified key. */
export type CheckKey = (presented: string, request: Presenter) => CheckedKey

/** The part of the request that says where the key comes from. */
type Presenter = Pick<FastifyRequest, 'ip'>

export type Authenticate = (request: FastifyRequest) => CheckedKey

export function createKeyCheck(keys: KeyVerifier): CheckKey {
  const throttle = createNetworkThrottle(WRONG_KEY_LIMITS, () => performance.now())

  function refuseIfLimited(address: string): void {
    const wait = throttle.waitOf(address)
    if (wait > 0) throw throttled('wrong_keys_limited', wait)
  }

  const verifyUncached = async (presented: string, address: string): Promise<VerifiedKey> => {
    refuseIfLimited(address)
    const verdict = await keys.verify(presented, address)
    return verdict.ok ? verdict.key : refuse(verdict.reason, address)
  }

  function refuse(reason: WrongKeyReason, address: string): never {
    if (reason === 'malformed' || reason === 'unknown') {
      refuseIfLimited(address)
      throttle.record(address)
    }
    throw new Refusal(...REFUSALS[reason])
  }

  return (presented, request) => {
    const cached = keys.verifyCached(presented, request.ip)
    if (!cached) return verifyUncached(presented, request.ip)
    return cached.ok ? cached.key : refuse(cached.reason, request.ip)
  }
}

/** Extracts the unverified key from an `Api-Key` header. */
const readApiKey = (authorization: string): string | undefined => API_KEY_SCHEME.exec(authorization)?.[1]

export const createAuthenticate =
  (check: CheckKey): Authenticate =>
  (request) => {
    const { authorization } = request.headers
    if (authorization === undefined)
      throw new Refusal(
        'key_missing',
        'Send your API key in this header: Authorization: Api-Key <API_KEY>.',
        API_KEY_CHALLENGE,
      )
    const presented = readApiKey(authorization)
    if (presented === undefined)
      throw new Refusal(
        'key_malformed',
        'The Authorization header must have the form: Api-Key <API_KEY>.',
        API_KEY_CHALLENGE,
      )
    return check(presented, request)
  }

/** Throws the 403. */
export function requireScope(key: VerifiedKey, scope: Scope | undefined): void {
  if (scope && !key.scopes.has(scope))
    throw new Refusal('scope_missing', `This API key does not have the ${scope} scope.`)
}
