// Shared by the forms about your own account: the field for the current password, and why a change was refused, next to
// the field it is about.
import type { OwnChange } from '../../accounts/account-settings.ts'
import type { FieldMessages } from '../../errors.ts'
import type { Html, Piece } from '../http/html.ts'
import type { PageContext, View } from '../http/page.ts'
import { textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import { tooMany } from './login-pages.ts'
import type { OwnContext } from './member.ts'

export interface FormState {
  messages?: FieldMessages
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

export function refusalOfChange(
  refused: Extract<OwnChange<unknown>, { ok: false }>,
  { words: { accounts, security } }: Pick<PageContext, 'words'>,
): FormState {
  if (refused.reason === 'wait') return tooMany(refused.retryAfterSeconds, accounts.wait)
  const tell: Record<typeof refused.reason, FormState> = {
    password: { status: 403, messages: { present: [accounts.account.wrongPassword] } },
    code: { status: 403, messages: { code: [accounts.factor.wrongCode] } },
    passkey: { status: 403, note: notice('bad', security.passkeys.wrong) },
    same: { status: 400, messages: { password: [accounts.samePassword] } },
  }
  return tell[refused.reason]
}

export const presentPasswordField = (
  { words: { accounts } }: Pick<PageContext, 'words'>,
  messages: FieldMessages,
  autofocus = false,
): Html =>
  textField({
    autofocus,
    name: 'present',
    type: 'password',
    label: accounts.account.present,
    errors: messages['present'],
    autocomplete: 'current-password',
  })

interface Framed extends Pick<View, 'script'> {
  content: Html
  status?: number | undefined
  headers?: Record<string, string> | undefined
}

/** A page under Settings → Account. */
export const framedAccount = (
  context: OwnContext,
  title: string,
  { content, status = 200, headers = {}, ...rest }: Framed,
): View => ({
  title,
  body: settingsFrame(context, '/settings/account', { title, content }),
  layout: 'wide',
  status,
  headers,
  ...rest,
})
