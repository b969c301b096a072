// Signing in with an identity provider, connecting an account there to one's own here, and confirming with it who one is.
// All three leave this site by a form, and come back to the same page with what the provider says.
//
// The form is answered with a page that leads on, not with a redirect: browsers apply `form-action` to all redirects that
// follow a form, and only the provider knows through which hosts it takes people.
import { z } from 'zod'
import { callbackPath, type FinishVerdict, type Oidc } from '../../oidc/oidc.ts'
import { PENDING_SECONDS, type SignInIntent } from '../../oidc/pending-sign-in.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage, type PageContext, type PageReply, redirectTo, type View } from '../http/page.ts'
import { cookieName } from '../http/page-context.ts'
import { notice } from '../parts/notice.ts'
import {
  type FormState,
  localPathOrEmpty,
  memberOf,
  refusalOfChange,
  type SignedInContext,
  textInput,
  tooManyAttempts,
  visitorOf,
} from './account-forms.ts'
import { accountView } from './account-pages.ts'
import { confirmView } from './confirm-pages.ts'
import { leavingView } from './identity-forms.ts'
import { followVerdict, loginView, refusedSignIn, startSessionAndRedirect } from './login-pages.ts'

const PENDING_COOKIE = 'bowerbird_oidc'
/** So that the cookie stays small enough for every browser. */
const MAX_NEXT_LENGTH = 1_000

const signInAction = definePage({
  method: 'POST',
  path: '/login/with/:provider',
  access: 'signed-out',
  form: () => z.object({ next: textInput }),
  async handle(context) {
    const next = nextOf(context)
    if (await context.services.accounts.firstRun.isNeeded()) return redirectTo('/setup')
    return await leave(context, { purpose: 'sign-in', next }, (form) => loginView(context, { next, ...form }))
  },
})

const connectAction = definePage({
  method: 'POST',
  path: '/settings/account/identities/:provider/connect',
  access: 'user',
  stepUp: '/settings/account',
  async handle(context) {
    const { userId, sessionId } = context.viewer
    return await leave(context, { purpose: 'connect', userId, sessionId }, (form) => accountView(context, form))
  },
})

const disconnectAction = definePage({
  method: 'POST',
  path: '/settings/account/identities/:provider/disconnect',
  access: 'user',
  stepUp: '/settings/account',
  async handle(context) {
    const { words, services } = context
    const { issuer } = providerOf(context)
    const verdict = await services.accounts.identities.disconnect(memberOf(context), issuer)
    if (verdict === 'disconnected') return redirectTo('/settings/account?done=disconnected')
    return await accountView(context, { status: 409, note: notice('bad', words.accounts.identity.onlyWay) })
  },
})

const confirmAction = definePage({
  method: 'POST',
  path: '/settings/confirm/with/:provider',
  access: 'user',
  duringEnrolment: true,
  form: () => z.object({ next: textInput }),
  async handle(context) {
    const { userId, sessionId } = context.viewer
    const next = nextOf(context)
    const intent = { purpose: 'confirm', userId, sessionId, next } as const
    return await leave(context, intent, (form) => confirmView(context, next, form))
  },
})

/** What providers send; the library reads it. */
const ANSWER_FIELDS = ['code', 'state', 'iss', 'error', 'error_description', 'session_state'] as const

const callbackPage = definePage({
  method: 'GET',
  path: callbackPath(':provider'),
  access: 'anyone',
  query: z.object(Object.fromEntries(ANSWER_FIELDS.map((name) => [name, z.unknown().optional()]))),
  async handle(context) {
    const { slug } = providerOf(context)
    const seconds = context.services.accounts.signInElsewhere.waitBeforeCall(context.ip)
    if (seconds > 0) return signInView(context, '', tooManyAttempts(seconds, context))
    const cookie = pendingCookie(context)
    const query = context.address.slice(context.path.length + 1)
    const verdict = await oidcOf(context).finish(slug, { query, pending: context.cookie(cookie) ?? '' })
    context.clearCookie(cookie)
    if (!verdict.ok) return await explain(context, verdict)
    const { intent, identity } = verdict
    if (intent.purpose === 'sign-in') {
      const signedIn = await context.services.accounts.signInElsewhere.withIdentity(identity, visitorOf(context))
      const { next } = intent
      const refused = refusedSignIn(signedIn, context, context.words.accounts.identity.notConnectedYet)
      return followVerdict(context, signedIn, next) ?? signInView(context, next, refused)
    }
    if (!isSameMember(context, intent)) return redirectTo('/login?done=expired')
    return intent.purpose === 'connect' ? await connect(context, verdict) : await confirm(context, verdict, intent.next)
  },
})

export const oidcPages = [signInAction, connectAction, disconnectAction, confirmAction, callbackPage]

type Proven = Extract<FinishVerdict, { ok: true }>

async function connect(context: SignedInContext, { identity }: Proven): Promise<PageReply> {
  const { taken, another } = context.words.accounts.identity
  const verdict = await context.services.accounts.identities.connect(memberOf(context), identity)
  if (verdict === 'connected') return redirectTo('/settings/account?done=connected')
  const { name } = providerOf(context)
  const text = verdict === 'taken' ? taken({ name }) : another({ name })
  return await accountView(context, { status: 409, note: notice('bad', text) })
}

async function confirm(context: SignedInContext, { identity }: Proven, next: string): Promise<PageReply> {
  const { services, viewer } = context
  const proof = { sessionId: viewer.sessionId, identity }
  const confirmed = await services.accounts.ownAccount.confirmIdentity(memberOf(context), proof)
  return confirmed.ok
    ? startSessionAndRedirect(context, { session: confirmed.value }, next || '/settings/account')
    : await confirmView(context, next, refusalOfChange(confirmed, context))
}

/** The same person in the same session as before they left; nobody else may finish what they began. */
const isSameMember = (
  context: PageContext,
  { userId, sessionId }: Extract<SignInIntent, { userId: string }>,
): context is SignedInContext => context.viewer?.userId === userId && context.viewer.sessionId === sessionId

async function explain(context: PageContext, verdict: Extract<FinishVerdict, { ok: false }>): Promise<PageReply> {
  if (verdict.reason === 'expired') return redirectTo('/login?done=expired')
  const { words, services } = context
  const { reason, intent } = verdict
  const { name } = providerOf(context)
  const { unavailable, denied, unproven, notAllowed } = words.accounts.identity
  const text = { unavailable, denied, unproven, 'not-allowed': notAllowed }[reason]({ name })
  const form: FormState = { ...(reason === 'unavailable' ? UNAVAILABLE : { status: 403 }), note: notice('bad', text) }
  if (reason === 'unproven' || reason === 'not-allowed') {
    const detail = reason === 'unproven' ? 'identity-provider' : reason
    await services.accounts.signInElsewhere.recordRefused(visitorOf(context), detail)
  }
  if (intent.purpose === 'sign-in') return signInView(context, intent.next, form)
  if (!isSameMember(context, intent)) return redirectTo('/login?done=expired')
  return intent.purpose === 'connect' ? await accountView(context, form) : await confirmView(context, intent.next, form)
}

/** Someone who has signed in meanwhile, in another window, is shown no form to sign in. */
const signInView = (context: PageContext, next: string, form: FormState): PageReply =>
  context.viewer ? redirectTo(next || '/') : loginView(context, { next, ...form })

const UNAVAILABLE = { status: 503, headers: { 'Retry-After': '30' } }

/** Sends the browser to the provider, or says why not in the form that it came from. */
async function leave(
  context: PageContext,
  intent: SignInIntent,
  refuse: (form: FormState) => View | Promise<View>,
): Promise<View> {
  const { slug, name } = providerOf(context)
  const seconds = context.services.accounts.signInElsewhere.waitBeforeCall(context.ip)
  if (seconds > 0) return await refuse(tooManyAttempts(seconds, context))
  const begun = await oidcOf(context).begin(slug, intent)
  if (!begun.ok) {
    const note = notice('bad', context.words.accounts.identity.unavailable({ name }))
    return await refuse({ ...UNAVAILABLE, note })
  }
  context.setCookie(pendingCookie(context), begun.pending, { maxAgeSeconds: PENDING_SECONDS })
  return leavingView(context, name, begun.location)
}

function oidcOf({ services: { oidc } }: PageContext): Oidc {
  if (!oidc) throw new PageError('notFound')
  return oidc
}

function providerOf(context: PageContext): Oidc['providers'][number] {
  const provider = oidcOf(context).providers.find(({ slug }) => slug === context.params['provider'])
  if (!provider) throw new PageError('notFound')
  return provider
}

const pendingCookie = ({ baseUrl }: PageContext): string => cookieName(PENDING_COOKIE, baseUrl.startsWith('https://'))

function nextOf({ submitted }: PageContext): string {
  const next = localPathOrEmpty(submitted['next'] ?? '')
  return next.length <= MAX_NEXT_LENGTH ? next : ''
}
