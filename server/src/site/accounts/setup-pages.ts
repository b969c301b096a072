// The first page of a new instance: anyone with the token that the server printed can create the administrator. Once
// there is a user, it redirects to the sign-in page. A second page lists what to do next.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { KEYLESS_CHOICES, type KeylessChoice } from '../../settings/keyless-setting.ts'
import { chooseKeyless, keylessQuestion } from '../admin/keyless-page.ts'
import { html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo, type View } from '../http/page.ts'
import { button, postForm, textField } from '../parts/form.ts'
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

const DONE_PATH = '/admin/welcome'

const setupPage = definePage({
  method: 'GET',
  path: '/setup',
  access: 'signed-out',
  query: z.object({ token: textInput }),
  async handle(context) {
    if (!(await context.services.accounts.firstRun.isNeeded())) return redirectTo('/login')
    return setupView(context, { token: context.query.token })
  },
})

const setupAction = definePage({
  method: 'POST',
  path: '/setup',
  access: 'signed-out',
  form: (words) =>
    z
      .object({
        token: textInput,
        username: usernameRule(words.accounts),
        password: passwordRule(words),
        repeat: textInput,
      })
      .refine(...repeatRule(words.accounts)),
  async handle(context) {
    const { form, submitted, words } = context
    const { token = '', username = '' } = submitted
    const { accounts, keyless } = context.services
    const { firstRun } = accounts
    const chosen = keyless.isFixed ? undefined : KEYLESS_CHOICES.find((choice) => choice === submitted['keyless'])
    if (!form.ok) return setupView(context, { token, username, chosen, messages: form.messages })
    const input = { ...form.values, token: form.values.token.trim(), ...visitorOf(context) }
    const verdict = await firstRun
      .createAdministrator(input)
      .catch((error: unknown) => ({ ok: false, reason: weakPasswordMessages(error, words) }) as const)
    if (verdict.ok) {
      if (chosen) await chooseKeyless(context, chosen)
      return startSessionAndRedirect(context, verdict, DONE_PATH)
    }
    if (verdict.reason === 'over') return redirectTo('/login')
    const messages = verdict.reason === 'wrong' ? { token: [words.accounts.setup.wrongToken] } : verdict.reason
    return setupView(context, { token, username, chosen, messages })
  },
})

/** What a first administrator does next. */
const donePage = definePage({
  method: 'GET',
  path: DONE_PATH,
  access: 'admin',
  handle({ words: { accounts }, hasPage }) {
    const { title, intro, steps } = accounts.setup.done
    const items = NEXT_STEPS.map(
      ([name, path]) =>
        hasPage(path.split('#', 1)[0] ?? '') &&
        html`<li><a href="${path}">${steps[name].label}</a><br><span class="quiet">${steps[name].help}</span></li>`,
    )
    const body = html`<h1>${title}</h1><p>${intro}</p><ol class="stack">${items}</ol>
<p><a class="button button-primary" href="/">${accounts.setup.done.search}</a></p>`
    return { title, body, layout: 'narrow' }
  },
})

const NEXT_STEPS = [
  ['engines', '/admin/providers#engines'],
  ['browser', '/docs/connect'],
  ['people', '/admin/users/new'],
  ['key', '/settings/keys/new'],
] as const

export const setupPages = [setupPage, setupAction, donePage]

interface SetupParts {
  token: string
  username?: string
  chosen?: KeylessChoice | undefined
  messages?: FieldMessages
}

function setupView(context: PageContext, { token, username, chosen, messages }: SetupParts): View {
  const words = context.words.accounts
  const { title, intro, submit, tokenHelp } = words.setup
  const errorsOf = (name: string) => messages?.[name]
  const body = html`<h1>${title}</h1>
<p>${intro}</p>
${postForm(context, {
  action: '/setup',
  body: html`${textField({ name: 'token', label: words.setup.token, value: token, help: tokenHelp, errors: errorsOf('token'), autofocus: token === '' })}
${textField({ name: 'username', label: words.username, value: username, errors: errorsOf('username'), autocomplete: 'username', maxlength: 64, autofocus: token !== '' })}
${newPasswordFields(words, messages ?? {})}
${keylessQuestion(context, chosen ?? context.services.keyless.current)}
${button(submit)}`,
})}`
  return { title, body, layout: 'narrow', status: messages ? 400 : 200, headers: { 'Cache-Control': 'no-store' } }
}
