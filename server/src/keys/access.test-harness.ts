// For tests: a database of one's own with a tap on it (statements are counted, it can be cut off, an answer can be held
// back), a clock that only the test moves, and a verifier that hears of every change.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach } from 'vitest'
import { createUser } from '../accounts/users.ts'
import { createLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { createAdminContext, type DatabaseKind, useTestDatabase } from './access.test-database.ts'
import type { AdminContext } from './admin-context.ts'
import { type ChangeBus, createLocalChangeBus } from './key-changes.ts'
import { createKey, type NewKey } from './keys.ts'
import { createKeyVerifier, type KeyVerifier } from './verify-key.ts'

export const DEAF: ChangeBus = { publish: () => undefined, subscribe: () => undefined }

/** The address that requests come from unless a test says otherwise. */
export const HERE = '192.0.2.1'

export const letPass = async (_statement: string): Promise<void> => undefined

function tap(database: Database) {
  const state = { statements: [] as string[], isCut: false, beforeAnswer: letPass }
  const tapped: Database = {
    ...database,
    async query(name, values) {
      state.statements.push(name)
      if (state.isCut) throw new Error('connection refused')
      const rows = await database.query(name, values)
      await state.beforeAnswer(name)
      // The rows are the caller's own statement's.
      return rows as never
    },
  }
  return { state, database: tapped }
}

export async function until(isTrue: () => boolean | Promise<boolean>, withinMs = 5_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('it did not become true in time')
    await sleep(20)
  }
}

export class Stage {
  now = Date.now()
  declare context: AdminContext
  declare tap: ReturnType<typeof tap>
  declare verifier: KeyVerifier

  createVerifier(changes: ChangeBus, refreshMs = 3_600_000): KeyVerifier {
    const { database } = this.tap
    const clock = () => this.now
    return createKeyVerifier({
      database,
      clock,
      random: Math.random,
      changes,
      log: createLog('silent'),
      refreshMs,
    })
  }

  createKey(input: Partial<NewKey> = {}) {
    return createKey(this.context, { owner: { username: 'lena' }, ...input })
  }

  async reasonOf(presented: string, by = this.verifier, from = HERE): Promise<string> {
    const verdict = await by.verify(presented, from)
    return verdict.ok ? 'good' : verdict.reason
  }
}

/** To be called where tests are described: each test then finds a fresh verifier, and a user `lena`. */
export function setUpStage(kind: DatabaseKind): Stage {
  const stage = new Stage()
  const used = useTestDatabase(kind)
  beforeAll(async () => {
    stage.context = { ...createAdminContext(used.db, () => stage.now), changes: DEAF, maxKeysPerUser: 10_000 }
    await createUser(stage.context, { username: 'lena', password: 'correct horse' })
  })
  beforeEach(() => {
    stage.tap = tap(used.database)
    stage.context.changes = createLocalChangeBus()
    stage.verifier = stage.createVerifier(stage.context.changes)
  })
  return stage
}
