// Signing in and out. The first step takes a username and password, or a passkey. More steps may follow before the
// session starts: a code or a passkey as the second factor, and a new password to replace one that an administrator
// generated. These steps require a ticket in a cookie, which by itself opens no page; without a valid ticket they
// redirect to the first step. `next`, the page originally requested, is passed on in URLs and forms and is always a
// local path.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { SignInRefusal, SignInVerdict, StepState } from '../../accounts/sign-in.ts'
import { providerOfSession } from '../../accounts/sign-in-elsewhere.ts'
import { Refusal } from '../../errors.ts'
import type { Oidc } from '../../oidc/oidc.ts'
import { html } from '../http/html.ts'
import { definePage, type Page, type PageContext, type Redirect, redirectTo, type View } from '../http/page.ts'
import { cookieName } from '../http/page-context.ts'
import type { TrustedHeader } from '../http/trusted-header.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import {
  deviceCookie,
  type FormState,
  localPathOrEmpty,
  memberOf,
  narrowView,
  newPasswordFields,
  nextField,
  passwordRule,
  repeatRule,
  type SignedInContext,
  textInput,
  tooManyAttempts,
  visitorOf,
  weakPasswordMessages,
} from './account-forms.ts'
import { leavingView, providerForms } from './identity-forms.ts'
import { challengeReply, passkeyAnswerOf, passkeyFields, passkeyForm } from './passkey-form.ts'

export interface LoginPagesParts {
  accounts: Accounts
  /** undefined: nobody signs in with an identity provider. */
  oidc: Oidc | undefined
  /** undefined: no header says who someone is. */
  trustedHeader: TrustedHeader | undefined
}

const TICKET_COOKIE = 'bowerbird_sign_in'
const TICKET_SECONDS = 600
/** The server decides when a session ends; the cookie must not expire earlier. */
const SESSION_COOKIE_SECONDS = 400 * 86_400
const DEVICE_COOKIE_SECONDS = 400 * 86_400

interface SignInForm extends FormState {
  next: string
  username?: string
}

const LoginQuery = z.object({
  next: textInput,
  done: z.enum(['signed-out', 'expired', 'deleted']).optional().catch(undefined),
})

const loginPage = (parts: LoginPagesParts) =>
  definePage({
    method: 'GET',
    path: '/login',
    access: 'signed-out',
    query: LoginQuery,
    async handle(context) {
      if (await parts.accounts.firstRun.isNeeded()) return redirectTo('/setup')
      const { done, next } = context.query
      // After signing out, the proxy still names them; they come back when they say so.
      if (done === undefined && context.trustedName !== undefined) return await signInByHeader(parts, context, next)
      const { signedOut, expired } = context.words.accounts.signIn
      const notes = {
        'signed-out': notice('good', signedOut),
        expired: notice('plain', expired),
        deleted: notice('good', context.words.people.data.deleted),
      }
      return loginView(parts, context, { next, ...(done && { note: notes[done] }) })
    },
  })

const loginForm = () => z.object({ username: textInput, password: textInput, next: textInput })

const loginAction = ({ accounts, oidc }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login',
    access: 'signed-out',
    form: loginForm,
    async handle(context) {
      const { username, password, next } = context.form.ok
        ? context.form.values
        : { username: '', password: '', next: '' }
      const credentials = { username: username.trim(), password }
      const verdict = await accounts.signIn.withPassword(credentials, visitorOf(context))
      return (
        followVerdict(context, verdict, next) ??
        loginView({ accounts, oidc }, context, { next, username, ...refusedSignIn(verdict, context) })
      )
    },
  })

const passkeyOptions = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/passkey/options',
    access: 'signed-out',
    isData: true,
    handle: (context) =>
      challengeReply(accounts, context, (party) => accounts.passkeys.beginUse({ purpose: 'sign-in' }, party)),
  })

const passkeyAction = ({ accounts, oidc }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/passkey',
    access: 'signed-out',
    form: () => passkeyFields,
    async handle(context) {
      const next = context.submitted['next'] ?? ''
      const verdict = await accounts.signIn.withPasskey(passkeyAnswerOf(context), visitorOf(context))
      const refused = refusedSignIn(verdict, context, context.words.security.passkeys.wrong)
      return followVerdict(context, verdict, next) ?? loginView({ accounts, oidc }, context, { next, ...refused })
    },
  })

const nextQuery = z.object({ next: textInput })

const codePage = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'GET',
    path: '/login/code',
    access: 'signed-out',
    query: nextQuery,
    handle: (context) => codeView(accounts, context, context.query),
  })

const codeFields = () => z.object({ code: textInput, next: textInput })

const codeAction = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/code',
    access: 'signed-out',
    form: codeFields,
    async handle(context) {
      const { code, next } = context.form.ok ? context.form.values : { code: '', next: '' }
      const { words } = context
      const verdict = await accounts.signIn.withCode({ ticket: ticketOf(context), code }, visitorOf(context))
      const wrong = { status: 403, messages: { code: [words.accounts.signIn.wrongCode] } }
      return (
        followVerdict(context, verdict, next) ??
        codeView(accounts, context, { next, ...refusedStep(verdict, context, wrong) })
      )
    },
  })

const codePasskeyOptions = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/code/passkey/options',
    access: 'signed-out',
    isData: true,
    async handle(context) {
      const { passkeys } = accounts
      const step = await stepOf(accounts, context)
      if (step?.step !== 'code') throw new Refusal('form_expired', 'Start again.')
      return await challengeReply(accounts, context, (party) =>
        passkeys.beginUse({ purpose: 'second-factor', userId: step.userId }, party),
      )
    },
  })

const codePasskeyAction = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/code/passkey',
    access: 'signed-out',
    form: () => passkeyFields,
    async handle(context) {
      const { words } = context
      const next = context.submitted['next'] ?? ''
      const proof = { ...passkeyAnswerOf(context), ticket: ticketOf(context) }
      const verdict = await accounts.signIn.withPasskeyAfterPassword(proof, visitorOf(context))
      const wrong = { status: 403, note: notice('bad', words.security.passkeys.wrong) }
      return (
        followVerdict(context, verdict, next) ??
        codeView(accounts, context, { next, ...refusedStep(verdict, context, wrong) })
      )
    },
  })

const newPasswordPage = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'GET',
    path: '/login/password',
    access: 'signed-out',
    query: nextQuery,
    handle: async (context) =>
      (await stepOf(accounts, context))?.step === 'password'
        ? newPasswordView(context, context.query)
        : startOver(context.query.next),
  })

const newPasswordForm = (words: Words) =>
  z.object({ password: passwordRule(words), repeat: textInput, next: textInput }).refine(...repeatRule(words.accounts))

const newPasswordAction = ({ accounts }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/password',
    access: 'signed-out',
    form: newPasswordForm,
    async handle(context) {
      const { words, form } = context
      const next = context.submitted['next'] ?? ''
      if (!form.ok) return newPasswordView(context, { next, messages: form.messages, status: 400 })
      const choice = { ticket: ticketOf(context), password: form.values.password }
      try {
        const verdict = await accounts.signIn.withNewPassword(choice, visitorOf(context))
        const same = { status: 400, messages: { password: [words.accounts.samePassword] } }
        const refused = refusedStep(verdict, context, same)
        return followVerdict(context, verdict, next) ?? newPasswordView(context, { next, ...refused })
      } catch (error) {
        return newPasswordView(context, { next, messages: weakPasswordMessages(error, words), status: 400 })
      }
    },
  })

/** Every page's menu links here, because pages with an ETag can't contain a CSRF token. */
const logoutPage = ({ oidc }: LoginPagesParts) =>
  definePage({
    method: 'GET',
    path: '/logout',
    access: 'user',
    duringEnrolment: true,
    handle(context) {
      const { security, frame } = context.words
      const provider = providerOfViewer(oidc, context)
      const there =
        provider &&
        html`<button type="submit" class="button button-plain" name="where" value="provider">${context.words.accounts.identity.signOutThere({ name: provider.name })}</button>`
      const body = actions(button(frame.signOut), there, buttonLink(frame.cancel, '/'))
      return {
        title: security.signOut.title,
        body: html`<h1>${security.signOut.title}</h1><p>${security.signOut.help}</p>${postForm(context, { action: '/logout', body })}`,
        layout: 'narrow',
      }
    },
  })

const logoutForm = () => z.object({ where: textInput })

const logoutAction = ({ accounts, oidc }: LoginPagesParts) =>
  definePage({
    method: 'POST',
    path: '/logout',
    access: 'user',
    duringEnrolment: true,
    form: logoutForm,
    async handle(context) {
      const { viewer, isPublic, endSession, submitted } = context
      const provider = submitted['where'] === 'provider' ? providerOfViewer(oidc, context) : undefined
      await accounts.sessions.end(memberOf(context), viewer.sessionId)
      endSession()
      const there = provider && (await oidc?.endSessionUrl(provider.slug))
      if (provider && there !== undefined) return leavingView(context, provider.name, there)
      return redirectTo(isPublic ? '/' : '/login?done=signed-out')
    },
  })

/** The identity provider that this session was started with, if people can still sign in with it. */
function providerOfViewer(oidc: Oidc | undefined, { viewer }: Pick<SignedInContext, 'viewer'>) {
  const slug = providerOfSession(viewer.signedInBy)
  return oidc?.providers.find((provider) => provider.slug === slug)
}

export const loginPages = (parts: LoginPagesParts): Page[] => [
  loginPage(parts),
  loginAction(parts),
  passkeyOptions(parts),
  passkeyAction(parts),
  codePage(parts),
  codeAction(parts),
  codePasskeyOptions(parts),
  codePasskeyAction(parts),
  newPasswordPage(parts),
  newPasswordAction(parts),
  logoutPage(parts),
  logoutAction(parts),
]

/** The proxy says who it is, so there is nothing to fill in. */
async function signInByHeader(parts: LoginPagesParts, context: PageContext, next: string): Promise<View | Redirect> {
  const { trustedName: username = '' } = context
  const name = { username, createsUser: parts.trustedHeader?.createsUsers ?? false }
  const verdict = await parts.accounts.signInElsewhere.withTrustedName(name, visitorOf(context))
  const { unknownToUs } = context.words.accounts.identity
  return (
    followVerdict(context, verdict, next) ??
    loginView(parts, context, { next, ...refusedSignIn(verdict, context, unknownToUs({ username })) })
  )
}

export function loginView(
  { accounts, oidc }: Pick<LoginPagesParts, 'accounts' | 'oidc'>,
  context: PageContext,
  form: SignInForm,
): View {
  const { next, username } = form
  const { accounts: words, security } = context.words
  const hasPassword = accounts.policy.isPasswordSignInOn
  const elsewhere = providerForms(context, oidc?.providers ?? [], {
    action: (slug) => `/login/with/${slug}`,
    label: words.identity.signIn,
    next,
    isPrimary: !hasPassword,
  })
  const asNamed =
    context.trustedName !== undefined &&
    html`<p>${buttonLink(words.identity.signInAs({ username: context.trustedName }), addressOf('/login', { next: localPathOrEmpty(next) }))}</p>`
  const withPasskey = passkeyForm(context, {
    action: '/login/passkey',
    options: '/login/passkey/options',
    kind: 'get',
    label: security.passkeys.signIn,
    fields: nextField(next),
  })
  const withPassword =
    hasPassword &&
    postForm(context, {
      action: '/login',
      body: html`${textField({ name: 'username', label: words.username, value: username, autocomplete: 'username', maxlength: 64, autofocus: !username })}
${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', autofocus: Boolean(username) })}
${nextField(next)}
${button(words.signIn.submit)}`,
    })
  const content = html`<p class="quiet">${words.signIn.whom({ host: new URL(context.baseUrl).host })}</p>
${asNamed}${withPassword}
${elsewhere}${withPasskey}`
  return narrowView({ title: words.signIn.title, content, usesPasskey: Boolean(withPasskey) }, form)
}

/** The status is 403, not 401, because no `Authorization` header would help. */
export function refusedSignIn(
  verdict: SignInVerdict,
  context: PageContext,
  wrong: string = context.words.accounts.signIn.wrong,
): FormState {
  const { accounts, security } = context.words
  const texts: Partial<Record<SignInRefusal, string>> = {
    disabled: accounts.signIn.disabled,
    service: context.words.people.service.noSignIn,
    stale: security.stalePassword,
    off: accounts.identity.passwordOff,
    'name-taken': accounts.identity.nameTaken,
  }
  const text = (verdict.outcome === 'refused' && texts[verdict.reason]) || wrong
  return refusedStep(verdict, context, { status: 403, note: notice('bad', text) })
}

/** The form after a refused step: in the state `wrong`, unless there were too many attempts. */
const refusedStep = (verdict: SignInVerdict, context: PageContext, wrong: FormState): FormState =>
  verdict.outcome === 'wait' ? tooManyAttempts(verdict.retryAfterSeconds, context) : wrong

const stepOf = (accounts: Accounts, context: PageContext): Promise<StepState | undefined> =>
  accounts.signIn.findStep(ticketOf(context))

const startOver = (next: string) => redirectTo(addressOf('/login', { done: 'expired', next: localPathOrEmpty(next) }))

/** Offers whichever of app, passkey and recovery codes the user has. */
async function codeView(accounts: Accounts, context: PageContext, form: SignInForm): Promise<View | Redirect> {
  const { next, messages = {} } = form
  const step = await stepOf(accounts, context)
  if (step?.step !== 'code') return startOver(next)
  const { security } = context.words
  const { code, codeTitle, codeHelp, startOver: again, continue: proceed } = context.words.accounts.signIn
  const withPasskey =
    step.hasPasskey &&
    passkeyForm(context, {
      action: '/login/code/passkey',
      options: '/login/code/passkey/options',
      kind: 'get',
      label: security.passkeys.use,
      look: step.hasApp ? 'plain' : 'primary',
      fields: nextField(next),
    })
  const field = textField({
    name: 'code',
    label: step.hasApp ? code : security.codeOrRecovery,
    help: step.hasApp ? codeHelp : security.recoveryHelp,
    errors: messages['code'],
    autocomplete: 'one-time-code',
    maxlength: 40,
    autofocus: step.hasApp,
  })
  const look = step.hasApp ? 'primary' : 'plain'
  const codeForm = postForm(context, {
    action: '/login/code',
    body: html`${field}${nextField(next)}${button(proceed, look)}`,
  })
  const content = html`${step.hasApp ? html`${codeForm}${withPasskey}` : html`${withPasskey}${codeForm}`}
<p><a href="/login">${again}</a></p>`
  return narrowView({ title: codeTitle, content, usesPasskey: Boolean(withPasskey) }, form)
}

function newPasswordView(context: PageContext, form: SignInForm): View {
  const { accounts } = context.words
  const { newTitle, newHelp, continue: proceed } = accounts.signIn
  const fields = newPasswordFields(accounts, form.messages ?? {})
  const content = html`<p>${newHelp}</p>
${postForm(context, { action: '/login/password', body: html`${fields}${nextField(form.next)}${button(proceed)}` })}`
  return narrowView({ title: newTitle, content }, form)
}

const ticketCookie = ({ baseUrl }: PageContext): string => cookieName(TICKET_COOKIE, baseUrl.startsWith('https://'))

const ticketOf = (context: PageContext): string => context.cookie(ticketCookie(context)) ?? ''

/** `device`: unless the session has only a new token. */
export function startSessionAndRedirect(
  context: PageContext,
  { session, device }: { session: string; device?: string },
  next: string,
): Redirect {
  context.startSession(session, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
  if (device !== undefined) {
    context.setCookie(deviceCookie(context), device, { maxAgeSeconds: DEVICE_COOKIE_SECONDS })
  }
  if (ticketOf(context) !== '') context.clearCookie(ticketCookie(context))
  return redirectTo(next === '' ? '/' : next)
}

/** Redirects as the verdict requires; undefined if it is a refusal that the form should explain. */
export function followVerdict(context: PageContext, verdict: SignInVerdict, next: string): Redirect | undefined {
  if (verdict.outcome === 'signed-in') return startSessionAndRedirect(context, verdict, next)
  if (verdict.outcome === 'next') {
    context.setCookie(ticketCookie(context), verdict.ticket, { maxAgeSeconds: TICKET_SECONDS })
    return redirectTo(addressOf(`/login/${verdict.step}`, { next: localPathOrEmpty(next) }))
  }
  if (verdict.outcome === 'refused' && verdict.reason === 'expired') {
    context.clearCookie(ticketCookie(context))
    return startOver(next)
  }
  return undefined
}
