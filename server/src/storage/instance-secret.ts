// What all nodes of an instance know and nobody else: forms, picture addresses and stored second factors are signed or
// sealed with keys derived from it. The operator may give it (INSTANCE_SECRET); otherwise the first node to start makes
// one and leaves it in the database for the others.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

const BYTES = 32

interface SecretParts {
  db: Kysely<Schema>
  given: string | undefined
  randomBytes: (size: number) => Buffer
}

export async function readInstanceSecret({ db, given, randomBytes }: SecretParts): Promise<string> {
  if (given !== undefined) return given
  // Two nodes may start at once: whoever is second keeps the first one's.
  await db
    .insertInto('instance_secret')
    .values({ secret: randomBytes(BYTES).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { secret } = await db.selectFrom('instance_secret').select('secret').executeTakeFirstOrThrow()
  return secret
}
