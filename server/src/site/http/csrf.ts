// Protection against forged requests: every POST carries a token that another site can neither read nor create. The
// token is a salt and an HMAC over the salt and the browser's identity: the session if signed in, otherwise a random
// cookie.
//
// Unlike with @fastify/csrf-protection, nothing is stored, a token expires with its session, it is accepted only from
// the form's body (never from a header), and its salt comes from a cryptographic source. Every token has a new salt:
// pages are compressed, and on a page that also contains text chosen by an attacker, a constant secret could be guessed
// from the size of the compressed page (BREACH). With the salt, the token differs in every response, so there is nothing
// to guess.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface Csrf {
  /** `browser` is the secret value of the cookie that identifies this browser. */
  tokenFor: (browser: string) => string
  isValid: (token: string | undefined, browser: string) => boolean
}

const SALT_BYTES = 12
const TOKEN = /^[\w-]{16}\.[\w-]{43}$/

export function createCsrf(instanceSecret: string, randomBytes: (size: number) => Buffer): Csrf {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', 'bowerbird forms', 32))
  const createToken = (salt: string, browser: string) =>
    `${salt}.${createHmac('sha256', key).update(`${salt} ${browser}`).digest('base64url')}`
  return {
    tokenFor: (browser) => createToken(randomBytes(SALT_BYTES).toString('base64url'), browser),
    isValid(token, browser) {
      if (token === undefined || browser === '' || !TOKEN.test(token)) return false
      const expected = createToken(token.slice(0, 16), browser)
      return timingSafeEqual(Buffer.from(token), Buffer.from(expected))
    },
  }
}
