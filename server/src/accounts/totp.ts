// Codes of six digits that change every 30 seconds (TOTP, RFC 6238), from a secret that the database knows only sealed.
import { Secret, TOTP } from 'otpauth'
import { encodeQR } from 'qr'
import { Refusal } from '../errors.ts'
import type { RandomBytes } from '../keys/key-format.ts'
import { createSeal } from '../text/encrypt.ts'

/** What a user needs to set up an app. */
export interface Enrolment {
  /** For typing, in groups of four. */
  secret: string
  uri: string
  /** The address as a QR code: an `svg` element with one `path`, black on nothing. */
  qrSvg: string
}

export interface EnrolmentNames {
  userId: string
  username: string
  /** What the app shows above the code. */
  issuer: string
}

export interface TotpSecrets {
  mint: (names: EnrolmentNames) => { sealed: Buffer; enrolment: Enrolment }
  /** The step that a code belongs to, or undefined when it belongs to none of now. 503 when the secret does not open. */
  stepOf: (sealed: Uint8Array, userId: string, code: string) => number | undefined
}

interface TotpParts {
  instanceSecret: string
  clock: () => number
  randomBytes: RandomBytes
}

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const STEPS_EITHER_WAY = 1
const QUIET_ZONE_MODULES = 4

export function createTotpSecrets({ instanceSecret, clock, randomBytes }: TotpParts): TotpSecrets {
  const seal = createSeal(instanceSecret, 'bowerbird second factor', randomBytes)
  return {
    mint(names) {
      const secret = toSecret(randomBytes(SECRET_BYTES))
      return { sealed: seal.close(secret.bytes, names.userId), enrolment: toEnrolment(secret, names) }
    },
    stepOf(sealed, userId, code) {
      const digits = code.replace(/\s/g, '')
      if (!/^\d{6}$/.test(digits)) return undefined
      const bytes = seal.open(sealed, userId)
      if (!bytes) throw unreadable()
      const totp = new TOTP({ secret: toSecret(bytes), period: PERIOD_SECONDS })
      const timestamp = clock()
      const delta = totp.validate({ token: digits, timestamp, window: STEPS_EITHER_WAY })
      return delta === null ? undefined : totp.counter({ timestamp }) + delta
    },
  }
}

const unreadable = (): Refusal =>
  new Refusal(
    503,
    'Codes cannot be checked: the secret of this instance has changed since. Use a recovery code, or ask an administrator to reset your account.',
  )

/** A copy, because the library takes the whole buffer that the bytes may be a part of. */
const toSecret = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

function toEnrolment(secret: Secret, { username, issuer }: EnrolmentNames): Enrolment {
  // A colon would part the name of the issuer from the user's in the wrong place.
  const totp = new TOTP({ issuer: issuer.replaceAll(':', ' '), label: username, secret, period: PERIOD_SECONDS })
  const uri = totp.toString()
  return {
    secret: secret.base32.replace(/.{4}(?=.)/g, '$& '),
    uri,
    qrSvg: encodeQR(uri, 'svg', { border: QUIET_ZONE_MODULES }),
  }
}
