import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_KINDS, emptyTables, openTestDatabase, useTestDatabase } from '../keys/access.test-database.ts'
import { createLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import type { StatementName } from '../store/statements.ts'
import { countTrial, createCostLedger, writeCostRows } from './cost-ledger.ts'
import { type BudgetSettings, createProviderBudgets, priceOf } from './provider-budget.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)
const DAY_MS = 86_400_000
const PATIENCE_MS = 30_000

it('a price is rounded up to whole millionths of a dollar', () => {
  expect([priceOf(5, 1), priceOf(0.2, 1), priceOf(1_150, 1.5), priceOf(0.5, 3)]).toEqual([5, 1, 1_725, 2])
})

describe.each(DATABASE_KINDS)('a budget (%s)', (kind) => {
  const opened = useTestDatabase(kind)
  beforeEach(() => emptyTables(opened.db, 'provider_costs', 'provider_budgets'))

  /** A process, as it is started with some settings. */
  function openNode(settings: BudgetSettings, time = { now: NOON }, visitorShare = 0.1) {
    const { database } = opened
    const budget = createProviderBudgets({ database, clock: () => time.now, visitorShare, log })('brave', settings)
    if (!budget) return expect.unreachable('there is a cap')
    const ledger = createCostLedger({ db: database.db, clock: () => time.now, log })
    return {
      consume: (priceFactor = 1, isForVisitor = false) =>
        budget.consume({ priceFactor, isForVisitor }, PATIENCE_MS).catch((error: unknown) => {
          if (error instanceof UpstreamError) return error
          throw error
        }),
      costs: async (month = '2026-11') => (await ledger.readCosts(month))[0],
    }
  }
  type Node = ReturnType<typeof openNode>

  async function spendAll(node: Node, times: number, isForVisitor = false): Promise<number> {
    let spent = 0
    for (let i = 0; i < times; i++) if (!((await node.consume(1, isForVisitor)) instanceof UpstreamError)) spent++
    return spent
  }
  async function month() {
    const rows = await opened.db.selectFrom('provider_budgets').selectAll().orderBy('month').execute()
    return rows.map(({ calls, micros }) => ({ calls: Number(calls), micros: Number(micros) }))
  }

  it('of 50 calls grants exactly 50 of 200 at once, over three nodes', async () => {
    const settings = { callsPerMonth: 50, pricePerCallMicros: 5 }
    const nodes = [openNode(settings), openNode(settings), openNode(settings)]
    const taken = await Promise.all(Array.from({ length: 67 }, () => nodes.map((node) => node.consume())).flat())
    expect(taken.filter((one) => !(one instanceof UpstreamError))).toHaveLength(50)
    for (const node of nodes) {
      expect(await node.consume()).toMatchObject({ kind: 'overBudget' })
      expect(await node.costs()).toEqual({ provider: 'brave', calls: 50, micros: 250 })
    }
    expect(await month()).toEqual([{ calls: 50, micros: 250 }])
  })

  it('in money is spent by the price of each call, and both caps hold', async () => {
    const inMoney = openNode({ microsPerMonth: 24, pricePerCallMicros: 5 })
    expect(await spendAll(inMoney, 2)).toBe(2)
    // 10 are spent, 12.5 are asked for.
    expect(await inMoney.consume(2.5)).not.toBeInstanceOf(UpstreamError)
    expect(await spendAll(inMoney, 9)).toBe(0)
    expect(await inMoney.consume(0.2)).not.toBeInstanceOf(UpstreamError)
    expect(await month()).toEqual([{ calls: 4, micros: 24 }])
    expect(await spendAll(openNode({ microsPerMonth: 1_000, callsPerMonth: 6, pricePerCallMicros: 5 }), 9)).toBe(2)
    expect(await spendAll(openNode({ microsPerMonth: 40, callsPerMonth: 100, pricePerCallMicros: 5 }), 9)).toBe(1)
  })

  it('that was lowered or raised applies to the next call', async () => {
    expect(await spendAll(openNode({ callsPerMonth: 10, pricePerCallMicros: 5 }), 4)).toBe(4)
    expect(await spendAll(openNode({ callsPerMonth: 3, pricePerCallMicros: 5 }), 4)).toBe(0)
    expect(await spendAll(openNode({ callsPerMonth: 6, pricePerCallMicros: 5 }), 4)).toBe(2)
    expect(await spendAll(openNode({ callsPerMonth: 0, pricePerCallMicros: 5 }), 4)).toBe(0)
  })

  it('takes back a call that never reached the provider, on the day it was spent', async () => {
    const time = { now: NOON }
    const node = openNode({ callsPerMonth: 2, pricePerCallMicros: 5 }, time)
    const first = await node.consume()
    time.now += DAY_MS
    expect(await spendAll(node, 2)).toBe(1)
    if (first instanceof UpstreamError) throw first
    first()
    await expect.poll(month).toEqual([{ calls: 1, micros: 5 }])
    const { db } = opened
    expect(await db.selectFrom('provider_costs').select(['day', 'calls']).orderBy('day').execute()).toEqual([
      { day: '2026-11-15', calls: '0' },
      { day: '2026-11-16', calls: '1' },
    ])
    expect(await spendAll(node, 2)).toBe(1)
  })

  it('that is used up says when the month ends, and then starts anew', async () => {
    const time = { now: Date.UTC(2026, 11, 1) - 5_500 }
    const node = openNode({ callsPerMonth: 3, pricePerCallMicros: 5 }, time)
    expect(await spendAll(node, 9)).toBe(3)
    expect(await node.consume()).toMatchObject({ kind: 'overBudget', retryAfterSeconds: 6 })
    time.now = Date.UTC(2026, 11, 1)
    expect(await spendAll(node, 9)).toBe(3)
    expect(await month()).toEqual([
      { calls: 3, micros: 15 },
      { calls: 3, micros: 15 },
    ])
    expect(await node.costs('2026-12')).toEqual({ provider: 'brave', calls: 3, micros: 15 })
  })

  it('counts what was spent this month before there was a cap', async () => {
    const row = { provider: 'brave', source: 'memory:earlier', calls: 4, micros: 20 }
    await writeCostRows(opened.db, [
      { ...row, day: '2026-11-01' },
      { ...row, day: '2026-11-15' },
      { ...row, day: '2026-10-31' },
      { ...row, day: '2026-11-15', provider: 'mojeek' },
    ])
    const settings = { callsPerMonth: 10, pricePerCallMicros: 5 }
    expect(await spendAll(openNode(settings), 9)).toBe(2)
    // For a while there was no cap again.
    await writeCostRows(opened.db, [{ ...row, day: '2026-11-16', source: 'memory:later' }])
    const node = openNode({ ...settings, callsPerMonth: 15 })
    expect(await spendAll(node, 9)).toBe(1)
    expect(await node.costs()).toEqual({ provider: 'brave', calls: 15, micros: 75 })
  })

  it('counts the trials that an operator makes', async () => {
    const node = openNode({ callsPerMonth: 3, pricePerCallMicros: 5 })
    expect(await spendAll(node, 1)).toBe(1)
    await countTrial(opened.db, { provider: 'brave', micros: 5, source: 'command:1', now: NOON })
    expect(await spendAll(node, 9)).toBe(1)
    expect(await node.costs()).toEqual({ provider: 'brave', calls: 3, micros: 15 })
  })

  it('is closed while the cost of a call cannot be recorded, and opens by itself', async () => {
    const node = openNode({ callsPerMonth: 3, pricePerCallMicros: 5 })
    const closed = {
      kind: 'overBudget',
      message: 'the cost of a call cannot be recorded right now',
      retryAfterSeconds: 5,
    }
    await sql`alter table provider_budgets rename to budgets_away`.execute(opened.db)
    expect(await node.consume()).toMatchObject(closed)
    await sql`alter table budgets_away rename to provider_budgets`.execute(opened.db)
    expect(await spendAll(node, 1)).toBe(1)
    await sql`alter table provider_budgets rename to budgets_away`.execute(opened.db)
    expect(await node.consume()).toMatchObject(closed)
    await sql`alter table budgets_away rename to provider_budgets`.execute(opened.db)
    expect(await spendAll(node, 9)).toBe(2)
  })

  it('grants a hundred searches of visitors no more than their share, and the rest to keys', async () => {
    const settings = { callsPerMonth: 100, microsPerMonth: 10_000, pricePerCallMicros: 5 }
    const [node, other] = [openNode(settings), openNode(settings)]
    const visit = (at: Node) => at.consume(1, true)
    // The first call of each opens the month.
    const first = [await visit(node), await visit(other)]
    const rest = await Promise.all(Array.from({ length: 49 }, () => [visit(node), visit(other)]).flat())
    expect([...first, ...rest].filter((one) => !(one instanceof UpstreamError))).toHaveLength(10)
    expect(await visit(node)).toMatchObject({ kind: 'overBudget' })
    expect(await spendAll(node, 100)).toBe(90)
    // The visitors' calls are counted once.
    expect(await node.costs()).toEqual({ provider: 'brave', calls: 100, micros: 500 })
  })

  it('that is used up takes nothing from the visitors’ share', async () => {
    expect(await spendAll(openNode({ callsPerMonth: 10, pricePerCallMicros: 5 }), 10)).toBe(10)
    const node = openNode({ callsPerMonth: 10, pricePerCallMicros: 5 })
    for (let n = 0; n < 3; n++) expect(await node.consume(1, true)).toBeInstanceOf(UpstreamError)
    const raised = openNode({ callsPerMonth: 20, pricePerCallMicros: 5 })
    for (const isGranted of [true, true, false])
      expect(!((await raised.consume(1, true)) instanceof UpstreamError)).toBe(isGranted)
  })

  it('is shared with visitors if the operator says so, or closed to them', async () => {
    const settings = { callsPerMonth: 4, pricePerCallMicros: 5 }
    const closed = openNode(settings, { now: NOON }, 0)
    expect(await closed.consume(1, true)).toBeInstanceOf(UpstreamError)
    const open = openNode(settings, { now: NOON }, 1)
    expect(await spendAll(open, 9, true)).toBe(4)
  })

  it('a provider without a cap has none', () => {
    const budgets = createProviderBudgets({ database: opened.database, clock: Date.now, visitorShare: 0.1, log })
    expect(budgets('brave', { pricePerCallMicros: 5 })).toBeUndefined()
  })
})

it('a budget is closed in time if PostgreSQL is slow, and what is spent late is given back', async () => {
  const opened = await openTestDatabase('postgres')
  const { db, query } = opened.database
  const executed: string[] = []
  const database: Pick<Database, 'query' | 'db'> = {
    db,
    async query<Row>(name: StatementName, values: readonly unknown[]) {
      const rows = await query<Row>(name, values)
      executed.push(name)
      return rows
    },
  }
  const CALL = { priceFactor: 1, isForVisitor: false }
  const settings = { callsPerMonth: 3, pricePerCallMicros: 5 }
  const budget = createProviderBudgets({ database, clock: () => NOON, visitorShare: 0.1, log })('brave', settings)
  await budget?.consume(CALL, PATIENCE_MS)
  await db.transaction().execute(async (transaction) => {
    await sql`select 1 from provider_budgets for update`.execute(transaction)
    await expect(budget?.consume(CALL, 100)).rejects.toMatchObject({ kind: 'overBudget', retryAfterSeconds: 5 })
  })
  // The first call, the late one, and what gives it back.
  await expect.poll(() => executed, { timeout: 10_000 }).toHaveLength(3)
  expect((await sql`select calls::int, micros::int from provider_budgets`.execute(db)).rows).toEqual([
    { calls: 1, micros: 5 },
  ])
  await opened.drop()
})
