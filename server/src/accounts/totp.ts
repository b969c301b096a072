// Six-digit codes that change every 30 seconds (TOTP, RFC 6238), from a secret that is stored only in encrypted form.
import type { Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { encodeQR } from 'qr'
import { Refusal } from '../errors.ts'
import type { RandomBytes } from '../keys/key-format.ts'
import type { Schema } from '../store/schema.ts'
import { createEncryption } from '../text/cryptography.ts'

/** What a user needs to set up an app. */
export interface Enrolment {
  /** For typing, in groups of four. */
  secret: string
  uri: string
  /** The URI as a QR code: an `svg` element with one `path`, black on transparent. */
  qrSvg: string
}

export interface EnrolmentNames {
  userId: string
  username: string
  /** The label that the app shows above the code. */
  issuer: string
}

interface TotpParts {
  instanceSecret: string
  clock: () => number
  randomBytes: RandomBytes
}

export type TotpSecrets = ReturnType<typeof createTotpSecrets>

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const STEPS_EITHER_WAY = 1
const QUIET_ZONE_MODULES = 4

export function createTotpSecrets({ instanceSecret, clock, randomBytes }: TotpParts) {
  const encryption = createTotpEncryption(instanceSecret, randomBytes)
  return {
    mint(names: EnrolmentNames): { encrypted: Buffer; enrolment: Enrolment } {
      const secret = toSecret(randomBytes(SECRET_BYTES))
      return { encrypted: encryption.encrypt(secret.bytes, names.userId), enrolment: toEnrolment(secret, names) }
    },
    /** The step that a code belongs to, or undefined if it is not valid now. 503 if the secret cannot be decrypted. */
    stepOf(encrypted: Uint8Array, userId: string, code: string): number | undefined {
      const digits = code.replace(/\s/g, '')
      if (!/^\d{6}$/.test(digits)) return undefined
      const bytes = encryption.decrypt(encrypted, userId)
      if (!bytes) throw unreadable()
      const totp = new TOTP({ secret: toSecret(bytes), period: PERIOD_SECONDS })
      const timestamp = clock()
      const delta = totp.validate({ token: digits, timestamp, window: STEPS_EITHER_WAY })
      return delta === null ? undefined : totp.counter({ timestamp }) + delta
    },
  }
}

const createTotpEncryption = (instanceSecret: string, randomBytes: RandomBytes) =>
  createEncryption(instanceSecret, 'bowerbird second factor', randomBytes)

interface Secrets {
  from: string
  to: string
  randomBytes: RandomBytes
}

/** Encrypts every second factor with another secret of the instance. What can't be decrypted stays as it is. */
export async function reencryptSecondFactors(db: Kysely<Schema>, { from, to, randomBytes }: Secrets): Promise<void> {
  const old = createTotpEncryption(from, randomBytes)
  const next = createTotpEncryption(to, randomBytes)
  const rows = await db.selectFrom('second_factors').select(['user_id', 'sealed_secret']).execute()
  for (const { user_id, sealed_secret } of rows) {
    const secret = old.decrypt(sealed_secret, user_id)
    if (!secret) continue
    const encrypted = next.encrypt(secret, user_id)
    await db.updateTable('second_factors').set({ sealed_secret: encrypted }).where('user_id', '=', user_id).execute()
  }
}

const unreadable = (): Refusal =>
  new Refusal(
    'storage_unavailable',
    'Codes cannot be checked because the secret of this instance has changed. Use a recovery code, or ask an administrator to reset your account.',
  )

/** A copy, because the library takes the whole underlying buffer, of which the bytes may be only a part. */
const toSecret = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

function toEnrolment(secret: Secret, { username, issuer }: EnrolmentNames): Enrolment {
  // A colon would separate the issuer from the username in the wrong place.
  const totp = new TOTP({ issuer: issuer.replaceAll(':', ' '), label: username, secret, period: PERIOD_SECONDS })
  const uri = totp.toString()
  return {
    secret: secret.base32.replace(/.{4}(?=.)/g, '$& '),
    uri,
    qrSvg: encodeQR(uri, 'svg', { border: QUIET_ZONE_MODULES }),
  }
}
