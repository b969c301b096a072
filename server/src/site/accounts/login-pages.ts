// Signing in and out. The first step takes a username and password, or a passkey. More steps may follow before the
// session starts: a code or a passkey as the second factor, and a new password to replace one that an administrator
// generated. These steps require a ticket in a cookie, which by itself opens no page; without a valid ticket they
// redirect to the first step. `next`, the page originally requested, is passed on in URLs and forms and is always a
// local path.
import { z } from 'zod'
import type { SignInVerdict, StepState } from '../../accounts/sign-in.ts'
import { Refusal } from '../../errors.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, isLocalPath, type PageContext, type Redirect, redirectTo, type View } from '../http/page.ts'
import { cookieName } from '../http/page-context.ts'
import { addressOf } from '../parts/address.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import {
  deviceCookie,
  type FormState,
  memberOf,
  newPasswordFields,
  passwordRule,
  repeatRule,
  textInput,
  tooManyAttempts,
  visitorOf,
  weakPasswordMessages,
} from './account-forms.ts'
import { challengeReply, passkeyAnswerOf, passkeyFields, passkeyForm } from './passkey-form.ts'

const TICKET_COOKIE = 'bowerbird_sign_in'
const TICKET_SECONDS = 600
/** The server decides when a session ends; the cookie must not expire earlier. */
const SESSION_COOKIE_SECONDS = 400 * 86_400
const DEVICE_COOKIE_SECONDS = 400 * 86_400

interface SignInForm extends FormState {
  next: string
  username?: string
}

const loginPage = definePage({
  method: 'GET',
  path: '/login',
  access: 'signed-out',
  query: z.object({ next: textInput, done: z.enum(['signed-out', 'expired']).optional().catch(undefined) }),
  async handle(context) {
    if (await context.services.accounts.firstRun.isNeeded()) return redirectTo('/setup')
    const { done, next } = context.query
    const { signedOut, expired } = context.words.accounts.signIn
    return loginView(context, {
      next,
      ...(done && { note: done === 'expired' ? notice('plain', expired) : notice('good', signedOut) }),
    })
  },
})

const loginAction = definePage({
  method: 'POST',
  path: '/login',
  access: 'signed-out',
  form: () => z.object({ username: textInput, password: textInput, next: textInput }),
  async handle(context) {
    const { username, password, next } = context.form.ok
      ? context.form.values
      : { username: '', password: '', next: '' }
    const credentials = { username: username.trim(), password }
    const verdict = await context.services.accounts.signIn.withPassword(credentials, visitorOf(context))
    return (
      followVerdict(context, verdict, next) ??
      loginView(context, { next, username, ...refusedSignIn(verdict, context) })
    )
  },
})

const passkeyOptions = definePage({
  method: 'POST',
  path: '/login/passkey/options',
  access: 'signed-out',
  isData: true,
  handle: (context) =>
    challengeReply(context, (party) => context.services.accounts.passkeys.beginUse({ purpose: 'sign-in' }, party)),
})

const passkeyAction = definePage({
  method: 'POST',
  path: '/login/passkey',
  access: 'signed-out',
  form: () => passkeyFields,
  async handle(context) {
    const next = context.submitted['next'] ?? ''
    const verdict = await context.services.accounts.signIn.withPasskey(passkeyAnswerOf(context), visitorOf(context))
    const refused = refusedSignIn(verdict, context, context.words.security.passkeys.wrong)
    return followVerdict(context, verdict, next) ?? loginView(context, { next, ...refused })
  },
})

const nextQuery = z.object({ next: textInput })

const codePage = definePage({
  method: 'GET',
  path: '/login/code',
  access: 'signed-out',
  query: nextQuery,
  handle: (context) => codeView(context, context.query),
})

const codeAction = definePage({
  method: 'POST',
  path: '/login/code',
  access: 'signed-out',
  form: () => z.object({ code: textInput, next: textInput }),
  async handle(context) {
    const { code, next } = context.form.ok ? context.form.values : { code: '', next: '' }
    const { words, services } = context
    const verdict = await services.accounts.signIn.withCode({ ticket: ticketOf(context), code }, visitorOf(context))
    const wrong = { status: 403, messages: { code: [words.accounts.signIn.wrongCode] } }
    return followVerdict(context, verdict, next) ?? codeView(context, { next, ...refusedStep(verdict, context, wrong) })
  },
})

const codePasskeyOptions = definePage({
  method: 'POST',
  path: '/login/code/passkey/options',
  access: 'signed-out',
  isData: true,
  async handle(context) {
    const { passkeys } = context.services.accounts
    const step = await stepOf(context)
    if (step?.step !== 'code') throw new Refusal('form_expired', 'Start again.')
    return await challengeReply(context, (party) =>
      passkeys.beginUse({ purpose: 'second-factor', userId: step.userId }, party),
    )
  },
})

const codePasskeyAction = definePage({
  method: 'POST',
  path: '/login/code/passkey',
  access: 'signed-out',
  form: () => passkeyFields,
  async handle(context) {
    const { words, services } = context
    const next = context.submitted['next'] ?? ''
    const proof = { ...passkeyAnswerOf(context), ticket: ticketOf(context) }
    const verdict = await services.accounts.signIn.withPasskeyAfterPassword(proof, visitorOf(context))
    const wrong = { status: 403, note: notice('bad', words.security.passkeys.wrong) }
    return followVerdict(context, verdict, next) ?? codeView(context, { next, ...refusedStep(verdict, context, wrong) })
  },
})

const newPasswordPage = definePage({
  method: 'GET',
  path: '/login/password',
  access: 'signed-out',
  query: nextQuery,
  handle: async (context) =>
    (await stepOf(context))?.step === 'password'
      ? newPasswordView(context, context.query)
      : startOver(context.query.next),
})

const newPasswordAction = definePage({
  method: 'POST',
  path: '/login/password',
  access: 'signed-out',
  form: (words) =>
    z
      .object({ password: passwordRule(words), repeat: textInput, next: textInput })
      .refine(...repeatRule(words.accounts)),
  async handle(context) {
    const { words, form } = context
    const next = context.submitted['next'] ?? ''
    if (!form.ok) return newPasswordView(context, { next, messages: form.messages, status: 400 })
    const choice = { ticket: ticketOf(context), password: form.values.password }
    try {
      const verdict = await context.services.accounts.signIn.withNewPassword(choice, visitorOf(context))
      const same = { status: 400, messages: { password: [words.accounts.samePassword] } }
      const refused = refusedStep(verdict, context, same)
      return followVerdict(context, verdict, next) ?? newPasswordView(context, { next, ...refused })
    } catch (error) {
      return newPasswordView(context, { next, messages: weakPasswordMessages(error, words), status: 400 })
    }
  },
})

/** Every page's menu links here, because pages with an ETag can't contain a CSRF token. */
const logoutPage = definePage({
  method: 'GET',
  path: '/logout',
  access: 'user',
  duringEnrolment: true,
  handle(context) {
    const { security, frame } = context.words
    const body = actions(button(frame.signOut), buttonLink(frame.cancel, '/'))
    return {
      title: security.signOut.title,
      body: html`<h1>${security.signOut.title}</h1><p>${security.signOut.help}</p>${postForm(context, { action: '/logout', body })}`,
      layout: 'narrow',
    }
  },
})

const logoutAction = definePage({
  method: 'POST',
  path: '/logout',
  access: 'user',
  duringEnrolment: true,
  async handle(context) {
    const { viewer, services, endSession } = context
    await services.accounts.sessions.end(memberOf(context), viewer.sessionId)
    endSession()
    return redirectTo(services.isPublic ? '/' : '/login?done=signed-out')
  },
})

export const loginPages = [
  loginPage,
  loginAction,
  passkeyOptions,
  passkeyAction,
  codePage,
  codeAction,
  codePasskeyOptions,
  codePasskeyAction,
  newPasswordPage,
  newPasswordAction,
  logoutPage,
  logoutAction,
]

function loginView(context: PageContext, form: SignInForm): View {
  const { next, username } = form
  const { accounts: words, security } = context.words
  const withPasskey = passkeyForm(context, {
    action: '/login/passkey',
    options: '/login/passkey/options',
    kind: 'get',
    label: security.passkeys.signIn,
    fields: nextField(next),
  })
  const content = html`<p class="quiet">${words.signIn.whom(new URL(context.baseUrl).host)}</p>
${postForm(context, {
  action: '/login',
  body: html`${textField({ name: 'username', label: words.username, value: username, autocomplete: 'username', maxlength: 64, autofocus: !username })}
${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', autofocus: Boolean(username) })}
${nextField(next)}
${button(words.signIn.submit)}`,
})}
${withPasskey}`
  return narrowView({ title: words.signIn.title, content, usesPasskey: Boolean(withPasskey) }, form)
}

interface NarrowPage {
  title: string
  content: Html
  usesPasskey?: boolean
}

/** A small page with a form: a step of signing in, or confirming one's identity. */
export const narrowView = ({ title, content, usesPasskey = false }: NarrowPage, form: FormState): View => ({
  title,
  body: html`<h1>${title}</h1>
${form.note}
${content}`,
  layout: 'narrow',
  status: form.status ?? 200,
  headers: form.headers ?? {},
  ...(usesPasskey && { script: 'passkeys' }),
})

export const nextField = (next: string): Piece =>
  localPathOrEmpty(next) !== '' && html`<input type="hidden" name="next" value="${next}">`

/** The status is 403, not 401, because no `Authorization` header would help. */
function refusedSignIn(
  verdict: SignInVerdict,
  context: PageContext,
  wrong = context.words.accounts.signIn.wrong,
): FormState {
  const { accounts, security } = context.words
  const reason = verdict.outcome === 'refused' ? verdict.reason : 'wrong'
  const text = reason === 'disabled' ? accounts.signIn.disabled : reason === 'stale' ? security.stalePassword : wrong
  return refusedStep(verdict, context, { status: 403, note: notice('bad', text) })
}

/** The form after a refused step: in the state `wrong`, unless there were too many attempts. */
const refusedStep = (verdict: SignInVerdict, context: PageContext, wrong: FormState): FormState =>
  verdict.outcome === 'wait' ? tooManyAttempts(verdict.retryAfterSeconds, context) : wrong

const stepOf = (context: PageContext): Promise<StepState | undefined> =>
  context.services.accounts.signIn.findStep(ticketOf(context))

const startOver = (next: string) => redirectTo(addressOf('/login', { done: 'expired', next: localPathOrEmpty(next) }))

/** Offers whichever of app, passkey and recovery codes the user has. */
async function codeView(context: PageContext, form: SignInForm): Promise<View | Redirect> {
  const { next, messages = {} } = form
  const step = await stepOf(context)
  if (step?.step !== 'code') return startOver(next)
  const { accounts, security } = context.words
  const { code, codeTitle, codeHelp, startOver: again, continue: proceed } = accounts.signIn
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
function followVerdict(context: PageContext, verdict: SignInVerdict, next: string): Redirect | undefined {
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

/** Returns '' for a URL on another site. */
export const localPathOrEmpty = (next: string): string => (isLocalPath(next) ? next : '')
