// The first step of the first run: anyone with the token that the server printed can create the administrator. Once there
// is a user, it redirects to the sign-in page. The other steps are in `setup/first-run-pages.ts`.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { FieldMessages } from '../../errors.ts'
import type { EngineAdmin } from '../admin/engine-admin.ts'
import { html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { actions, button, postForm, textField } from '../parts/form.ts'
import { stepPath, stepView } from '../setup/step-view.ts'
import {
  newPasswordFields,
  passwordRule,
  repeatRule,
  textInput,
  usernameRule,
  visitorOf,
  weakPasswordMessages,
} from './account-forms.ts'
import { startSessionAndRedirect } from './login-pages.ts'

export interface SetupPagesParts {
  accounts: Accounts
  engines: EngineAdmin
}

const SetupQuery = z.object({ token: textInput })

const setupPage = ({ accounts, engines }: SetupPagesParts) =>
  definePage({
    method: 'GET',
    path: '/setup',
    access: 'signed-out',
    query: SetupQuery,
    async handle(context) {
      if (!(await accounts.firstRun.isNeeded())) return redirectTo('/login')
      return setupView(engines, context, { token: context.query.token })
    },
  })

const setupForm = (words: Words) =>
  z
    .object({
      token: textInput,
      username: usernameRule(words.accounts),
      password: passwordRule(words),
      repeat: textInput,
    })
    .refine(...repeatRule(words.accounts))

const setupAction = ({ accounts, engines }: SetupPagesParts) =>
  definePage({
    method: 'POST',
    path: '/setup',
    access: 'signed-out',
    form: setupForm,
    async handle(context) {
      const { form, submitted, words } = context
      const { token = '', username = '' } = submitted
      const { firstRun } = accounts
      if (!form.ok) return setupView(engines, context, { token, username, messages: form.messages })
      const input = { ...form.values, token: form.values.token.trim(), ...visitorOf(context) }
      const verdict = await firstRun
        .createAdministrator(input)
        .catch((error: unknown) => ({ ok: false, reason: weakPasswordMessages(error, words) }) as const)
      if (verdict.ok) return startSessionAndRedirect(context, verdict, stepPath('reach'))
      if (verdict.reason === 'over') return redirectTo('/login')
      const messages = verdict.reason === 'wrong' ? { token: [words.accounts.setup.wrongToken] } : verdict.reason
      return setupView(engines, context, { token, username, messages })
    },
  })

export const setupPages = (parts: SetupPagesParts): Page[] => [setupPage(parts), setupAction(parts)]

interface SetupParts {
  token: string
  username?: string
  messages?: FieldMessages
}

function setupView(engines: EngineAdmin, context: PageContext, { token, username, messages }: SetupParts): View {
  const words = context.words.accounts
  const { title, intro, submit, tokenHelp } = words.setup
  const errorsOf = (name: string) => messages?.[name]
  // The printed link brings the token along; the field is for people who typed the address, and for a wrong token.
  const isTokenKnown = token !== '' && !errorsOf('token')
  const tokenField = isTokenKnown
    ? html`<input type="hidden" name="token" value="${token}">`
    : textField({
        name: 'token',
        label: words.setup.token,
        value: token,
        help: tokenHelp,
        errors: errorsOf('token'),
        autofocus: true,
      })
  const body = html`${tokenField}
${textField({ name: 'username', label: words.username, value: username, errors: errorsOf('username'), autocomplete: 'username', maxlength: 64, autofocus: isTokenKnown })}
${newPasswordFields(words, messages ?? {}, words.password)}
${actions(button(submit))}`
  return stepView(engines, context, 'account', {
    title,
    content: html`<p>${intro}</p>${postForm(context, { action: '/setup', body })}`,
    status: messages ? 400 : 200,
    headers: { 'Cache-Control': 'no-store' },
  })
}
