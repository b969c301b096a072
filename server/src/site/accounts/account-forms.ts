// Shared by the account pages: the current user in the form that the account services expect; the rules for names and
// passwords as the services enforce them, with messages in the reader's language; the state of a form after a refusal;
// and the small page that a form may be on.
import { z } from 'zod'
import type { Member, Visitor } from '../../accounts/account-parts.ts'
import type { OwnChangeResult } from '../../accounts/account-settings.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import { findPasswordFault, type PasswordFault, WeakPassword } from '../../accounts/passwords.ts'
import type { FieldMessages } from '../../errors.ts'
import type { AdminContext } from '../../keys/admin-context.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { isLocalPath, type PageContext, type View, type Viewer } from '../http/page.ts'
import { cookieName } from '../http/page-context.ts'
import type { Words } from '../i18n/messages.ts'
import { textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'

export type SignedInContext = PageContext<unknown, unknown, Viewer>

const DEVICE_COOKIE = 'bowerbird_device'

/** The cookie by which a browser is known after someone has signed in. It stays when they sign out. */
export const deviceCookie = ({ baseUrl }: Pick<PageContext, 'baseUrl'>): string =>
  cookieName(DEVICE_COOKIE, baseUrl.startsWith('https://'))

type FromBrowser = Pick<PageContext, 'ip' | 'userAgent' | 'cookie' | 'baseUrl'>

export const visitorOf = (context: FromBrowser): Visitor => ({
  address: context.ip,
  userAgent: context.userAgent,
  device: context.cookie(deviceCookie(context)),
})

export const memberOf = (context: FromBrowser & Pick<SignedInContext, 'viewer'>): Member & { username: string } => ({
  ...visitorOf(context),
  userId: context.viewer.userId,
  username: context.viewer.username,
})

/** For changing users and keys on behalf of the signed-in user. */
export const actingAccess = (
  accounts: Accounts,
  { ip, viewer }: Pick<SignedInContext, 'ip' | 'viewer'>,
): AdminContext => accounts.accessBy({ address: ip, userId: viewer.userId })

/** A text field of a form; a missing one is treated as empty. */
export const textInput = z.string().catch('')

export const usernameRule = (words: Words['accounts']) =>
  textInput.transform((text) => text.trim()).pipe(z.string().regex(/^[a-z\d][a-z\d._-]{1,63}$/i, words.badUsername))

/** Doesn't compare the password with the username; the services do that, because they know the user. */
export const passwordRule = (words: Words) =>
  textInput.pipe(
    z.string().superRefine((password, check) => {
      const fault = findPasswordFault(password, '')
      if (fault) check.addIssue({ code: 'custom', message: faultMessage(fault, words) })
    }),
  )

/** What is wrong with a new password, for its field. Rethrows any other error. */
export function weakPasswordMessages(error: unknown, words: Words): FieldMessages {
  if (error instanceof WeakPassword) return { password: [faultMessage(error.fault, words)] }
  throw error
}

const faultMessage = (fault: PasswordFault, { accounts, security }: Words): string =>
  ({ short: accounts.shortPassword, long: accounts.longPassword, ...security.weakPassword })[fault]

/** For a form in which a new password is typed twice, as `password` and `repeat`. */
export const repeatRule = (
  words: Words['accounts'],
): [isValid: (values: { password: string; repeat: string }) => boolean, fault: { path: string[]; error: string }] => [
  ({ password, repeat }) => password === repeat,
  { path: ['repeat'], error: words.differentPassword },
]

/** An account that has no password yet gets its first one: that isn't labelled “new”. */
export const newPasswordFields = (
  words: Words['accounts'],
  messages: FieldMessages,
  label: string = words.newPassword,
): Html =>
  html`${textField({
    name: 'password',
    type: 'password',
    label,
    // The error says what the help would repeat.
    ...(!messages['password'] && { help: words.passwordHelp }),
    errors: messages['password'],
    autocomplete: 'new-password',
  })}${textField({
    name: 'repeat',
    type: 'password',
    label: words.repeatPassword,
    errors: messages['repeat'],
    autocomplete: 'new-password',
  })}`

export const currentPasswordField = (
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

/** How a form is shown: with messages for its fields, a notice above it, and a status. */
export interface FormState {
  messages?: FieldMessages
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

/** Longer waits are said in minutes. */
const MOST_SECONDS_SAID = 99

export function tooManyAttempts(seconds: number, { words }: Pick<PageContext, 'words'>): FormState {
  const { waitSeconds, waitMinutes } = words.accounts
  const text =
    seconds > MOST_SECONDS_SAID ? waitMinutes({ minutes: Math.ceil(seconds / 60) }) : waitSeconds({ seconds })
  return { status: 429, headers: { 'Retry-After': String(seconds) }, note: notice('bad', text) }
}

export function refusalOfChange(
  refused: Extract<OwnChangeResult<unknown>, { ok: false }>,
  context: Pick<PageContext, 'words'>,
): FormState {
  if (refused.reason === 'wait') return tooManyAttempts(refused.retryAfterSeconds, context)
  const { accounts, security } = context.words
  const stateFor: Record<typeof refused.reason, FormState> = {
    password: { status: 403, messages: { present: [accounts.account.wrongPassword] } },
    code: { status: 403, messages: { code: [accounts.factor.wrongCode] } },
    passkey: { status: 403, note: notice('bad', security.passkeys.wrong) },
    identity: { status: 403, note: notice('bad', accounts.identity.notYours) },
    same: { status: 400, messages: { password: [accounts.samePassword] } },
  }
  return stateFor[refused.reason]
}

interface NarrowPage {
  title: string
  content: Html
  usesPasskey?: boolean
}

/** A small page with a form: a step of signing in, or confirming one's identity. */
export const narrowView = ({ title, content, usesPasskey = false }: NarrowPage, form: FormState): View => ({
  title,
  body: html`<h1>${title}</h1>
${form.note}
${content}`,
  layout: 'narrow',
  status: form.status ?? 200,
  headers: form.headers ?? {},
  ...(usesPasskey && { scripts: ['passkeys'] }),
})

export const nextField = (next: string): Piece =>
  localPathOrEmpty(next) !== '' && html`<input type="hidden" name="next" value="${next}">`

/** Returns '' for a URL on another site. */
export const localPathOrEmpty = (next: string): string => (isLocalPath(next) ? next : '')
