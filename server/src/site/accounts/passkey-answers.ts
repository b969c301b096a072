// Challenges for authenticators, as JSON for the script, and their answers, from a form.
import { z } from 'zod'
import { type PasskeyAnswer, type RelyingParty, relyingPartyOf } from '../../accounts/passkeys.ts'
import { Refusal } from '../../errors.ts'
import type { PageContext, Verbatim } from '../http/page.ts'
import { sent } from './account-fields.ts'

export const passkeyFields = z.object({ credential: sent, next: sent })

/** Refuses with 400 if no browser would allow passkeys here. */
function partyOf({ baseUrl, words }: Pick<PageContext, 'baseUrl' | 'words'>): RelyingParty {
  const party = relyingPartyOf(baseUrl)
  if (!party) throw new Refusal(400, words.security.passkeys.needsHttps)
  return party
}

export const answerIn = (context: PageContext): PasskeyAnswer => ({
  party: partyOf(context),
  credential: context.given['credential'] ?? '',
})

/** Anyone can ask for a challenge, but not without limit. */
export async function question(
  context: PageContext,
  make: (party: RelyingParty) => Promise<unknown>,
): Promise<Verbatim> {
  const permission = context.services.accounts.limits.forPasskey(context.ip)
  if (!permission.ok) {
    throw new Refusal(429, 'Too many attempts.', { 'Retry-After': String(permission.retryAfterSeconds) })
  }
  return { contentType: 'application/json; charset=utf-8', content: JSON.stringify(await make(partyOf(context))) }
}
