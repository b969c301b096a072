import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../../test/support/redis-admin.ts'
import { UpstreamError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { openRedis, type RedisClient } from '../../storage/redis-client.ts'
import { openOwnDatabase } from '../own-database.test-body.ts'
import type { BudgetSettings } from './budget-store.ts'
import { createCostLedger } from './cost-ledger.ts'
import { writeCostRows } from './cost-rows.ts'
import { createProviderBudgets } from './provider-budget.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)

let database: Database
let server: PrivateRedis
const admin = useRedisAdmin(() => server.url)
let links: RedisClient[]
const linkOf = (i: number): RedisClient => links[i] ?? expect.unreachable('there are three links')
beforeAll(async () => {
  database = await openOwnDatabase()
  server = await startPrivateRedis()
  links = await Promise.all([0, 1, 2].map(() => openRedis(server.url, log)))
  // Every instance under test listens to the same connections.
})
afterAll(async () => {
  await Promise.all(links.map((redis) => redis.close()))
  await server.remove()
  await database.close()
})
afterEach(() => sql`alter table if exists costs_away rename to provider_costs`.execute(database.db))

/** Nodes of one instance of their own, with a provider of their own, on one simulated clock. */
async function openNodes(redis: (RedisClient | undefined)[], settings: BudgetSettings) {
  const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
  const provider = `brave-${randomBytes(4).toString('hex')}`
  const luaClock = `tonumber(redis.call('GET', '${prefix}clock') or ${NOON * 1_000})`
  const time = { now: NOON }
  const setTime = async (ms: number) => {
    time.now = ms
    await admin().set(`${prefix}clock`, ms * 1_000)
  }
  const openNode = async (redis: RedisClient | undefined) => {
    const ledger = createCostLedger({ db: database.db, clock: () => time.now, log })
    const budgets = createProviderBudgets({ redis, ledger, clock: () => time.now, log, luaClock, prefix })
    const budget = budgets(provider, settings) ?? expect.unreachable('there is a cap')
    await ledger.flush()
    /** What it took, or why not. */
    const reserve = () => budget.reserve().catch((error: UpstreamError) => error)
    return { ledger, budget, reserve }
  }
  const nodes = await Promise.all(redis.map(openNode))
  const nodeOf = (i: number) => nodes[i] ?? expect.unreachable('there is such a node')
  const stored = async () => (await nodeOf(0).ledger.readMonth(provider, '2026-11')).reduce((n, c) => n + c.calls, 0)
  return { nodes, nodeOf, openNode, provider, prefix, time, setTime, stored }
}

type Node = Awaited<ReturnType<typeof openNodes>>['nodes'][number]
const isGranted = (taken: Awaited<ReturnType<Node['reserve']>>) => !(taken instanceof UpstreamError)
async function consume(node: Node, times: number): Promise<number> {
  let spent = 0
  for (let i = 0; i < times; i++) {
    const taken = await node.reserve()
    if (taken instanceof UpstreamError) continue
    taken.bill()
    spent++
  }
  return spent
}

describe.each([
  ['in Redis, over three nodes', (): (RedisClient | undefined)[] => links],
  ['in the process', (): (RedisClient | undefined)[] => [undefined]],
])('a budget %s', (_, redis) => {
  it('of 50 calls admits exactly 50 of 200 at once, and no more once they are billed', async () => {
    const { nodes, nodeOf, stored } = await openNodes(redis(), { callsPerMonth: 50, pricePerCallMicros: 5 })
    const taken = await Promise.all(Array.from({ length: 200 }, (_, i) => nodeOf(i % nodes.length).reserve()))
    expect(taken.filter(isGranted)).toHaveLength(50)
    expect(taken.find((one) => one instanceof UpstreamError)).toMatchObject({
      kind: 'overBudget',
      retryAfterSeconds: 1,
    })
    for (const one of taken) if (!(one instanceof UpstreamError)) one.bill()
    for (const node of nodes) expect(await node.reserve()).toMatchObject({ kind: 'overBudget' })
    for (const { ledger } of nodes) await ledger.flush()
    expect(await stored()).toBe(50)
  })

  it('gives back what never reached the provider, and bills the rest', async () => {
    const { nodeOf } = await openNodes(redis(), { callsPerMonth: 2, pricePerCallMicros: 5 })
    const [one, other] = [await nodeOf(0).budget.reserve(), await nodeOf(0).budget.reserve()]
    expect(isGranted(await nodeOf(0).reserve())).toBe(false)
    one.release()
    other.bill()
    expect(await consume(nodeOf(0), 3)).toBe(1)
  })

  it('in money is counted by the price of a call, those under way included', async () => {
    const { nodes, nodeOf } = await openNodes(redis(), { microsPerMonth: 24, pricePerCallMicros: 5 })
    expect(await consume(nodeOf(0), 2)).toBe(2)
    const taken = await Promise.all(Array.from({ length: 9 }, (_, i) => nodeOf(i % nodes.length).reserve()))
    expect(taken.filter(isGranted)).toHaveLength(2)
  })

  it('a reservation that nobody settles counts as spent after a minute: the call may have been made', async () => {
    const { nodes, nodeOf, setTime, stored } = await openNodes(redis(), { callsPerMonth: 2, pricePerCallMicros: 5 })
    await setTime(NOON)
    await nodeOf(0).budget.reserve()
    expect(await consume(nodeOf(0), 3)).toBe(1)
    await setTime(NOON + 59_999)
    await nodeOf(0).ledger.flush()
    expect(await nodeOf(0).reserve()).toMatchObject({ kind: 'overBudget', retryAfterSeconds: 1 })
    await setTime(NOON + 60_000)
    expect(await nodeOf(0).reserve()).toMatchObject({ retryAfterSeconds: expect.toSatisfy((wait) => wait > 86_400) })
    for (const { ledger } of nodes) await ledger.flush()
    expect(await stored()).toBe(2)
  })

  it('that is spent says when the month ends, and then starts anew', async () => {
    const { nodeOf, setTime } = await openNodes(redis(), { callsPerMonth: 3, pricePerCallMicros: 5 })
    await setTime(Date.UTC(2026, 11, 1) - 5_500)
    await nodeOf(0).ledger.flush()
    expect(await consume(nodeOf(0), 9)).toBe(3)
    expect(await nodeOf(0).reserve()).toMatchObject({ kind: 'overBudget', retryAfterSeconds: 6 })
    await setTime(Date.UTC(2026, 11, 1))
    expect(await consume(nodeOf(0), 9)).toBe(3)
  })

  it('starts from what the ledger has for the month, whoever wrote it', async () => {
    const { nodeOf, provider } = await openNodes(redis(), { callsPerMonth: 10, pricePerCallMicros: 5 })
    const row = { provider, source: 'memory:earlier', calls: 4, micros: 20 }
    await writeCostRows(database.db, [
      { ...row, day: '2026-11-01' },
      { ...row, day: '2026-11-15' },
      { ...row, day: '2026-10-31' },
    ])
    expect(await consume(nodeOf(0), 9)).toBe(2)
  })

  it('is closed while the ledger cannot be written for more than ten seconds, and opens by itself', async () => {
    const { nodeOf, setTime } = await openNodes(redis(), { callsPerMonth: 100, pricePerCallMicros: 5 })
    await setTime(NOON)
    expect(await consume(nodeOf(0), 1)).toBe(1)
    await sql`alter table provider_costs rename to costs_away`.execute(database.db)
    await setTime(NOON + 10_000)
    await nodeOf(0).ledger.flush()
    expect(await consume(nodeOf(0), 1)).toBe(1)
    await setTime(NOON + 10_001)
    await nodeOf(0).ledger.flush()
    expect(await nodeOf(0).reserve()).toMatchObject({ kind: 'overBudget', retryAfterSeconds: 5 })
    await sql`alter table costs_away rename to provider_costs`.execute(database.db)
    await nodeOf(0).ledger.flush()
    expect(await consume(nodeOf(0), 1)).toBe(1)
  })

  it('is closed while it cannot be known what was spent', async () => {
    const { nodeOf } = await openNodes(redis(), { callsPerMonth: 100, pricePerCallMicros: 5 })
    await sql`alter table provider_costs rename to costs_away`.execute(database.db)
    expect(await nodeOf(0).reserve()).toMatchObject({ kind: 'overBudget' })
    await sql`alter table costs_away rename to provider_costs`.execute(database.db)
    expect(await consume(nodeOf(0), 1)).toBe(1)
  })
})

it('a provider without a cap has no budget, and nothing is written or watched for it', async () => {
  const ledger = createCostLedger({ db: database.db, clock: Date.now, log })
  const budgets = createProviderBudgets({ redis: linkOf(0), ledger, clock: Date.now, log })
  expect(budgets('brave', { pricePerCallMicros: 5 })).toBeUndefined()
})

describe('a budget in Redis', () => {
  const settings = { callsPerMonth: 10, pricePerCallMicros: 5 }
  const whenBack = () => expect.poll(() => links.some((redis) => redis.isAway()), { timeout: 5_000 }).toBe(false)
  const flushAll = (nodes: Node[]) => Promise.all(nodes.map(({ ledger }) => ledger.flush()))

  it('what a killed node has spent and not written is written by another', async () => {
    const { nodeOf, openNode, provider } = await openNodes(links, settings)
    const killed = await openNode(linkOf(1))
    expect(await consume(killed, 3)).toBe(3)
    await nodeOf(0).ledger.flush()
    const costs = await nodeOf(2).ledger.readCosts('2026-11')
    expect(costs.find((cost) => cost.provider === provider)).toEqual({ provider, calls: 3, micros: 15 })
  })

  it('a Redis that has lost everything is told from the ledger before it admits anything', async () => {
    const { nodes, nodeOf } = await openNodes(links, settings)
    expect(await consume(nodeOf(0), 4)).toBe(4)
    expect(await consume(nodeOf(1), 3)).toBe(3)
    await flushAll(nodes)
    await admin().flushall()
    const taken = await Promise.all(Array.from({ length: 30 }, (_, i) => nodeOf(i % 3).reserve()))
    expect(taken.filter(isGranted)).toHaveLength(3)
  })

  it('while Redis is away no call is made; back with nothing, or with an old state, it is whole again', async () => {
    const { nodes, nodeOf, setTime } = await openNodes(links, settings)
    expect(await consume(nodeOf(0), 2)).toBe(2)
    // What was given to the connection before is done before it is saved.
    await linkOf(0).send('GET', 'nothing')
    await admin().save()
    expect(await consume(nodeOf(0), 3)).toBe(3)
    const underWay = await nodeOf(1).budget.reserve()
    await flushAll(nodes)
    await server.stop()
    await expect.poll(() => links.every((redis) => redis.isAway())).toBe(true)
    for (const node of nodes) expect(await node.reserve()).toMatchObject({ kind: 'overBudget', retryAfterSeconds: 5 })
    underWay.bill()
    await flushAll(nodes)
    await server.start()
    await whenBack()
    const reserveAll = () => Promise.all(Array.from({ length: 30 }, (_, i) => nodeOf(i % 3).reserve()))
    // Another node may not be back yet.
    expect((await reserveAll()).filter(isGranted)).toHaveLength(0)
    await setTime(NOON + 3_000)
    expect((await reserveAll()).filter(isGranted)).toHaveLength(4)
  })

  it('what a node has spent or reserved just before Redis was lost is known to all before anything is admitted', async () => {
    const { nodeOf, setTime } = await openNodes(links, settings)
    expect(await consume(nodeOf(1), 3)).toBe(3)
    const underWay = [await nodeOf(1).budget.reserve(), await nodeOf(2).budget.reserve()]
    await server.stop()
    await expect.poll(() => links.every((redis) => redis.isAway())).toBe(true)
    await server.start()
    await whenBack()
    expect(isGranted(await nodeOf(0).reserve())).toBe(false)
    await setTime(NOON + 3_000)
    const taken = await Promise.all(Array.from({ length: 30 }, () => nodeOf(0).reserve()))
    expect(taken.filter(isGranted)).toHaveLength(5)
    for (const one of underWay) one.bill()
  })

  it('what a killed node had reserved is not admitted again when Redis is lost after it', async () => {
    const { nodes, nodeOf, openNode, setTime } = await openNodes(links, settings)
    const connection = await openRedis(server.url, log)
    const killed = await openNode(connection)
    expect(isGranted(await killed.reserve())).toBe(true)
    expect(isGranted(await killed.reserve())).toBe(true)
    const settled = await nodeOf(1).budget.reserve()
    await flushAll(nodes)
    settled.bill()
    await connection.close()
    await server.stop()
    await expect.poll(() => links.every((redis) => redis.isAway())).toBe(true)
    await server.start()
    await whenBack()
    await nodeOf(0).reserve()
    await setTime(NOON + 3_000)
    const taken = await Promise.all(Array.from({ length: 30 }, (_, i) => nodeOf(i % 3).reserve()))
    // Ten less two that are open, less one that was billed, which the others last saw open.
    expect(taken.filter(isGranted)).toHaveLength(7)
  })

  it('a ledger with more counts than one script takes is told whole', async () => {
    const { nodeOf, provider } = await openNodes(links, { ...settings, callsPerMonth: 1_205 })
    const rows = Array.from({ length: 1_200 }, (_, i) => ({
      provider,
      day: '2026-11-03',
      source: `memory:${i}`,
      calls: 1,
      micros: 5,
    }))
    await writeCostRows(database.db, rows)
    expect(await consume(nodeOf(0), 9)).toBe(5)
  })

  it('nothing it writes lives for ever, and all keys of a provider carry its hash tag', async () => {
    const { nodeOf, prefix, provider } = await openNodes(links, settings)
    const [one] = [await nodeOf(0).budget.reserve(), await nodeOf(0).budget.reserve()]
    one.bill()
    await nodeOf(0).ledger.flush()
    const keys = await admin().keys(`${prefix}*`)
    const tag = `${prefix}{provider:${provider}}`
    expect(keys.sort()).toEqual([`${prefix}costs:lease`, `${tag}:budget:2026-11`, `${tag}:budget:open`])
    for (const key of keys) expect(await admin().pttl(key), key).toBeGreaterThan(0)
  })
})
