// The secret that all nodes of an instance share. Keys derived from it sign forms and picture URLs and encrypt stored
// second factors and provider keys. The operator can set it (INSTANCE_SECRET); otherwise the first node to start generates
// one and stores it in the database for the others.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

const SECRET_BYTES = 32

interface SecretParts {
  db: Kysely<Schema>
  configured: string | undefined
  randomBytes: (size: number) => Buffer
}

export const newInstanceSecret = (randomBytes: SecretParts['randomBytes']): string =>
  randomBytes(SECRET_BYTES).toString('base64url')

export async function readInstanceSecret({ db, configured, randomBytes }: SecretParts): Promise<string> {
  if (configured !== undefined) return configured
  const stored = await db.selectFrom('instance_secret').select('secret').executeTakeFirst()
  if (stored) return stored.secret
  // Two nodes may start at once; the second uses the first one's secret.
  await db
    .insertInto('instance_secret')
    .values({ secret: newInstanceSecret(randomBytes) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { secret } = await db.selectFrom('instance_secret').select('secret').executeTakeFirstOrThrow()
  return secret
}
