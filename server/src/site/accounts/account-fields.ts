// What the forms of accounts share: the rules of names and passwords as the services keep them, said in the reader's
// language beside the field, and the two fields in which a new password is typed.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { type Html, html } from '../http/html.ts'
import { textField } from '../parts/form.ts'
import type { AccountsWords } from '../i18n/en/accounts.ts'

const SHORTEST = 10
const LONGEST = 1_000

/** As the services count: characters, not code units, of the form that is kept. */
const lengthOf = (password: string): number => Array.from(password.normalize('NFKC')).length

/** A field that is missing is an empty one. */
export const sent = z.string().catch('')

export const usernameRule = (words: AccountsWords) =>
  sent.transform((text) => text.trim()).pipe(z.string().regex(/^[a-z\d][a-z\d._-]{1,63}$/i, words.badUsername))

export const passwordRule = (words: AccountsWords) =>
  sent.pipe(
    z
      .string()
      .refine((text) => lengthOf(text) >= SHORTEST, words.shortPassword)
      .refine((text) => lengthOf(text) <= LONGEST, words.longPassword),
  )

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
