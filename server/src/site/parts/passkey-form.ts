// A form that an authenticator fills in. The script fetches a challenge (`options`), passes it to the authenticator, and
// submits the form with the answer. Without JavaScript, the form is hidden and a line says why.
import { relyingPartyOf } from '../../accounts/passkeys.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { actions, button, postForm } from './form.ts'

interface PasskeyFormParts {
  action: string
  /** Where the challenge comes from. */
  options: string
  /** `create` a passkey, or `get` an existing one. */
  kind: 'create' | 'get'
  label: string
  look?: 'primary' | 'plain'
  /** More fields, and what goes next to the button. */
  fields?: Piece
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
