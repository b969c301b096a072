// The first page of a new instance: whoever has the token that the server printed creates the administrator. Once there
// is a user, there is no such page any more.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { html } from '../http/html.ts'
import { definePage, redirectTo, type View, type Visit } from '../http/page.ts'
import { button, postForm, textField } from '../parts/form.ts'
import { newPasswordFields, passwordRule, repeatRule, sent, usernameRule } from './account-fields.ts'
import { enterSite } from './after-sign-in.ts'

const setupPage = definePage({
  method: 'GET',
  path: '/setup',
  access: 'signed-out',
  query: z.object({ token: sent }),
  async handle(visit) {
    if (!(await visit.services.accounts.firstRun.isNeeded())) return redirectTo('/login')
    return setupView(visit, { token: visit.query.token })
  },
})

const setupAction = definePage({
  method: 'POST',
  path: '/setup',
  access: 'signed-out',
  form: ({ accounts }) =>
    z
      .object({ token: sent, username: usernameRule(accounts), password: passwordRule(accounts), repeat: sent })
      .refine(...repeatRule(accounts)),
  async handle(visit) {
    const { form, given, userAgent, words } = visit
    const { token = '', username = '' } = given
    if (!form.ok) return setupView(visit, { token, username, messages: form.messages })
    const { values } = form
    const verdict = await visit.services.accounts.firstRun.createAdministrator({
      token: values.token.trim(),
      username: values.username,
      password: values.password,
      userAgent,
    })
    if (verdict.ok) return enterSite(visit, verdict.session, '/')
    if (verdict.reason === 'over') return redirectTo('/login')
    return setupView(visit, { token, username, messages: { token: [words.accounts.setup.wrongToken] } })
  },
})

export const setupPages = [setupPage, setupAction]

interface SetupParts {
  token: string
  username?: string
  messages?: FieldMessages
}

function setupView(visit: Visit, { token, username, messages }: SetupParts): View {
  const words = visit.words.accounts
  const { title, intro, submit, tokenHelp } = words.setup
  const errorsOf = (name: string) => messages?.[name]
  const body = html`<h1>${title}</h1>
<p>${intro}</p>
${postForm(visit, {
  action: '/setup',
  body: html`${textField({ name: 'token', label: words.setup.token, value: token, help: tokenHelp, errors: errorsOf('token'), autofocus: token === '' })}
${textField({ name: 'username', label: words.username, value: username, errors: errorsOf('username'), autocomplete: 'username', maxlength: 64, autofocus: token !== '' })}
${newPasswordFields(words, messages ?? {})}
${button(submit)}`,
})}`
  return { title, body, layout: 'narrow', status: messages ? 400 : 200, headers: { 'Cache-Control': 'no-store' } }
}
