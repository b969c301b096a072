// `bowerbird secret rotate` on a data folder and on PostgreSQL: what was encrypted is readable with the new secret alone.
import { randomBytes } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createTotpSecrets } from '../accounts/totp.ts'
import { createUser } from '../accounts/users.ts'
import { readEvents } from '../audit/audit-log.ts'
import { openAccess } from '../compose/stores.ts'
import { createLog } from '../log.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { DataFolderInUse } from '../store/data-folder.ts'
import { readInstanceSecret } from '../store/instance-secret.ts'
import { rotateSecret } from './rotate-secret.ts'

const OLD = 'the old secret of this instance, long enough'
const NEW = 'the new secret of this instance, long enough'
const BY = { systemUser: 'uid 0' }
const undoing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const undo of undoing.splice(0)) await undo()
})

const configure = (env: Record<string, string>) => requireConfiguration(readConfiguration(env))

async function inPostgres() {
  const { url, drop } = await createTemporaryDatabase()
  undoing.push(drop)
  return url
}

/** Runs work on the database of an instance with these settings, which isn't running. */
async function on<Result>(
  env: Record<string, string>,
  work: (access: Awaited<ReturnType<typeof openAccess>>['access'], secret: string) => Promise<Result>,
): Promise<Result> {
  const configuration = configure(env)
  const { access, close } = await openAccess(configuration, createLog('silent'))
  try {
    const { db } = access
    return await work(access, await readInstanceSecret({ db, configured: configuration.instanceSecret, randomBytes }))
  } finally {
    await close()
  }
}

const fill = (env: Record<string, string>) =>
  on(env, async (access, secret) => {
    const { db } = access
    await access.settings.change(access, { BRAVE_API_KEY: 'a key' })
    const { id } = await createUser(access, { username: 'ada', password: 'correct horse battery' })
    const { encrypted } = createTotpSecrets({ instanceSecret: secret, clock: Date.now, randomBytes }).mint({
      userId: id,
      username: 'ada',
      issuer: 'Bowerbird',
    })
    await db.insertInto('second_factors').values({ user_id: id, sealed_secret: encrypted }).execute()
  })

/** Whether the key and the second factor can be decrypted. */
const readable = (env: Record<string, string>) =>
  on(env, async (access, instanceSecret) => {
    const { user_id, sealed_secret } = await access.db
      .selectFrom('second_factors')
      .selectAll()
      .executeTakeFirstOrThrow()
    const totp = createTotpSecrets({ instanceSecret, clock: Date.now, randomBytes })
    const isSecondFactorReadable = (() => {
      try {
        totp.stepOf(sealed_secret, user_id, '000000')
        return true
      } catch {
        return false
      }
    })()
    return [(await access.settings.read()).values['BRAVE_API_KEY'] === 'a key', isSecondFactorReadable]
  })

it('a secret that the operator sets is replaced by another', async () => {
  const DATABASE_URL = await inPostgres()
  const [before, after] = [OLD, NEW].map((INSTANCE_SECRET) => ({ DATABASE_URL, INSTANCE_SECRET }))
  if (!before || !after) throw new Error('there are two')
  await fill(before)
  await rotateSecret(configure(before), { given: NEW, ...BY })
  expect([await readable(before), await readable(after)]).toEqual([
    [false, false],
    [true, true],
  ])
  const events = await on(after, ({ db }) => readEvents(db, { event: 'secret-rotated', limit: 5 }))
  expect(events.map(({ systemUser }) => systemUser)).toEqual(['uid 0'])
})

it('a secret in the built-in database is replaced there, or moves to the operator, and a running instance prevents it', async () => {
  const DATA_DIR = await createDataFolder()
  await fill({ DATA_DIR })
  const secretOf = () => on({ DATA_DIR }, async (_, secret) => secret)
  const first = await secretOf()
  await rotateSecret(configure({ DATA_DIR }), { given: undefined, ...BY })
  expect(await secretOf()).not.toBe(first)
  expect(await readable({ DATA_DIR })).toEqual([true, true])
  await on({ DATA_DIR }, () =>
    expect(rotateSecret(configure({ DATA_DIR }), { given: NEW, ...BY })).rejects.toThrow(DataFolderInUse),
  )
  await rotateSecret(configure({ DATA_DIR }), { given: NEW, ...BY })
  expect(await readable({ DATA_DIR, INSTANCE_SECRET: NEW })).toEqual([true, true])
  const rows = await on({ DATA_DIR, INSTANCE_SECRET: NEW }, ({ db }) =>
    db.selectFrom('instance_secret').selectAll().execute(),
  )
  expect(rows).toEqual([])
})

it('a secret that is too short, or that only the operator can replace, is refused', async () => {
  const DATABASE_URL = await inPostgres()
  const configuration = configure({ DATABASE_URL, INSTANCE_SECRET: OLD })
  await expect(rotateSecret(configuration, { given: 'short', ...BY })).rejects.toMatchObject({
    body: { detail: expect.stringMatching(/^The new secret must be at least 32 characters long/) },
  })
  await expect(rotateSecret(configuration, { given: undefined, ...BY })).rejects.toMatchObject({
    body: { detail: expect.stringMatching(/^INSTANCE_SECRET is set, so you keep the new secret as well/) },
  })
})
