// Before a sensitive action, asks a signed-in user for the password, a passkey or an account elsewhere again, so that someone at an unattended
// browser can't perform it. Then redirects to where the user was going, and the session gets a new token.
import { z } from 'zod'
import { html } from '../http/html.ts'
import { definePage, type Redirect, type View } from '../http/page.ts'
import { button, postForm } from '../parts/form.ts'
import {
  currentPasswordField,
  type FormState,
  localPathOrEmpty,
  memberOf,
  narrowView,
  nextField,
  refusalOfChange,
  type SignedInContext,
  textInput,
} from './account-forms.ts'
import { providerForms } from './identity-forms.ts'
import { startSessionAndRedirect } from './login-pages.ts'
import { challengeReply, passkeyAnswerOf, passkeyFields, passkeyForm } from './passkey-form.ts'

const PATH = '/settings/confirm'

const confirmPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  duringEnrolment: true,
  query: z.object({ next: textInput }),
  handle: (context) => confirmView(context, context.query.next, {}),
})

const confirmAction = definePage({
  method: 'POST',
  path: PATH,
  access: 'user',
  duringEnrolment: true,
  form: () => z.object({ present: textInput, next: textInput }),
  handle: (context) => confirm(context, { password: context.submitted['present'] ?? '' }),
})

const passkeyOptions = definePage({
  method: 'POST',
  path: `${PATH}/passkey/options`,
  access: 'user',
  isData: true,
  handle: (context) =>
    challengeReply(context, (party) =>
      context.services.accounts.passkeys.beginUse({ purpose: 'confirm', userId: context.viewer.userId }, party),
    ),
})

const passkeyAction = definePage({
  method: 'POST',
  path: `${PATH}/passkey`,
  access: 'user',
  form: () => passkeyFields,
  handle: (context) => confirm(context, { passkey: passkeyAnswerOf(context) }),
})

export const confirmPages = [confirmPage, confirmAction, passkeyOptions, passkeyAction]

type Proof = { password: string } | { passkey: ReturnType<typeof passkeyAnswerOf> }

async function confirm(context: SignedInContext, proof: Proof): Promise<View | Redirect> {
  const { viewer, services } = context
  const next = context.submitted['next'] ?? ''
  const confirmed = await services.accounts.ownAccount.confirmIdentity(memberOf(context), {
    sessionId: viewer.sessionId,
    ...proof,
  })
  return confirmed.ok
    ? startSessionAndRedirect(context, { session: confirmed.value }, localPathOrEmpty(next) || '/settings/account')
    : await confirmView(context, next, refusalOfChange(confirmed, context))
}

export async function confirmView(context: SignedInContext, next: string, form: FormState): Promise<View> {
  const { viewer, services, words } = context
  const { title, help, helpElsewhere, submit } = words.security.confirm
  const [{ passkeys }, { issuers, hasPassword }] = await Promise.all([
    services.accounts.secondFactor.describe(viewer.userId),
    services.accounts.identities.describe(viewer.userId),
  ])
  const withPasskey =
    passkeys > 0 &&
    passkeyForm(context, {
      action: `${PATH}/passkey`,
      options: `${PATH}/passkey/options`,
      kind: 'get',
      label: words.security.passkeys.use,
      fields: nextField(next),
    })
  const withPassword =
    hasPassword &&
    postForm(context, {
      action: PATH,
      body: html`<input type="text" name="username" value="${viewer.username}" autocomplete="username" hidden>
${currentPasswordField(context, form.messages ?? {}, true)}${nextField(next)}${button(submit)}`,
    })
  const connected = (services.oidc?.providers ?? []).filter(({ issuer }) => issuers.includes(issuer))
  const elsewhere = providerForms(context, connected, {
    action: (slug) => `${PATH}/with/${slug}`,
    label: words.accounts.identity.confirm,
    next,
    isPrimary: !hasPassword,
  })
  const content = html`<p>${hasPassword ? help : helpElsewhere}</p>
${withPassword}
${elsewhere}${withPasskey}`
  return narrowView({ title, content, usesPasskey: Boolean(withPasskey) }, form)
}
