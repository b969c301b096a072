// Where a step of the sign-in leads: into the site, or to the next step with a ticket in a cookie. The ticket opens no
// page by itself. `next`, the page that somebody wanted, travels along in the address and is only ever a local path.
import type { SignInVerdict } from '../../accounts/steps/admit-user.ts'
import { cookieName } from '../http/cookies.ts'
import { isLocalPath, type PageContext, type Redirect, redirectTo } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'

const TICKET_COOKIE = 'bowerbird_sign_in'
const TICKET_SECONDS = 600

/** The server ends a session; the cookie only must not end before it. */
const SESSION_COOKIE_SECONDS = 400 * 86_400

type Traveller = Pick<PageContext, 'baseUrl' | 'cookie' | 'setCookie' | 'clearCookie' | 'startSession'>

const ticketCookie = ({ baseUrl }: Traveller): string => cookieName(TICKET_COOKIE, baseUrl.startsWith('https://'))

export const ticketOf = (context: Traveller): string => context.cookie(ticketCookie(context)) ?? ''

export function enterSite(context: Traveller, session: string, next: string): Redirect {
  context.startSession(session, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
  if (ticketOf(context) !== '') context.clearCookie(ticketCookie(context))
  return redirectTo(next === '' ? '/' : next)
}

/** Undefined when the verdict is a no, which the page tells in its own words. */
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

/** What is somebody else's address is forgotten at once. */
export const localOnly = (next: string): string => (isLocalPath(next) ? next : '')
