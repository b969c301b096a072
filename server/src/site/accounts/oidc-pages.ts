// Signing in with an identity provider, connecting an account there to one's own here, and confirming with it who one is.
// All three leave this site by a form, and come back to the same page with what the provider says.
//
// The form is answered with a page that leads on, not with a redirect: browsers apply `form-action` to all redirects that
// follow a form, and only the provider knows through which hosts it takes people.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { INVITATION_PATH } from '../../accounts/invitations.ts'
import type { AuditReader } from '../../audit/audit-log.ts'
import { callbackPath, type FinishVerdict, type Oidc } from '../../oidc/oidc.ts'
import { PENDING_SECONDS, type SignInIntent } from '../../oidc/pending-sign-in.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage, type Page, type PageContext, type PageReply, redirectTo, type View } from '../http/page.ts'
import { cookieName } from '../http/page-context.ts'
import type { Words } from '../i18n/messages.ts'
import { notice } from '../parts/notice.ts'
import {
  type FormState,
  localPathOrEmpty,
  memberOf,
  refusalOfChange,
  type SignedInContext,
  textInput,
  tooManyAttempts,
  usernameRule,
  visitorOf,
} from './account-forms.ts'
import { accountView } from './account-pages.ts'
import { confirmView } from './confirm-pages.ts'
import { leavingView } from './identity-forms.ts'
import { acceptView } from './invitation-pages.ts'
import { followVerdict, loginView, refusedSignIn, startSessionAndRedirect } from './login-pages.ts'

export interface OidcPagesParts {
  accounts: Accounts
  audit: AuditReader
  oidc: Oidc | undefined
}

const PENDING_COOKIE = 'bowerbird_oidc'
/** So that the cookie stays small enough for every browser. */
const MAX_NEXT_LENGTH = 1_000

const signInForm = () => z.object({ next: textInput })

const signInAction = (parts: OidcPagesParts) =>
  definePage({
    method: 'POST',
    path: '/login/with/:provider',
    access: 'signed-out',
    form: signInForm,
    async handle(context) {
      const next = nextOf(context)
      if (await parts.accounts.firstRun.isNeeded()) return redirectTo('/setup')
      return await leave(parts, context, { purpose: 'sign-in', next }, (form) =>
        loginView(parts, context, { next, ...form }),
      )
    },
  })

const invitedForm = ({ accounts }: Words) => z.object({ username: usernameRule(accounts) })

const invitedAction = (parts: OidcPagesParts) =>
  definePage({
    method: 'POST',
    path: `${INVITATION_PATH}:token/with/:provider`,
    access: 'signed-out',
    form: invitedForm,
    async handle(context) {
      const { form, params } = context
      const token = params['token'] ?? ''
      const permission = parts.accounts.limits.forInvitation(context.ip)
      if (!permission.ok)
        return await acceptView(parts, context, tooManyAttempts(permission.retryAfterSeconds, context))
      if (!(await parts.accounts.invitations.find(token))) return await acceptView(parts, context, {})
      if (!form.ok) return await acceptView(parts, context, { messages: form.messages, status: 400 })
      const invitation = { token, username: form.values.username }
      return await leave(parts, context, { purpose: 'sign-in', next: '', invitation }, (state) =>
        acceptView(parts, context, state),
      )
    },
  })

const connectAction = (parts: OidcPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/account/identities/:provider/connect',
    access: 'user',
    stepUp: '/settings/account',
    async handle(context) {
      const { userId, sessionId } = context.viewer
      return await leave(parts, context, { purpose: 'connect', userId, sessionId }, (form) =>
        accountView(parts, context, form),
      )
    },
  })

const disconnectAction = ({ accounts, audit, oidc }: OidcPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/account/identities/:provider/disconnect',
    access: 'user',
    stepUp: '/settings/account',
    async handle(context) {
      const { words } = context
      const { issuer } = providerOf(oidc, context)
      const verdict = await accounts.identities.disconnect(memberOf(context), issuer)
      if (verdict === 'disconnected') return redirectTo('/settings/account?done=disconnected')
      return await accountView({ accounts, audit, oidc }, context, {
        status: 409,
        note: notice('bad', words.accounts.identity.onlyWay),
      })
    },
  })

const confirmForm = () => z.object({ next: textInput })

const confirmAction = (parts: OidcPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/confirm/with/:provider',
    access: 'user',
    duringEnrolment: true,
    form: confirmForm,
    async handle(context) {
      const { userId, sessionId } = context.viewer
      const next = nextOf(context)
      const intent = { purpose: 'confirm', userId, sessionId, next } as const
      return await leave(parts, context, intent, (form) => confirmView(parts, context, next, form))
    },
  })

/** What providers send; the library reads it. */
const ANSWER_FIELDS = ['code', 'state', 'iss', 'error', 'error_description', 'session_state'] as const

const CallbackQuery = z.object(Object.fromEntries(ANSWER_FIELDS.map((name) => [name, z.unknown().optional()])))

const callbackPage = (parts: OidcPagesParts) =>
  definePage({
    method: 'GET',
    path: callbackPath(':provider'),
    access: 'anyone',
    query: CallbackQuery,
    async handle(context) {
      const { slug } = providerOf(parts.oidc, context)
      const seconds = parts.accounts.signInElsewhere.waitBeforeCall(context.ip)
      if (seconds > 0) return signInView(parts, context, '', tooManyAttempts(seconds, context))
      const cookie = pendingCookie(context)
      const query = context.address.slice(context.path.length + 1)
      const verdict = await oidcOf(parts.oidc).finish(slug, { query, pending: context.cookie(cookie) ?? '' })
      context.clearCookie(cookie)
      if (!verdict.ok) return await explain(parts, context, verdict)
      const { intent, identity } = verdict
      if (intent.purpose === 'sign-in') {
        const { next, invitation } = intent
        const invited = invitation && { username: invitation.username, invitation: invitation.token }
        const { signInElsewhere } = parts.accounts
        const signedIn = await signInElsewhere.withIdentity({ ...identity, ...invited }, visitorOf(context))
        const refused = refusedSignIn(signedIn, context, context.words.accounts.identity.notConnectedYet)
        return followVerdict(context, signedIn, next) ?? signInView(parts, context, next, refused)
      }
      if (!isSameMember(context, intent)) return redirectTo('/login?done=expired')
      return intent.purpose === 'connect'
        ? await connect(parts, context, verdict)
        : await confirm(parts, context, verdict, intent.next)
    },
  })

export const oidcPages = (parts: OidcPagesParts): Page[] => [
  signInAction(parts),
  invitedAction(parts),
  connectAction(parts),
  disconnectAction(parts),
  confirmAction(parts),
  callbackPage(parts),
]

type Proven = Extract<FinishVerdict, { ok: true }>

async function connect(parts: OidcPagesParts, context: SignedInContext, { identity }: Proven): Promise<PageReply> {
  const { taken, another } = context.words.accounts.identity
  const verdict = await parts.accounts.identities.connect(memberOf(context), identity)
  if (verdict === 'connected') return redirectTo('/settings/account?done=connected')
  const { name } = providerOf(parts.oidc, context)
  const text = verdict === 'taken' ? taken({ name }) : another({ name })
  return await accountView(parts, context, { status: 409, note: notice('bad', text) })
}

async function confirm(
  parts: Pick<OidcPagesParts, 'accounts' | 'oidc'>,
  context: SignedInContext,
  { identity }: Proven,
  next: string,
): Promise<PageReply> {
  const { viewer } = context
  const proof = { sessionId: viewer.sessionId, identity }
  const confirmed = await parts.accounts.ownAccount.confirmIdentity(memberOf(context), proof)
  return confirmed.ok
    ? startSessionAndRedirect(context, { session: confirmed.value }, next || '/settings/account')
    : await confirmView(parts, context, next, refusalOfChange(confirmed, context))
}

/** The same person in the same session as before they left; nobody else may finish what they began. */
const isSameMember = (
  context: PageContext,
  { userId, sessionId }: Extract<SignInIntent, { userId: string }>,
): context is SignedInContext => context.viewer?.userId === userId && context.viewer.sessionId === sessionId

async function explain(
  parts: OidcPagesParts,
  context: PageContext,
  verdict: Extract<FinishVerdict, { ok: false }>,
): Promise<PageReply> {
  if (verdict.reason === 'expired') return redirectTo('/login?done=expired')
  const { words } = context
  const { reason, intent } = verdict
  const { name } = providerOf(parts.oidc, context)
  const { unavailable, denied, unproven, notAllowed } = words.accounts.identity
  const text = { unavailable, denied, unproven, 'not-allowed': notAllowed }[reason]({ name })
  const form: FormState = { ...(reason === 'unavailable' ? UNAVAILABLE : { status: 403 }), note: notice('bad', text) }
  if (reason === 'unproven' || reason === 'not-allowed') {
    const detail = reason === 'unproven' ? 'identity-provider' : reason
    await parts.accounts.signInElsewhere.recordRefused(visitorOf(context), detail)
  }
  if (intent.purpose === 'sign-in') return signInView(parts, context, intent.next, form)
  if (!isSameMember(context, intent)) return redirectTo('/login?done=expired')
  return intent.purpose === 'connect'
    ? await accountView(parts, context, form)
    : await confirmView(parts, context, intent.next, form)
}

/** Someone who has signed in meanwhile, in another window, is shown no form to sign in. */
const signInView = (
  parts: Pick<OidcPagesParts, 'accounts' | 'oidc'>,
  context: PageContext,
  next: string,
  form: FormState,
): PageReply => (context.viewer ? redirectTo(next || '/') : loginView(parts, context, { next, ...form }))

const UNAVAILABLE = { status: 503, headers: { 'Retry-After': '30' } }

/** Sends the browser to the provider, or says why not in the form that it came from. */
async function leave(
  { accounts, oidc }: Pick<OidcPagesParts, 'accounts' | 'oidc'>,
  context: PageContext,
  intent: SignInIntent,
  refuse: (form: FormState) => View | Promise<View>,
): Promise<View> {
  const { slug, name } = providerOf(oidc, context)
  const seconds = accounts.signInElsewhere.waitBeforeCall(context.ip)
  if (seconds > 0) return await refuse(tooManyAttempts(seconds, context))
  const begun = await oidcOf(oidc).begin(slug, intent)
  if (!begun.ok) {
    const note = notice('bad', context.words.accounts.identity.unavailable({ name }))
    return await refuse({ ...UNAVAILABLE, note })
  }
  context.setCookie(pendingCookie(context), begun.pending, { maxAgeSeconds: PENDING_SECONDS })
  return leavingView(context, name, begun.location)
}

function oidcOf(oidc: Oidc | undefined): Oidc {
  if (!oidc) throw new PageError('notFound')
  return oidc
}

function providerOf(oidc: Oidc | undefined, context: PageContext): Oidc['providers'][number] {
  const provider = oidcOf(oidc).providers.find(({ slug }) => slug === context.params['provider'])
  if (!provider) throw new PageError('notFound')
  return provider
}

const pendingCookie = ({ baseUrl }: PageContext): string => cookieName(PENDING_COOKIE, baseUrl.startsWith('https://'))

function nextOf({ submitted }: PageContext): string {
  const next = localPathOrEmpty(submitted['next'] ?? '')
  return next.length <= MAX_NEXT_LENGTH ? next : ''
}
