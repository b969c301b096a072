// The steps between the password and a session: a code or a passkey as second factor, and choosing a password to
// replace one that an administrator generated. Both require a ticket; without a valid one they redirect to the sign-in
// page.
import { z } from 'zod'
import type { StepState } from '../../accounts/sign-in.ts'
import { type FieldMessages, Refusal } from '../../errors.ts'
import { html, type Piece } from '../http/html.ts'
import { definePage, type PageContext, type Redirect, redirectTo, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { button, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { passkeyForm } from '../parts/passkey-form.ts'
import { newPasswordFields, passwordRule, repeatRule, sent, weakPasswordMessages } from './account-fields.ts'
import { followVerdict, localOnly, ticketOf } from './after-sign-in.ts'
import { nextField, tooMany } from './login-pages.ts'
import { visitorOf } from './member.ts'
import { answerIn, passkeyFields, question } from './passkey-answers.ts'

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
  handle: (context) => codeView(context, context.query),
})

const codeAction = definePage({
  method: 'POST',
  path: '/login/code',
  access: 'signed-out',
  form: () => z.object({ code: sent, next: sent }),
  async handle(context) {
    const { code, next } = context.form.ok ? context.form.values : { code: '', next: '' }
    const { words, services } = context
    const verdict = await services.accounts.signIn.withCode({ ticket: ticketOf(context), code }, visitorOf(context))
    const followed = followVerdict(context, verdict, next)
    if (followed) return followed
    if (verdict.outcome === 'wait')
      return codeView(context, { next, ...tooMany(verdict.retryAfterSeconds, words.accounts.wait) })
    return codeView(context, { next, status: 403, messages: { code: [words.accounts.signIn.wrongCode] } })
  },
})

const passkeyOptions = definePage({
  method: 'POST',
  path: '/login/code/passkey/options',
  access: 'signed-out',
  isData: true,
  async handle(context) {
    const { signIn, passkeys } = context.services.accounts
    const state = await signIn.findStep(ticketOf(context))
    if (state?.step !== 'code') throw new Refusal(403, 'Start again.')
    return await question(context, (party) =>
      passkeys.beginUse({ purpose: 'second-factor', userId: state.userId }, party),
    )
  },
})

const passkeyAction = definePage({
  method: 'POST',
  path: '/login/code/passkey',
  access: 'signed-out',
  form: () => passkeyFields,
  async handle(context) {
    const { words, services } = context
    const next = context.given['next'] ?? ''
    const given = { ...answerIn(context), ticket: ticketOf(context) }
    const verdict = await services.accounts.signIn.withPasskeyAfterPassword(given, visitorOf(context))
    const followed = followVerdict(context, verdict, next)
    if (followed) return followed
    if (verdict.outcome === 'wait')
      return codeView(context, { next, ...tooMany(verdict.retryAfterSeconds, words.accounts.wait) })
    return codeView(context, { next, status: 403, note: notice('bad', words.security.passkeys.wrong) })
  },
})

const newPasswordPage = definePage({
  method: 'GET',
  path: '/login/password',
  access: 'signed-out',
  query,
  handle: async (context) =>
    (await stateOf(context))?.step === 'password'
      ? newPasswordView(context, context.query)
      : startOver(context.query.next),
})

const newPasswordAction = definePage({
  method: 'POST',
  path: '/login/password',
  access: 'signed-out',
  form: (words) =>
    z.object({ password: passwordRule(words), repeat: sent, next: sent }).refine(...repeatRule(words.accounts)),
  async handle(context) {
    const { words, form } = context
    const next = context.given['next'] ?? ''
    if (!form.ok) return newPasswordView(context, { next, messages: form.messages, status: 400 })
    const given = { ticket: ticketOf(context), password: form.values.password }
    try {
      const verdict = await context.services.accounts.signIn.withNewPassword(given, visitorOf(context))
      const followed = followVerdict(context, verdict, next)
      if (followed) return followed
      if (verdict.outcome === 'wait')
        return newPasswordView(context, { next, ...tooMany(verdict.retryAfterSeconds, words.accounts.wait) })
      return newPasswordView(context, { next, messages: { password: [words.accounts.samePassword] }, status: 400 })
    } catch (error) {
      return newPasswordView(context, { next, messages: weakPasswordMessages(error, words), status: 400 })
    }
  },
})

export const loginSteps = [codePage, codeAction, passkeyOptions, passkeyAction, newPasswordPage, newPasswordAction]

const stateOf = (context: PageContext): Promise<StepState | undefined> =>
  context.services.accounts.signIn.findStep(ticketOf(context))

const startOver = (next: string) => redirectTo(addressOf('/login', { done: 'expired', next: localOnly(next) }))

/** Offers whichever of app, passkey and recovery codes the user has. */
async function codeView(
  context: PageContext,
  { next, messages = {}, note, status = 200, headers = {} }: StepParts,
): Promise<View | Redirect> {
  const state = await stateOf(context)
  if (state?.step !== 'code') return startOver(next)
  const { accounts, security } = context.words
  const { code, codeTitle, codeHelp, startOver: again, continue: proceed } = accounts.signIn
  const withPasskey =
    state.hasPasskey &&
    passkeyForm(context, {
      action: '/login/code/passkey',
      options: '/login/code/passkey/options',
      kind: 'get',
      label: security.passkeys.use,
      look: state.hasApp ? 'plain' : 'primary',
      fields: nextField(next),
    })
  const field = textField({
    name: 'code',
    label: state.hasApp ? code : security.codeOrRecovery,
    help: state.hasApp ? codeHelp : security.recoveryHelp,
    errors: messages['code'],
    autocomplete: 'one-time-code',
    maxlength: 40,
    autofocus: state.hasApp,
  })
  const look = state.hasApp ? 'primary' : 'plain'
  const form = postForm(context, {
    action: '/login/code',
    body: html`${field}${nextField(next)}${button(proceed, look)}`,
  })
  const body = html`<h1>${codeTitle}</h1>
${note}
${state.hasApp ? html`${form}${withPasskey}` : html`${withPasskey}${form}`}
<p><a href="/login">${again}</a></p>`
  const script = withPasskey ? { script: 'passkeys' as const } : {}
  return { title: codeTitle, body, layout: 'narrow', status, headers, ...script }
}

function newPasswordView(
  context: PageContext,
  { next, messages = {}, note, status = 200, headers = {} }: StepParts,
): View {
  const { accounts } = context.words
  const { newTitle, newHelp, continue: proceed } = accounts.signIn
  const fields = newPasswordFields(accounts, messages)
  const body = html`<h1>${newTitle}</h1>
${note}
<p>${newHelp}</p>
${postForm(context, { action: '/login/password', body: html`${fields}${nextField(next)}${button(proceed)}` })}`
  return { title: newTitle, body, layout: 'narrow', status, headers }
}
