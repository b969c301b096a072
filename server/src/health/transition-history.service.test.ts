import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrations.ts'
import { openPostgres } from '../store/postgres.ts'
import {
  createTransitionHistory,
  type ProviderTransition,
  pruneTransitions,
  type TransitionHistory,
} from './transition-history.ts'

const log = createLog('silent')
let temporary: TemporaryDatabase
let database: Database
beforeAll(async () => {
  temporary = await createTemporaryDatabase()
  database = openPostgres(temporary.url, log)
  await migrate(database.db)
})
beforeEach(async () => {
  await database.db.deleteFrom('provider_transitions').execute()
})
afterAll(async () => {
  await database.close()
  await temporary.drop()
})

const NOON = Date.UTC(2026, 10, 15, 12)
const wentDown = (at: number, provider = 'brave'): ProviderTransition => ({
  provider,
  group: 'web',
  from: 'up',
  to: 'down',
  at,
  reason: 'timeout',
})
const create = (): TransitionHistory => createTransitionHistory({ db: database.db, log, everyMs: 20 })
const takeTableAway = () => sql`alter table provider_transitions rename to transitions_away`.execute(database.db)
const bringTableBack = () => sql`alter table transitions_away rename to provider_transitions`.execute(database.db)

describe('the history of provider health', () => {
  it('gives back what was added since a moment, oldest first', async () => {
    const history = create()
    const rows = [wentDown(NOON), wentDown(NOON + 1, 'mojeek'), wentDown(NOON + 2, 'kagi')]
    for (const row of rows.toReversed()) history.add(row)
    await history.close()
    expect(await history.read(NOON)).toEqual(rows)
    expect(await history.read(NOON + 1)).toEqual(rows.slice(1))
    expect(await history.read(NOON + 3)).toEqual([])
  })

  it('forgets what is older than it must be', async () => {
    const history = create()
    for (const at of [NOON - 2, NOON - 1, NOON]) history.add(wentDown(at))
    await history.close()
    expect(await pruneTransitions(database.db, new Date(NOON))).toBe(2)
    expect((await history.read(0)).map(({ at }) => at)).toEqual([NOON])
  })

  it('keeps the order of what happened in one millisecond', async () => {
    const history = create()
    const providers = Array.from({ length: 20 }, (_, i) => `provider-${i}`)
    for (const provider of providers) history.add(wentDown(NOON, provider))
    await history.close()
    expect((await history.read(NOON)).map(({ provider }) => provider)).toEqual(providers)
  })

  it('PostgreSQL away: what was added is kept, and written once when it is back', async () => {
    const history = create()
    await takeTableAway()
    history.add(wentDown(NOON))
    history.add(wentDown(NOON + 1))
    await new Promise((resolve) => setTimeout(resolve, 100))
    history.add(wentDown(NOON + 2))
    await bringTableBack()
    await expect.poll(() => history.read(NOON), { timeout: 5_000 }).toHaveLength(3)
    await history.close()
    expect(await history.read(NOON)).toHaveLength(3)
  })

  it('a write that succeeded although it was reported as failed is not made twice', async () => {
    let failures = 0
    const failsAfterwards = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (failures++ < 2) throw new Error('the connection broke after the commit')
        return result
      },
    })
    const history = createTransitionHistory({ db: failsAfterwards, log, everyMs: 5 })
    history.add(wentDown(NOON))
    await expect.poll(() => failures).toBe(3)
    await history.close()
    expect(await create().read(NOON)).toEqual([wentDown(NOON)])
  })

  it('of more than a thousand that wait, the oldest are dropped', async () => {
    const history = createTransitionHistory({ db: database.db, log, everyMs: 60_000 })
    await takeTableAway()
    history.add(wentDown(NOON))
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (let i = 1; i < 1_100; i++) history.add(wentDown(NOON + i))
    await bringTableBack()
    await history.close()
    const kept = await history.read(NOON)
    expect(kept).toHaveLength(1_000)
    expect(kept[0]?.at).toBe(NOON + 100)
  })

  it('ends although PostgreSQL is away', async () => {
    const history = create()
    await takeTableAway()
    history.add(wentDown(NOON))
    await history.close()
    await bringTableBack()
    expect(await history.read(NOON)).toEqual([])
  })
})
