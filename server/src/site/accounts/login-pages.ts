// Signing in with name and password or with a passkey, and signing out.
import { z } from 'zod'
import type { SignInVerdict } from '../../accounts/sign-in.ts'
import { html, type Piece } from '../http/html.ts'
import { definePage, type PageContext, redirectTo, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { passkeyForm } from '../parts/passkey-form.ts'
import { sent } from './account-fields.ts'
import { followVerdict, localOnly } from './after-sign-in.ts'
import { memberOf, visitorOf } from './member.ts'
import { answerIn, passkeyFields, question } from './passkey-answers.ts'

const loginPage = definePage({
  method: 'GET',
  path: '/login',
  access: 'signed-out',
  query: z.object({ next: sent, done: z.enum(['signed-out', 'expired']).optional().catch(undefined) }),
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
  form: () => z.object({ username: sent, password: sent, next: sent }),
  async handle(context) {
    const { username, password, next } = context.form.ok
      ? context.form.values
      : { username: '', password: '', next: '' }
    const given = { username: username.trim(), password }
    const verdict = await context.services.accounts.signIn.withPassword(given, visitorOf(context))
    return (
      followVerdict(context, verdict, next) ?? loginView(context, { next, username, ...refusalOf(verdict, context) })
    )
  },
})

const passkeyOptions = definePage({
  method: 'POST',
  path: '/login/passkey/options',
  access: 'signed-out',
  isData: true,
  handle: (context) =>
    question(context, (party) => context.services.accounts.passkeys.beginUse({ purpose: 'sign-in' }, party)),
})

const passkeyAction = definePage({
  method: 'POST',
  path: '/login/passkey',
  access: 'signed-out',
  form: () => passkeyFields,
  async handle(context) {
    const next = context.given['next'] ?? ''
    const verdict = await context.services.accounts.signIn.withPasskey(answerIn(context), visitorOf(context))
    const { passkeys } = context.words.security
    const refusal = refusalOf(verdict, context, passkeys.wrong)
    return followVerdict(context, verdict, next) ?? loginView(context, { next, ...refusal })
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

export const loginPages = [loginPage, loginAction, passkeyOptions, passkeyAction, logoutPage, logoutAction]

interface LoginParts {
  next: string
  username?: string
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

function loginView(context: PageContext, { next, username, note, status = 200, headers = {} }: LoginParts): View {
  const { accounts: words, security } = context.words
  const withPasskey = passkeyForm(context, {
    action: '/login/passkey',
    options: '/login/passkey/options',
    kind: 'get',
    label: security.passkeys.signIn,
    fields: nextField(next),
  })
  const body = html`<h1>${words.signIn.title}</h1>
${note}
${postForm(context, {
  action: '/login',
  body: html`${textField({ name: 'username', label: words.username, value: username, autocomplete: 'username', maxlength: 64, autofocus: !username })}
${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', autofocus: Boolean(username) })}
${nextField(next)}
${button(words.signIn.submit)}`,
})}
${withPasskey}`
  const script = withPasskey ? { script: 'passkeys' as const } : {}
  return { title: words.signIn.title, body, layout: 'narrow', status, headers, ...script }
}

export const nextField = (next: string): Piece =>
  localOnly(next) !== '' && html`<input type="hidden" name="next" value="${next}">`

/** 403, not 401: no request header would let the browser in. */
function refusalOf(
  verdict: SignInVerdict,
  { words: { accounts, security } }: Pick<PageContext, 'words'>,
  wrong = accounts.signIn.wrong,
) {
  if (verdict.outcome === 'wait') return tooMany(verdict.retryAfterSeconds, accounts.wait)
  const reason = verdict.outcome === 'refused' ? verdict.reason : 'wrong'
  const text = reason === 'disabled' ? accounts.signIn.disabled : reason === 'stale' ? security.stalePassword : wrong
  return { status: 403, note: notice('bad', text) }
}

export const tooMany = (seconds: number, tell: (seconds: number) => string) => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  note: notice('bad', tell(seconds)),
})
