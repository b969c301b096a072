// The site's cookies and their flags: HttpOnly, SameSite=Lax, for the whole site. On https they are Secure, and their
// names have the prefix `__Host-`, so that no neighbouring host can plant one.
import type { SerializeOptions } from '@fastify/cookie'

/** The session of a signed-in user. */
export const SESSION_COOKIE = 'bowerbird_session'
/** A random value for everyone else, set with the first form; the form's token is bound to it. */
export const VISITOR_COOKIE = 'bowerbird_visitor'
export const PREFERENCES_COOKIE = 'bowerbird_preferences'

export const PREFERENCES_LIFE_SECONDS = 400 * 24 * 3600

export const cookieName = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

export function cookieOptions(isSecure: boolean, maxAgeSeconds: number | undefined): SerializeOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  }
}
