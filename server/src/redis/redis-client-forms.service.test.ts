import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RedisForm, startRedisCluster, startRedisSentinels } from '../../test/support/redis-forms.ts'
import { type RedisPair, startRedisPair } from '../../test/support/redis-pair.ts'
import { createLog } from '../log.ts'
import { defineScript, openRedis, type RedisClient } from './redis-client.ts'

const COUNT = defineScript(`return redis.call('INCR', KEYS[1])`)
const BACK_MS = 5_000
const FAILED_OVER_MS = 20_000

const clients: RedisClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

const log = createLog('silent')

async function open(url: string): Promise<RedisClient> {
  const client = await openRedis(url, log)
  clients.push(client)
  return client
}

const isBack = (client: RedisClient, timeout = BACK_MS) =>
  expect.poll(() => client.isAway(), { timeout, interval: 20 }).toBe(false)
const isGone = (client: RedisClient) => expect.poll(() => client.isAway(), { timeout: BACK_MS, interval: 5 }).toBe(true)

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now()
  const result = await work
  return { result, ms: performance.now() - startedAt }
}

describe('the Redis client, through a proxy that follows a failover', () => {
  let pair: RedisPair
  beforeAll(async () => {
    pair = await startRedisPair()
  })
  afterAll(() => pair.close())

  it('uses the server that has taken over', async () => {
    const client = await open(pair.url)
    expect(await client.evaluate(COUNT, ['a'], [])).toBe(1)
    // The client gives up on a command before a busy replica has it.
    await expect.poll(() => client.send('WAIT', '1', 50), { timeout: BACK_MS }).toBe(1)
    await pair.failOver()
    await isBack(client)
    expect(await client.evaluate(COUNT, ['a'], [])).toBe(2)
  })
})

describe.each([
  ['Sentinels', startRedisSentinels],
  ['a cluster', startRedisCluster as () => Promise<RedisForm>],
])('the Redis client, with %s', (_, start) => {
  let form: RedisForm
  const keys = Array.from({ length: 30 }, (_, i) => `bb:{${i}}:count`)
  beforeAll(async () => {
    form = await start()
  }, 60_000)
  afterAll(() => form.close())

  const countAll = (client: RedisClient) => Promise.all(keys.map((key) => client.evaluate(COUNT, [key], [])))

  it('sends commands and scripts to the right server, and receives messages', async () => {
    const client = await open(form.url)
    expect(client.state()).toEqual({ state: 'connected' })
    const before = (await countAll(client)).map(Number)
    expect(await countAll(client)).toEqual(before.map((count) => count + 1))
    const master = await form.masterOf(keys[0] ?? '')
    const admin = new Redis(master.url)
    await admin.script('FLUSH')
    admin.disconnect()
    expect(await countAll(client)).toEqual(before.map((count) => count + 2))
    expect(await Promise.all(keys.map((key) => client.send('GET', key)))).toEqual(before.map((count) => `${count + 2}`))
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    expect(client.isSubscribed()).toBe(true)
    client.publish('bb:test', 'one')
    await expect.poll(() => heard).toEqual(['one'])
    expect((await client.facts()).length).toBeGreaterThan(0)
  })

  it('a master that is killed is replaced; nothing waits meanwhile, and messages arrive again', async () => {
    const client = await open(form.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    const before = (await countAll(client)).map(Number)
    const master = await form.masterOf(keys[0] ?? '')
    await master.stop()
    await expect.poll(() => client.evaluate(COUNT, [keys[0] ?? ''], []), { interval: 5 }).toBeUndefined()
    await isGone(client)
    for (let turn = 0; turn < 5; turn++) {
      const { ms } = await timed(countAll(client))
      expect(ms).toBeLessThan(1_500)
    }
    await isBack(client, FAILED_OVER_MS)
    await expect
      .poll(async () => (await countAll(client)).every((count, i) => Number(count) > (before[i] ?? 0)), {
        timeout: FAILED_OVER_MS,
      })
      .toBe(true)
    await expect.poll(() => client.isSubscribed(), { timeout: BACK_MS }).toBe(true)
    await expect
      .poll(
        () => {
          client.publish('bb:test', 'after')
          return heard.length
        },
        { timeout: FAILED_OVER_MS },
      )
      .toBeGreaterThan(0)
    await master.start()
  }, 60_000)

  it('a frozen master slows down one moment, and no others', async () => {
    const client = await open(form.url)
    await isBack(client, FAILED_OVER_MS)
    await countAll(client)
    const master = await form.masterOf(keys[0] ?? '')
    master.freeze()
    try {
      expect((await timed(countAll(client))).ms).toBeLessThan(2_000)
      const slow: number[] = []
      for (let turn = 0; turn < 8; turn++) {
        const { ms } = await timed(countAll(client))
        if (ms > 100) slow.push(ms)
        await sleep(100)
      }
      expect(slow.length).toBeLessThanOrEqual(1)
    } finally {
      master.thaw()
    }
    await isBack(client, FAILED_OVER_MS)
  }, 60_000)
})
