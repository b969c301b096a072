// Signing in with name and password, and signing out.
import { z } from 'zod'
import type { SignInVerdict } from '../../access/sign-in.ts'
import { html, type Piece } from '../http/html.ts'
import { definePage, redirectTo, type View, type Visit } from '../http/page.ts'
import { button, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { sent } from './account-fields.ts'
import { followVerdict, localOnly } from './after-sign-in.ts'

const loginPage = definePage({
  method: 'GET',
  path: '/login',
  access: 'signed-out',
  query: z.object({ next: sent, done: z.enum(['signed-out', 'expired']).optional().catch(undefined) }),
  async handle(visit) {
    if (await visit.services.accounts.firstRun.isNeeded()) return redirectTo('/setup')
    const { done, next } = visit.query
    const { signedOut, expired } = visit.words.accounts.signIn
    return loginView(visit, {
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
  async handle(visit) {
    const { username, password, next } = visit.form.ok ? visit.form.values : { username: '', password: '', next: '' }
    const { ip, userAgent } = visit
    const given = { username: username.trim(), password }
    const verdict = await visit.services.accounts.signIn.withPassword(given, { address: ip, userAgent })
    return followVerdict(visit, verdict, next) ?? loginView(visit, { next, username, ...refusalOf(verdict, visit) })
  },
})

const logoutAction = definePage({
  method: 'POST',
  path: '/logout',
  access: 'user',
  async handle({ viewer, services, endSession }) {
    await services.accounts.sessions.endOne(viewer.userId, viewer.sessionId)
    endSession()
    return redirectTo(services.isPublic ? '/' : '/login?done=signed-out')
  },
})

export const loginPages = [loginPage, loginAction, logoutAction]

interface LoginParts {
  next: string
  username?: string
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

function loginView(visit: Visit, { next, username, note, status = 200, headers = {} }: LoginParts): View {
  const words = visit.words.accounts
  const body = html`<h1>${words.signIn.title}</h1>
${note}
${postForm(visit, {
  action: '/login',
  body: html`${textField({ name: 'username', label: words.username, value: username, autocomplete: 'username', maxlength: 64, autofocus: !username })}
${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', autofocus: Boolean(username) })}
${nextField(next)}
${button(words.signIn.submit)}`,
})}`
  return { title: words.signIn.title, body, layout: 'narrow', status, headers }
}

export const nextField = (next: string): Piece =>
  localOnly(next) !== '' && html`<input type="hidden" name="next" value="${next}">`

/** 403 and not 401: there is no header with which a browser could do better. */
function refusalOf(verdict: SignInVerdict, { words: { accounts } }: Pick<Visit, 'words'>) {
  if (verdict.outcome === 'wait') return tooMany(verdict.retryAfterSeconds, accounts.wait)
  const isDisabled = verdict.outcome === 'refused' && verdict.reason === 'disabled'
  return { status: 403, note: notice('bad', isDisabled ? accounts.signIn.disabled : accounts.signIn.wrong) }
}

export const tooMany = (seconds: number, tell: (seconds: number) => string) => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  note: notice('bad', tell(seconds)),
})
