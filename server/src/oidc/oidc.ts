// Signing in with an identity provider: where people are sent, and what is believed when they come back. The protocol is
// openid-client's business (`oidc-client.ts`), which account it leads to is `accounts/sign-in-elsewhere.ts`'s, and the
// pages are `site/accounts/oidc-pages.ts`.
//
// A provider that can't be reached is never more than one sentence on a page: nothing waits for it but the people who
// chose it, and the start doesn't.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { ProvenIdentity } from '../accounts/sign-in-elsewhere.ts'
import { VERSION } from '../config/version.ts'
import { toStoredUsername } from '../keys/username.ts'
import type { Log } from '../log.ts'
import { createIssuerFetch } from '../upstream/issuer-fetch.ts'
import type { OutgoingProxy } from '../upstream/outgoing-proxy.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { Claims, OidcClient } from './oidc-client.ts'
import { createPendingSignIns, type SignInIntent } from './pending-sign-in.ts'

/** `unavailable`: the provider can't be reached, or isn't what the settings say. */
export type BeginVerdict = { ok: true; location: string; pending: string } | { ok: false; reason: 'unavailable' }

/**
 * expired      it was begun more than ten minutes ago, or in another browser, or with another provider
 * denied       the person went back, or the provider refused them
 * unproven     the answer isn't what it must be
 * not-allowed  the operator lets only some of the provider's people in
 */
export type FinishVerdict =
  | { ok: true; intent: SignInIntent; identity: ProvenIdentity }
  | { ok: false; reason: 'expired' }
  | { ok: false; intent: SignInIntent; reason: 'denied' | 'unproven' | 'unavailable' | 'not-allowed' }

export interface Oidc {
  providers: readonly Pick<IdentityProvider, 'slug' | 'name' | 'issuer'>[]
  begin: (slug: string, intent: SignInIntent) => Promise<BeginVerdict>
  /** `query`: of the URL that the browser came back to. `pending`: from its cookie. */
  finish: (slug: string, answer: { query: string; pending: string }) => Promise<FinishVerdict>
  /** Where people sign out at the provider; undefined: nowhere, or it can't be reached. */
  endSessionUrl: (slug: string) => Promise<string | undefined>
  close: () => Promise<void>
}

interface OidcParts {
  providers: readonly IdentityProvider[]
  publicUrl: string
  outgoingProxy: OutgoingProxy | undefined
  instanceSecret: string
  randomBytes: (size: number) => Uint8Array
  clock: () => number
  log: Log
}

export const callbackPath = (slug: string): string => `/callback/${slug}`

export function createOidc(parts: OidcParts): Oidc {
  const { providers, publicUrl, log } = parts
  const pendings = createPendingSignIns(parts)
  const connections = new Map(providers.map((provider) => [provider.slug, openConnection(provider, parts)]))

  const explain = (slug: string, error: unknown): 'unavailable' | 'unproven' => {
    log.warn({ provider: slug, reason: reasonOf(error) }, 'an identity provider gave no usable answer')
    return isUnreachable(error) ? 'unavailable' : 'unproven'
  }

  return {
    providers,
    async begin(slug, intent) {
      try {
        const client = await connections.get(slug)?.client()
        if (!client) return { ok: false, reason: 'unavailable' }
        const { location, secrets } = await client.begin({ isFresh: intent.purpose === 'confirm' })
        return { ok: true, location, pending: pendings.seal(slug, { ...secrets, intent }) }
      } catch (error) {
        explain(slug, error)
        return { ok: false, reason: 'unavailable' }
      }
    },
    async finish(slug, { query, pending: sealed }) {
      const pending = pendings.open(slug, sealed)
      const connection = connections.get(slug)
      if (!pending || !connection) return { ok: false, reason: 'expired' }
      const { intent } = pending
      const answer = new URL(`${publicUrl}${callbackPath(slug)}?${query}`)
      // Only an answer to this very request may say that the person was refused.
      if (answer.searchParams.has('error') && answer.searchParams.get('state') === pending.state)
        return { ok: false, intent, reason: 'denied' }
      try {
        const client = await connection.client()
        const claims = await client.finish(answer, pending, { isFresh: intent.purpose === 'confirm' })
        const identity = identityOf(claims, connection.provider)
        return identity === undefined ? { ok: false, intent, reason: 'not-allowed' } : { ok: true, intent, identity }
      } catch (error) {
        return { ok: false, intent, reason: explain(slug, error) }
      }
    },
    async endSessionUrl(slug) {
      try {
        return (await connections.get(slug)?.client())?.endSessionUrl(`${publicUrl}/login?done=signed-out`)
      } catch (error) {
        explain(slug, error)
        return undefined
      }
    },
    async close() {
      await Promise.all([...connections.values()].map((connection) => connection.close()))
    },
  }
}

const READ_AGAIN_MS = 86_400_000
/** A provider that is down is asked again by the next person after this. */
const COOL_DOWN_MS = 3_000

/** One client for all people, made when the first of them comes; not kept if that failed. */
export function openConnection(
  provider: IdentityProvider,
  { publicUrl, outgoingProxy, clock }: Pick<OidcParts, 'publicUrl' | 'outgoingProxy' | 'clock'>,
) {
  const proxy = provider.proxy === 'direct' ? undefined : (provider.proxy ?? outgoingProxy)
  const userAgent = `Bowerbird/${VERSION}`
  const { fetch, close } = createIssuerFetch({ issuer: provider.issuer, outgoingProxy: proxy, userAgent })
  const redirectUri = `${publicUrl}${callbackPath(provider.slug)}`
  const wanted = [
    ...(provider.createsUsers ? ['preferred_username'] : []),
    ...(provider.roleClaim === undefined ? [] : [provider.roleClaim.split('.')[0] ?? '']),
  ]
  let opening: Promise<OidcClient> | undefined
  let openedAt = 0
  let failedAt = Number.NEGATIVE_INFINITY
  const open = async (): Promise<OidcClient> => {
    const { openOidcClient } = await import('./oidc-client.ts')
    return await openOidcClient({ provider, redirectUri, wanted, fetch })
  }
  return {
    provider,
    async client(): Promise<OidcClient> {
      if (opening && Math.abs(clock() - openedAt) < READ_AGAIN_MS) return await opening
      if (Math.abs(clock() - failedAt) < COOL_DOWN_MS)
        throw new UpstreamError('unreachable', 'the identity provider did not answer a moment ago')
      openedAt = clock()
      opening = open()
      try {
        return await opening
      } catch (error) {
        opening = undefined
        failedAt = clock()
        throw error
      }
    },
    close,
  }
}

/** The library wraps errors of the connection. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof UpstreamError) return true
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause)
}

/** The library's own words for what went wrong. They hold no token and no address. */
export function reasonOf(error: unknown): string {
  if (error instanceof UpstreamError) return error.kind
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'unknown'
}

const MAX_SUBJECT_LENGTH = 255

/** Undefined if the operator doesn't let this person in. */
function identityOf(claims: Claims, provider: IdentityProvider): ProvenIdentity | undefined {
  const { slug, issuer, createsUsers, roleClaim, adminValues, allowedValues } = provider
  if (claims.sub.length > MAX_SUBJECT_LENGTH) return undefined
  const roles = roleClaim === undefined ? [] : valuesOf(claims, roleClaim)
  if (allowedValues.length > 0 && !allowedValues.some((value) => roles.includes(value))) return undefined
  return {
    issuer,
    subject: claims.sub,
    provider: slug,
    username: usernameOf(claims),
    createsUser: createsUsers,
    isAdmin: adminValues.length > 0 ? adminValues.some((value) => roles.includes(value)) : undefined,
  }
}

/** The values of a claim, which is a text, a list of texts, or lies in an object: `realm_access.roles`. */
export function valuesOf(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  const [first = '', ...rest] = name.split('.')
  const found = Object.hasOwn(claims, name)
    ? claims[name]
    : rest.reduce<unknown>(
        (value, part) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, part)
            ? (value as Record<string, unknown>)[part]
            : undefined,
        Object.hasOwn(claims, first) ? claims[first] : undefined,
      )
  return [found].flat().filter((value) => typeof value === 'string')
}

/** A name for a new account; '' if there is none. Of an address, only what the provider says is verified. */
export function usernameOf(claims: Readonly<Record<string, unknown>>): string {
  const { preferred_username: preferred, email, email_verified: isVerified } = claims
  const address = isVerified === true && typeof email === 'string' ? email : ''
  const names = [preferred, address.split('@')[0]].filter((name) => typeof name === 'string')
  return names.map(toStoredUsername).find((name) => name !== '') ?? ''
}
