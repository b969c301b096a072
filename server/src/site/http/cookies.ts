// The cookies of the site and their flags: HttpOnly, SameSite=Lax, for the whole site. On https they are Secure, and
// those that decide who somebody is carry the prefix `__Host-`, so that no neighbouring host can plant one.
import type { SerializeOptions } from '@fastify/cookie'

/** The session of who is signed in. */
export const SESSION_COOKIE = 'bowerbird_session'
/** A random mark of who is not, set with the first form, to which the form's token is bound. */
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
