import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import { lastingRefusalOf } from './redis-availability.ts'
import { defineScript, openRedis, type RedisClient } from './redis-client.ts'

const COUNT = defineScript(`return redis.call('INCR', KEYS[1])`)
const BACK_MS = 5_000

const clients: RedisClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

let lines: { level: number; msg: string; reason?: string }[] = []
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
/** What was logged since the test began, with its reason. */
const logged = () => lines.map(({ msg, reason }) => [msg.split(';')[0], ...(reason === undefined ? [] : [reason])])
const AWAY = 'Redis is unavailable'
const BACK = 'Redis is available again'

async function open(url: string): Promise<RedisClient> {
  lines = []
  const client = await openRedis(url, log)
  clients.push(client)
  return client
}

const isBack = (client: RedisClient) =>
  expect.poll(() => client.isAway(), { timeout: BACK_MS, interval: 20 }).toBe(false)
const isGone = (client: RedisClient) => expect.poll(() => client.isAway(), { timeout: BACK_MS, interval: 5 }).toBe(true)

describe('the Redis client, with one server', () => {
  let server: PrivateRedis
  const admin = useRedisAdmin(() => server.url)
  beforeAll(async () => {
    server = await startPrivateRedis()
  })
  afterAll(() => server.remove())

  const killClients = (type: string) => admin().call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')

  it('40 MB at a time are no outage', async () => {
    const client = await open(server.url)
    const large = 'x'.repeat(1_000_000)
    const replies = await Promise.all(Array.from({ length: 40 }, () => client.send('SET', 'large', large)))
    expect(new Set(replies)).toEqual(new Set(['OK']))
    expect(client.isAway()).toBe(false)
  })

  it('a script that the server has forgotten runs once all the same', async () => {
    const { evaluate } = await open(server.url)
    await evaluate(COUNT, ['forgotten'], [])
    await admin().script('FLUSH')
    const replies = await Promise.all(Array.from({ length: 50 }, () => evaluate(COUNT, ['forgotten'], [])))
    expect(replies.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2))
    expect(logged()).toEqual([])
  })

  it('a refused command gives undefined, is logged once, and is no outage', async () => {
    const client = await open(server.url)
    await admin().set('text', 'not a number')
    const replies = await Promise.all([
      client.send('GET', 'nothing'),
      client.send('LPUSH', 'text', 'geheim'),
      client.evaluate(COUNT, ['text'], []),
      client.send('HGETALL', 'nothing'),
    ])
    expect(replies).toEqual([null, undefined, undefined, []])
    expect(client.isAway()).toBe(false)
    expect(logged()).toEqual([['a Redis command failed', 'WRONGTYPE']])
    expect(JSON.stringify(lines)).not.toMatch(/geheim|text|127\.0\.0\.1/)
  })

  it('commands given before it is closed are answered', async () => {
    const client = await open(server.url)
    const given = Array.from({ length: 500 }, () => client.send('INCR', 'last'))
    given.push(client.evaluate(COUNT, ['last'], []))
    await client.close()
    expect(await Promise.all(given)).toEqual(Array.from({ length: 501 }, (_, i) => i + 1))
    expect(await client.send('GET', 'last')).toBeUndefined()
  })

  it('knows how the server bounds its memory', async () => {
    const { facts } = await open(server.url)
    expect(await facts()).toEqual([{ maxMemory: 0, maxMemoryPolicy: 'noeviction' }])
  })

  it('a connection that breaks is replaced, and those who ask to be told are told before the next command', async () => {
    const client = await open(server.url)
    let timesReady = 0
    client.onReady(() => {
      timesReady++
      expect(client.isAway()).toBe(true)
    })
    await killClients('normal')
    await isGone(client)
    expect(client.state()).toEqual({ state: 'away', reason: 'closed' })
    expect(await client.evaluate(COUNT, ['b'], [])).toBeUndefined()
    await isBack(client)
    expect(client.state()).toEqual({ state: 'connected' })
    expect(timesReady).toBe(1)
    expect(await client.evaluate(COUNT, ['b'], [])).toBe(1)
    expect(logged()).toEqual([])
  })

  it('an outage is logged once, and once that it is over', async () => {
    const client = await open(server.url)
    await server.stop()
    await isGone(client)
    expect(await client.send('GET', 'a')).toBeUndefined()
    await expect.poll(() => client.state(), { timeout: BACK_MS }).toEqual({ state: 'away', reason: 'ECONNREFUSED' })
    await server.start()
    await isBack(client)
    expect(logged()).toEqual([[AWAY, 'ECONNREFUSED'], [BACK]])
    expect(JSON.stringify(lines)).not.toContain('127.0.0.1')
  })

  it('a frozen server slows down the commands of one moment, and no others', async () => {
    const client = await open(server.url)
    server.freeze()
    try {
      const replies = await Promise.all([client.send('GET', 'a'), client.evaluate(COUNT, ['a'], [])])
      expect(replies).toEqual([undefined, undefined])
      let waits = 0
      const timer = setInterval(() => waits++, 1)
      for (let turn = 0; turn < 20; turn++) expect(await client.send('GET', 'a')).toBeUndefined()
      clearInterval(timer)
      // None of them waited for anything: no timer has had its turn.
      expect(waits).toBe(0)
      expect(client.state()).toEqual({ state: 'away', reason: 'timeout' })
    } finally {
      server.thaw()
    }
    await isBack(client)
    expect(await client.send('GET', 'nothing')).toBeNull()
    expect(logged()).toEqual([[AWAY, 'timeout'], [BACK]])
  })

  it('a server that takes no writes is away until one succeeds', async () => {
    const client = await open(server.url)
    await admin().config('SET', 'maxmemory', '1')
    try {
      expect(await client.evaluate(COUNT, ['unwritten'], [])).toBeUndefined()
      expect(client.isAway()).toBe(true)
      await sleep(1_000)
      expect(client.state()).toEqual({ state: 'away', reason: 'OOM' })
    } finally {
      await admin().config('SET', 'maxmemory', '0')
    }
    await isBack(client)
    expect(await client.send('SET', 'written', '1')).toBe('OK')
    expect(logged()).toEqual([[AWAY, 'OOM'], [BACK]])
  })

  it.each([
    ['no password', '', 'NOAUTH'],
    ['a wrong password', ':wrong@', 'WRONGPASS'],
  ])('with %s it says why, sends nothing, and is let in later', async (_, who, reason) => {
    await admin().config('SET', 'requirepass', 'right')
    const client = await open(server.url.replace('redis://', `redis://${who}`))
    expect(client.isAway()).toBe(true)
    expect(lastingRefusalOf(client.failure())).toBe(reason)
    expect(await client.send('SET', 'intruder', '1')).toBeUndefined()
    await admin().config('SET', 'requirepass', who === '' ? '' : 'wrong')
    await isBack(client)
    expect(await client.send('EXISTS', 'intruder')).toBe(0)
    await client.close()
    await admin().config('SET', 'requirepass', '')
    expect(logged()).toEqual([[AWAY, reason], [BACK]])
  })

  it('receives messages, also after their connection broke', async () => {
    const client = await open(server.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    client.publish('bb:test', 'one')
    await expect.poll(() => heard).toEqual(['one'])
    await killClients('pubsub')
    await expect.poll(() => client.isSubscribed(), { interval: 1 }).toBe(false)
    await expect.poll(() => client.isSubscribed(), { timeout: BACK_MS }).toBe(true)
    client.publish('bb:test', 'two')
    await expect.poll(() => heard).toEqual(['one', 'two'])
  })

  it('opens without a server, and receives messages if one starts later', async () => {
    await server.stop()
    const client = await open(server.url)
    expect(await client.send('GET', 'a')).toBeUndefined()
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    await server.start()
    await isBack(client)
    await expect.poll(() => client.isSubscribed(), { timeout: BACK_MS }).toBe(true)
    client.publish('bb:test', 'one')
    await expect.poll(() => heard).toEqual(['one'])
  })
})
