// Asks a signed-in user for the password or a passkey again, before anything that an unattended browser must not be
// enough for, then returns to where they were going. The session gets a new token.
import { z } from 'zod'
import { html } from '../http/html.ts'
import { definePage, type Redirect, type View } from '../http/page.ts'
import { button, postForm } from '../parts/form.ts'
import {
  type FormState,
  memberOf,
  type OwnContext,
  presentPasswordField,
  refusalOfChange,
  sent,
} from './account-forms.ts'
import { enterSite, localOnly, narrowView, nextField } from './login-pages.ts'
import { answerIn, passkeyFields, passkeyForm, question } from './passkey-form.ts'

const PATH = '/settings/confirm'

const confirmPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  duringEnrolment: true,
  query: z.object({ next: sent }),
  handle: (context) => confirmView(context, context.query.next, {}),
})

const confirmAction = definePage({
  method: 'POST',
  path: PATH,
  access: 'user',
  duringEnrolment: true,
  form: () => z.object({ present: sent, next: sent }),
  handle: (context) => confirm(context, { password: context.given['present'] ?? '' }),
})

const passkeyOptions = definePage({
  method: 'POST',
  path: `${PATH}/passkey/options`,
  access: 'user',
  isData: true,
  handle: (context) =>
    question(context, (party) =>
      context.services.accounts.passkeys.beginUse({ purpose: 'confirm', userId: context.viewer.userId }, party),
    ),
})

const passkeyAction = definePage({
  method: 'POST',
  path: `${PATH}/passkey`,
  access: 'user',
  form: () => passkeyFields,
  handle: (context) => confirm(context, { passkey: answerIn(context) }),
})

export const confirmPages = [confirmPage, confirmAction, passkeyOptions, passkeyAction]

type Proof = { password: string } | { passkey: ReturnType<typeof answerIn> }

async function confirm(context: OwnContext, proof: Proof): Promise<View | Redirect> {
  const { viewer, services } = context
  const next = context.given['next'] ?? ''
  const confirmed = await services.accounts.ownAccount.confirmIdentity(memberOf(context), {
    sessionId: viewer.sessionId,
    ...proof,
  })
  return confirmed.ok
    ? enterSite(context, confirmed.value, localOnly(next) || '/settings/account')
    : await confirmView(context, next, refusalOfChange(confirmed, context))
}

async function confirmView(context: OwnContext, next: string, form: FormState): Promise<View> {
  const { title, help, submit } = context.words.security.confirm
  const { passkeys } = await context.services.accounts.secondFactor.describe(context.viewer.userId)
  const withPasskey =
    passkeys > 0 &&
    passkeyForm(context, {
      action: `${PATH}/passkey`,
      options: `${PATH}/passkey/options`,
      kind: 'get',
      label: context.words.security.passkeys.use,
      fields: nextField(next),
    })
  const content = html`<p>${help}</p>
${postForm(context, {
  action: PATH,
  body: html`<input type="text" name="username" value="${context.viewer.username}" autocomplete="username" hidden>
${presentPasswordField(context, form.messages ?? {}, true)}${nextField(next)}${button(submit)}`,
})}
${withPasskey}`
  return narrowView({ title, content, usesPasskey: Boolean(withPasskey) }, form)
}
