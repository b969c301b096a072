// `bowerbird secret rotate`: encrypts second factors and provider keys with a new secret, in one transaction. Addresses of
// feeds end, as sessions do. Nodes that run meanwhile would encrypt with the old secret, so they have to be stopped: the
// built-in database ensures that.
import { randomBytes } from 'node:crypto'
import { reencryptSecondFactors } from '../accounts/totp.ts'
import { recordEvent } from '../audit/audit-log.ts'
import { openAccess } from '../compose/stores.ts'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Configuration } from '../settings/configuration.ts'
import { INSTANCE_SETTINGS } from '../settings/instance-settings.ts'
import { reencryptSettings } from '../settings/stored-settings.ts'
import { newInstanceSecret, readInstanceSecret } from '../store/instance-secret.ts'

interface Rotation {
  /** The secret that the operator will set; undefined for one that the database keeps. */
  given: string | undefined
  /** Who runs the command. */
  systemUser: string
}

export async function rotateSecret(configuration: Configuration, { given, systemUser }: Rotation): Promise<void> {
  const { instanceSecret: configured } = configuration
  if (given === undefined && configured !== undefined) {
    throw new Refusal(
      'conflict',
      'INSTANCE_SECRET is set, so you keep the new secret as well: make one with openssl rand -base64 32, and pass it with --stdin.',
    )
  }
  const mistake =
    given === undefined ? undefined : INSTANCE_SETTINGS.shape.INSTANCE_SECRET.safeParse(given).error?.issues[0]
  if (mistake) throw new Refusal('parameter_invalid', `The new secret ${mistake.message}`)
  const { access, close } = await openAccess(configuration, createLog('error'), false)
  try {
    await access.db.transaction().execute(async (db) => {
      const from = await readInstanceSecret({ db, configured, randomBytes })
      const secrets = { from, to: given ?? newInstanceSecret(randomBytes), randomBytes }
      await reencryptSettings(db, secrets)
      await reencryptSecondFactors(db, secrets)
      // Their addresses are signed with the old one.
      await db.deleteFrom('feeds').execute()
      await db.deleteFrom('instance_secret').execute()
      if (given === undefined) await db.insertInto('instance_secret').values({ secret: secrets.to }).execute()
      await recordEvent({ ...access, db, systemUser }, { event: 'secret-rotated' })
    })
  } finally {
    await close()
  }
}
