// A form that an authenticator fills in. The script fetches a challenge (`options`), passes it to the authenticator, and
// submits the form with the answer. Without JavaScript, the form is hidden and a line says why.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { PasskeyAnswer } from '../../accounts/passkeys.ts'
import { type RelyingParty, relyingPartyOf } from '../../accounts/passkeys.ts'
import { Refusal } from '../../errors.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext, Verbatim } from '../http/page.ts'
import { actions, button, postForm } from '../parts/form.ts'
import { textInput } from './account-forms.ts'

interface PasskeyFormParts {
  action: string
  /** The path that returns the challenge. */
  options: string
  /** `create` a passkey, or `get` an existing one. */
  kind: 'create' | 'get'
  label: string
  look?: 'primary' | 'plain'
  /** More fields of the form. */
  fields?: Piece
  /** Shown next to the button. */
  beside?: Piece
}

/** False if no browser would allow passkeys here: over plain http, or at a bare IP address. */
export function passkeyForm(context: PageContext, parts: PasskeyFormParts): Html | false {
  if (!relyingPartyOf(context.baseUrl)) return false
  const { action, options, kind, label, look = 'plain', fields, beside } = parts
  const { needsScript, failed } = context.words.security.passkeys
  const form = postForm(context, {
    action,
    attributes: html` data-passkey="${kind}" data-options="${options}" hidden`,
    body: html`<input type="hidden" name="credential" value="">${fields}
<p class="error" role="alert" data-passkey-failed hidden>${failed}</p>${actions(button(label, look), beside)}`,
  })
  return html`${form}<p class="help" data-without-script>${needsScript}</p>`
}

export const passkeyFields = z.object({ credential: textInput, next: textInput })

/** Refuses with 400 if no browser would allow passkeys here. */
function requirePartyOf({ baseUrl, words }: Pick<PageContext, 'baseUrl' | 'words'>): RelyingParty {
  const party = relyingPartyOf(baseUrl)
  if (!party) throw new Refusal('https_required', words.security.passkeys.needsHttps)
  return party
}

export const passkeyAnswerOf = (context: PageContext): PasskeyAnswer => ({
  party: requirePartyOf(context),
  credential: context.submitted['credential'] ?? '',
})

/** Replies with a new challenge. Anyone can request one, so the number of requests is limited. */
export async function challengeReply(
  accounts: Accounts,
  context: PageContext,
  createChallenge: (party: RelyingParty) => Promise<unknown>,
): Promise<Verbatim> {
  const permission = accounts.limits.forPasskey(context.ip)
  if (!permission.ok) {
    throw new Refusal('attempts_limited', 'Too many attempts.', { 'Retry-After': String(permission.retryAfterSeconds) })
  }
  return {
    contentType: 'application/json; charset=utf-8',
    content: JSON.stringify(await createChallenge(requirePartyOf(context))),
  }
}
