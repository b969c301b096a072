// Before a sensitive action, asks a signed-in user for the password, a passkey or an account elsewhere again, so that someone at an unattended
// browser can't perform it. Then redirects to where the user was going, and the session gets a new token.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Oidc } from '../../oidc/oidc.ts'
import { html } from '../http/html.ts'
import { definePage, type Page, type Redirect, type View } from '../http/page.ts'
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

export interface ConfirmPagesParts {
  accounts: Accounts
  oidc: Oidc | undefined
}

const PATH = '/settings/confirm'

const ConfirmQuery = z.object({ next: textInput })

const confirmPage = ({ accounts, oidc }: ConfirmPagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    duringEnrolment: true,
    query: ConfirmQuery,
    handle: (context) => confirmView({ accounts, oidc }, context, context.query.next, {}),
  })

const confirmForm = () => z.object({ present: textInput, next: textInput })

const confirmAction = ({ accounts, oidc }: ConfirmPagesParts) =>
  definePage({
    method: 'POST',
    path: PATH,
    access: 'user',
    duringEnrolment: true,
    form: confirmForm,
    handle: (context) => confirm({ accounts, oidc }, context, { password: context.submitted['present'] ?? '' }),
  })

const passkeyOptions = ({ accounts }: ConfirmPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/passkey/options`,
    access: 'user',
    isData: true,
    handle: (context) =>
      challengeReply(accounts, context, (party) =>
        accounts.passkeys.beginUse({ purpose: 'confirm', userId: context.viewer.userId }, party),
      ),
  })

const passkeyAction = ({ accounts, oidc }: ConfirmPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/passkey`,
    access: 'user',
    form: () => passkeyFields,
    handle: (context) => confirm({ accounts, oidc }, context, { passkey: passkeyAnswerOf(context) }),
  })

export const confirmPages = (parts: ConfirmPagesParts): Page[] => [
  confirmPage(parts),
  confirmAction(parts),
  passkeyOptions(parts),
  passkeyAction(parts),
]

type Proof = { password: string } | { passkey: ReturnType<typeof passkeyAnswerOf> }

async function confirm(parts: ConfirmPagesParts, context: SignedInContext, proof: Proof): Promise<View | Redirect> {
  const { viewer } = context
  const next = context.submitted['next'] ?? ''
  const confirmed = await parts.accounts.ownAccount.confirmIdentity(memberOf(context), {
    sessionId: viewer.sessionId,
    ...proof,
  })
  return confirmed.ok
    ? startSessionAndRedirect(context, { session: confirmed.value }, localPathOrEmpty(next) || '/settings/account')
    : await confirmView(parts, context, next, refusalOfChange(confirmed, context))
}

export async function confirmView(
  { accounts, oidc }: ConfirmPagesParts,
  context: SignedInContext,
  next: string,
  form: FormState,
): Promise<View> {
  const { viewer, words } = context
  const { title, help, helpElsewhere, submit } = words.security.confirm
  const [{ passkeys }, { issuers, hasPassword }] = await Promise.all([
    accounts.secondFactor.describe(viewer.userId),
    accounts.identities.describe(viewer.userId),
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
  const connected = (oidc?.providers ?? []).filter(({ issuer }) => issuers.includes(issuer))
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
