// Redirects after a sign-in step: into the site, or to the next step with a ticket in a cookie. The ticket opens no
// page by itself. `next`, the page originally requested, is passed on in the URL and is only ever a local path.
import type { SignInVerdict } from '../../accounts/sign-in.ts'
import { cookieName } from '../http/cookies.ts'
import { isLocalPath, type PageContext, type Redirect, redirectTo } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'

const TICKET_COOKIE = 'bowerbird_sign_in'
const TICKET_SECONDS = 600

/** The server ends sessions; the cookie just must not expire before them. */
const SESSION_COOKIE_SECONDS = 400 * 86_400

type Traveller = Pick<PageContext, 'baseUrl' | 'cookie' | 'setCookie' | 'clearCookie' | 'startSession'>

const ticketCookie = ({ baseUrl }: Traveller): string => cookieName(TICKET_COOKIE, baseUrl.startsWith('https://'))

export const ticketOf = (context: Traveller): string => context.cookie(ticketCookie(context)) ?? ''

export function enterSite(context: Traveller, session: string, next: string): Redirect {
  context.startSession(session, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
  if (ticketOf(context) !== '') context.clearCookie(ticketCookie(context))
  return redirectTo(next === '' ? '/' : next)
}

/** Undefined if the verdict is a refusal, which the page words itself. */
export function followVerdict(context: Traveller, verdict: SignInVerdict, next: string): Redirect | undefined {
  if (verdict.outcome === 'signed-in') return enterSite(context, verdict.session, next)
  if (verdict.outcome === 'next') {
    context.setCookie(ticketCookie(context), verdict.ticket, { maxAgeSeconds: TICKET_SECONDS })
    return redirectTo(addressOf(`/login/${verdict.step}`, { next: localOnly(next) }))
  }
  if (verdict.outcome === 'refused' && verdict.reason === 'expired') {
    context.clearCookie(ticketCookie(context))
    return redirectTo(addressOf('/login', { done: 'expired', next: localOnly(next) }))
  }
  return undefined
}

/** Drops a URL on another site. */
export const localOnly = (next: string): string => (isLocalPath(next) ? next : '')
