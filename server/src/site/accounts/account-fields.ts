// Shared by the account forms: the rules for names and passwords as the services enforce them, with messages in the
// reader's language, and the two fields for a new password.
import { z } from 'zod'
import { type PasswordFault, passwordFault, WeakPassword } from '../../accounts/passwords.ts'
import type { FieldMessages } from '../../errors.ts'
import { type Html, html } from '../http/html.ts'
import type { AccountsWords } from '../i18n/en/accounts.ts'
import type { Words } from '../i18n/en/all.ts'
import { textField } from '../parts/form.ts'

/** Treats a missing field as empty. */
export const sent = z.string().catch('')

export const usernameRule = (words: AccountsWords) =>
  sent.transform((text) => text.trim()).pipe(z.string().regex(/^[a-z\d][a-z\d._-]{1,63}$/i, words.badUsername))

/** Doesn't compare the password with the username; the services do that, because they know the user. */
export const passwordRule = (words: Words) =>
  sent.pipe(
    z.string().superRefine((password, check) => {
      const fault = passwordFault(password, '')
      if (fault) check.addIssue({ code: 'custom', message: tellFault(fault, words) })
    }),
  )

/** What is wrong with a new password, for its field. Rethrows any other error. */
export function weakPasswordMessages(error: unknown, words: Words): FieldMessages {
  if (error instanceof WeakPassword) return { password: [tellFault(error.fault, words)] }
  throw error
}

const tellFault = (fault: PasswordFault, { accounts, security }: Words): string =>
  ({ short: accounts.shortPassword, long: accounts.longPassword, ...security.weakPassword })[fault]

/** For a form in which a new password is typed twice, as `password` and `repeat`. */
export const repeatRule = (
  words: AccountsWords,
): [isRight: (values: { password: string; repeat: string }) => boolean, fault: { path: string[]; error: string }] => [
  ({ password, repeat }) => password === repeat,
  { path: ['repeat'], error: words.differentPassword },
]

export const newPasswordFields = (words: AccountsWords, messages: FieldMessages): Html =>
  html`${textField({
    name: 'password',
    type: 'password',
    label: words.newPassword,
    help: words.passwordHelp,
    errors: messages['password'],
    autocomplete: 'new-password',
  })}${textField({
    name: 'repeat',
    type: 'password',
    label: words.repeatPassword,
    errors: messages['repeat'],
    autocomplete: 'new-password',
  })}`
