// Against forged requests: every POST carries a token that another site can neither read nor make. The token is a salt
// and an HMAC over the salt and whose browser it is: the session of who is signed in, a random cookie of who is not.
//
// Our own and not @fastify/csrf-protection, because this way nothing is stored, a token dies with its session, it is
// taken from the form's body alone (never from a header), and its salt comes from a cryptographic source. The salt is
// new in every response: pages are compressed, and a constant secret beside text that an attacker chooses could be
// guessed from their length (BREACH). With the salt the token's bytes are different each time and there is nothing to guess.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface Csrf {
  /** `browser` is the secret text of the cookie that tells this browser from all others. */
  tokenFor: (browser: string) => string
  isValid: (token: string | undefined, browser: string) => boolean
}

const SALT_BYTES = 12
const TOKEN = /^[\w-]{16}\.[\w-]{43}$/

export function createCsrf(instanceSecret: string, randomBytes: (size: number) => Buffer): Csrf {
  const key = Buffer.from(hkdfSync('sha256', instanceSecret, '', 'bowerbird forms', 32))
  const signed = (salt: string, browser: string) =>
    `${salt}.${createHmac('sha256', key).update(`${salt} ${browser}`).digest('base64url')}`
  return {
    tokenFor: (browser) => signed(randomBytes(SALT_BYTES).toString('base64url'), browser),
    isValid(token, browser) {
      if (token === undefined || browser === '' || !TOKEN.test(token)) return false
      const expected = signed(token.slice(0, 16), browser)
      return timingSafeEqual(Buffer.from(token), Buffer.from(expected))
    },
  }
}
