// From the Authorization header to a verified key, or a refusal. A warm key is verified without waiting for anything.
//
// Wrong keys are limited by client address, so that nobody can guess at leisure or make us look up nonsense for ever.
// Once an address is over that limit its unknown keys are refused unseen for a while; a key that is warm on this node
// still works from there, so one bad client behind a shared address does not lock the others out.
import { LRUCache } from 'lru-cache'
import type { KeyVerdict, KeyVerifier, VerifiedKey } from '../keys/verify-key.ts'
import { Refusal } from '../errors.ts'
import type { Limits, Meter } from '../state/meter.ts'
import { throttled } from './pipeline/rate-limit.ts'

const SCHEME = /^api-key +(\S{1,200}) *$/i

const WRONG_KEY_LIMITS: Limits = {
  burst: { count: 20, windowMs: 60_000 },
  sustained: { count: 1_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}

const MOST_BLOCKED_ADDRESSES = 10_000

type WrongKeyReason = Exclude<KeyVerdict, { ok: true }>['reason']

const DETAILS: Record<WrongKeyReason, string> = {
  malformed: 'This is not an API key of this service: check that it was copied whole.',
  unknown: 'This API key is not known.',
  revoked: 'This API key has been revoked.',
  expired: 'This API key has expired.',
  disabled: 'The account of this API key is disabled.',
  unavailable: 'API keys cannot be checked right now. Try again in a few seconds.',
}

export type Authenticate = (authorization: string | undefined, address: string) => VerifiedKey | Promise<VerifiedKey>

export function createAuthenticate(keys: KeyVerifier, meter: Meter): Authenticate {
  const blockedUntil = new LRUCache<string, number>({ max: MOST_BLOCKED_ADDRESSES })

  const verifyCold = async (presented: string, address: string): Promise<VerifiedKey> => {
    const wait = Math.ceil(((blockedUntil.get(address) ?? 0) - performance.now()) / 1000)
    if (wait > 0) throw throttled(wait)
    const verdict = await keys.verify(presented)
    return verdict.ok ? verdict.key : await refuse(verdict.reason, address)
  }

  const refuse = async (reason: WrongKeyReason, address: string): Promise<never> => {
    if (reason === 'malformed' || reason === 'unknown') await countWrongKey(address)
    throw refusalFor(reason)
  }

  const countWrongKey = async (address: string): Promise<void> => {
    const spent = await meter.spend({ caller: `address:${address}`, limits: WRONG_KEY_LIMITS, endpoint: undefined })
    if (!spent.refusedBy) return
    blockedUntil.set(address, performance.now() + spent.retryAfterSeconds * 1000)
    throw throttled(spent.retryAfterSeconds)
  }

  return (authorization, address) => {
    if (authorization === undefined)
      throw unauthorized('Send your API key in the header: Authorization: Api-Key <API_KEY>.')
    const presented = SCHEME.exec(authorization)?.[1]
    if (presented === undefined) throw unauthorized('The Authorization header must read: Api-Key <API_KEY>.')
    const warm = keys.verifyWarm(presented)
    if (!warm) return verifyCold(presented, address)
    return warm.ok ? warm.key : refuse(warm.reason, address)
  }
}

const unauthorized = (detail: string): Refusal => new Refusal(401, detail, { 'WWW-Authenticate': 'Api-Key' })

function refusalFor(reason: WrongKeyReason): Refusal {
  const detail = DETAILS[reason]
  if (reason === 'disabled') return new Refusal(403, detail)
  if (reason === 'unavailable') return new Refusal(503, detail, { 'Retry-After': '5' })
  return unauthorized(detail)
}
