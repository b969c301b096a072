// What may come between the password and the site: the code of the second factor, and a password of one's own after one
// that an administrator made. Both stand on a ticket; without a good one they lead back to the beginning.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { html, type Piece } from '../http/html.ts'
import { definePage, redirectTo, type View, type Visit } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { button, postForm, textField } from '../parts/form.ts'
import { newPasswordFields, passwordRule, repeatRule, sent } from './account-fields.ts'
import { followVerdict, localOnly, ticketOf } from './after-sign-in.ts'
import { nextField, tooMany } from './login-pages.ts'

interface StepParts {
  next: string
  messages?: FieldMessages
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

const query = z.object({ next: sent })

const codePage = definePage({
  method: 'GET',
  path: '/login/code',
  access: 'signed-out',
  query,
  handle: async (visit) => ((await isAt(visit, 'code')) ? codeView(visit, visit.query) : startOver(visit.query.next)),
})

const codeAction = definePage({
  method: 'POST',
  path: '/login/code',
  access: 'signed-out',
  form: () => z.object({ code: sent, next: sent }),
  async handle(visit) {
    const { code, next } = visit.form.ok ? visit.form.values : { code: '', next: '' }
    const { ip, userAgent, words } = visit
    const given = { ticket: ticketOf(visit), code }
    const verdict = await visit.services.accounts.signIn.withCode(given, { address: ip, userAgent })
    const followed = followVerdict(visit, verdict, next)
    if (followed) return followed
    if (verdict.outcome === 'wait')
      return codeView(visit, { next, ...tooMany(verdict.retryAfterSeconds, words.accounts.wait) })
    return codeView(visit, { next, status: 403, messages: { code: [words.accounts.signIn.wrongCode] } })
  },
})

const newPasswordPage = definePage({
  method: 'GET',
  path: '/login/password',
  access: 'signed-out',
  query,
  handle: async (visit) =>
    (await isAt(visit, 'password')) ? newPasswordView(visit, visit.query) : startOver(visit.query.next),
})

const newPasswordAction = definePage({
  method: 'POST',
  path: '/login/password',
  access: 'signed-out',
  form: ({ accounts }) =>
    z.object({ password: passwordRule(accounts), repeat: sent, next: sent }).refine(...repeatRule(accounts)),
  async handle(visit) {
    const { ip, userAgent, words, form } = visit
    const next = visit.given['next'] ?? ''
    if (!form.ok) return newPasswordView(visit, { next, messages: form.messages, status: 400 })
    const given = { ticket: ticketOf(visit), password: form.values.password }
    const verdict = await visit.services.accounts.signIn.withNewPassword(given, { address: ip, userAgent })
    const messages = { password: [words.accounts.samePassword] }
    return followVerdict(visit, verdict, next) ?? newPasswordView(visit, { next, messages, status: 400 })
  },
})

export const loginSteps = [codePage, codeAction, newPasswordPage, newPasswordAction]

const isAt = async (visit: Visit, step: 'code' | 'password'): Promise<boolean> =>
  (await visit.services.accounts.signIn.findStep(ticketOf(visit))) === step

const startOver = (next: string) => redirectTo(addressOf('/login', { done: 'expired', next: localOnly(next) }))

function codeView(visit: Visit, { next, messages = {}, note, status = 200, headers = {} }: StepParts): View {
  const { code, codeTitle, codeHelp, startOver, continue: proceed } = visit.words.accounts.signIn
  const field = textField({
    name: 'code',
    label: code,
    help: codeHelp,
    errors: messages['code'],
    autocomplete: 'one-time-code',
    maxlength: 40,
    autofocus: true,
  })
  const body = html`<h1>${codeTitle}</h1>
${note}
${postForm(visit, { action: '/login/code', body: html`${field}${nextField(next)}${button(proceed)}` })}
<p><a href="/login">${startOver}</a></p>`
  return { title: codeTitle, body, layout: 'narrow', status, headers }
}

function newPasswordView(visit: Visit, { next, messages = {}, status = 200 }: StepParts): View {
  const { accounts } = visit.words
  const { newTitle, newHelp, continue: proceed } = accounts.signIn
  const fields = newPasswordFields(accounts, messages)
  const body = html`<h1>${newTitle}</h1>
<p>${newHelp}</p>
${postForm(visit, { action: '/login/password', body: html`${fields}${nextField(next)}${button(proceed)}` })}`
  return { title: newTitle, body, layout: 'narrow', status }
}
