import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { type RedisForm, startRedisCluster, startRedisSentinels } from '../../test/support/redis-forms.ts'
import { type RedisPair, startRedisPair } from '../../test/support/redis-pair.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from './redis-client.ts'
import { lastingRefusalOf } from './redis-refusal.ts'
import { defineScript } from './redis-script.ts'

const COUNT = defineScript(`return redis.call('INCR', KEYS[1])`)
const BACK_MS = 5_000
const FAILED_OVER_MS = 20_000

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

const isBack = (client: RedisClient, timeout = BACK_MS) =>
  expect.poll(() => client.isAway(), { timeout, interval: 20 }).toBe(false)
const isGone = (client: RedisClient) =>
  expect.poll(() => client.isAway(), { timeout: BACK_MS, interval: 5 }).toBe(true)

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now()
  const result = await work
  return { result, ms: performance.now() - startedAt }
}

describe('the Redis client, with one server', () => {
  let server: PrivateRedis
  const admin = useRedisAdmin(() => server.url)
  beforeAll(async () => {
    server = await startPrivateRedis()
  })
  afterAll(() => server.remove())

  const killClients = (type: string) => admin().call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')

  it('10,000 commands at a time each get their own reply', async () => {
    const { send, evaluate } = await open(server.url)
    const replies = await Promise.all(
      Array.from({ length: 10_000 }, (_, i) => (i % 3 ? send('ECHO', `${i}`) : evaluate(COUNT, ['many'], []))),
    )
    expect(replies).toEqual(Array.from({ length: 10_000 }, (_, i) => (i % 3 ? `${i}` : i / 3 + 1)))
  })

  it('text in any script arrives as it was sent, and 40 MB are no outage', async () => {
    const client = await open(server.url)
    expect(await client.send('ECHO', 'Käse 🧀 \r\n$3')).toBe('Käse 🧀 \r\n$3')
    const large = 'x'.repeat(1_000_000)
    const replies = await Promise.all(Array.from({ length: 40 }, () => client.send('SET', 'large', large)))
    expect(new Set(replies)).toEqual(new Set(['OK']))
    expect(client.isAway()).toBe(false)
  })

  it('uses the database that the address names', async () => {
    const { send, evaluate } = await open(`${server.url}/5`)
    await send('SET', 'a', 1)
    expect(await evaluate(COUNT, ['a'], [])).toBe(2)
    expect(await admin().exists('a')).toBe(0)
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
    const { result, ms } = await timed(client.send('GET', 'a'))
    expect(result).toBeUndefined()
    expect(ms).toBeLessThan(50)
    await sleep(1_500)
    expect(client.state()).toEqual({ state: 'away', reason: 'ECONNREFUSED' })
    await server.start()
    await isBack(client)
    expect(logged()).toEqual([[AWAY, 'ECONNREFUSED'], [BACK]])
    expect(JSON.stringify(lines)).not.toContain('127.0.0.1')
  })

  it('opens without a server, and finds it later', async () => {
    await server.stop()
    const client = await open(server.url)
    expect(client.isAway()).toBe(true)
    expect(await client.send('GET', 'a')).toBeUndefined()
    await server.start()
    await isBack(client)
    expect(await client.send('GET', 'nothing')).toBeNull()
  })

  it('a frozen server slows down the commands of one moment, and no others', async () => {
    const client = await open(server.url)
    server.freeze()
    try {
      const first = await timed(Promise.all([client.send('GET', 'a'), client.evaluate(COUNT, ['a'], [])]))
      expect(first.result).toEqual([undefined, undefined])
      expect(first.ms).toBeLessThan(1_500)
      for (let turn = 0; turn < 20; turn++) {
        const { result, ms } = await timed(client.send('GET', 'a'))
        expect(result).toBeUndefined()
        expect(ms).toBeLessThan(50)
        await sleep(100)
      }
      expect(client.state()).toEqual({ state: 'away', reason: 'timeout' })
    } finally {
      server.thaw()
    }
    await isBack(client)
    expect(await client.send('GET', 'nothing')).toBeNull()
    expect(logged()).toEqual([[AWAY, 'timeout'], [BACK]])
  })

  it.each([
    ['OOM', () => admin().config('SET', 'maxmemory', '1'), () => admin().config('SET', 'maxmemory', '0')],
    ['READONLY', () => admin().replicaof('127.0.0.1', 1), () => admin().replicaof('NO', 'ONE')],
    [
      'NOREPLICAS',
      () => admin().config('SET', 'min-replicas-to-write', '1'),
      () => admin().config('SET', 'min-replicas-to-write', '0'),
    ],
  ])('a server that takes no writes (%s) is away until one succeeds', async (reason, begin, end) => {
    const client = await open(server.url)
    await begin()
    try {
      expect(await client.evaluate(COUNT, ['unwritten'], [])).toBeUndefined()
      expect(client.isAway()).toBe(true)
      await sleep(1_000)
      expect(client.state()).toEqual({ state: 'away', reason })
    } finally {
      await end()
    }
    await isBack(client)
    expect(await client.send('SET', 'written', '1')).toBe('OK')
    expect(logged()).toEqual([[AWAY, reason], [BACK]])
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

  it('hears messages, also after the connection for them broke and after a restart', async () => {
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
    await server.stop()
    await expect.poll(() => client.isSubscribed(), { interval: 1 }).toBe(false)
    await server.start()
    await isBack(client)
    await expect.poll(() => client.isSubscribed(), { timeout: BACK_MS }).toBe(true)
    client.publish('bb:test', 'three')
    await expect.poll(() => heard).toEqual(['one', 'two', 'three'])
  })

  it('hears messages if the server came only after it had subscribed', async () => {
    await server.stop()
    const client = await open(server.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    await server.start()
    await isBack(client)
    await expect.poll(() => client.isSubscribed(), { timeout: BACK_MS }).toBe(true)
    client.publish('bb:test', 'one')
    await expect.poll(() => heard).toEqual(['one'])
  })

  it('hears messages again after the server was frozen', async () => {
    const client = await open(server.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    server.freeze()
    await expect.poll(() => client.isSubscribed(), { timeout: 10_000 }).toBe(false)
    server.thaw()
    await expect.poll(() => client.isSubscribed(), { timeout: 10_000 }).toBe(true)
    await isBack(client)
    client.publish('bb:test', 'after')
    await expect.poll(() => heard).toEqual(['after'])
  })
})

describe('the Redis client, through a proxy that follows a failover', () => {
  let pair: RedisPair
  beforeAll(async () => {
    pair = await startRedisPair()
  })
  afterAll(() => pair.close())

  it('uses the server that has taken over', async () => {
    const client = await open(pair.url)
    expect(await client.evaluate(COUNT, ['a'], [])).toBe(1)
    // Replication takes a moment.
    await sleep(200)
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

  it('sends commands and scripts to the right server, and hears messages', async () => {
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
    expect(logged()).toEqual([])
  })

  it('a master that is killed is replaced; nothing waits meanwhile, and messages arrive again', async () => {
    const client = await open(form.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    const before = (await countAll(client)).map(Number)
    // Replication takes a moment.
    await sleep(300)
    const master = await form.masterOf(keys[0] ?? '')
    await master.stop()
    await expect
      .poll(() => client.evaluate(COUNT, [keys[0] ?? ''], []), { interval: 5 })
      .toBeUndefined()
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

describe('the Redis client, by TLS', () => {
  let server: PrivateRedis
  const folder = mkdtempSync(join(tmpdir(), 'bb-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const trusted = getCACertificates('default')
  const request = ['-x509', '-nodes', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const makeKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyFile, '-out', certFile]
  const hasOpenssl = (() => {
    try {
      execFileSync('openssl', ['req', ...request, ...makeKey], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })()
  const closing: (() => void)[] = []
  beforeAll(async () => {
    server = await startPrivateRedis()
  })
  afterAll(async () => {
    for (const close of closing) close()
    setDefaultCACertificates(trusted)
    rmSync(folder, { recursive: true })
    await server.remove()
  })

  /** In front of the server, with that certificate. */
  async function listenTls(own: TlsOptions = {}): Promise<string> {
    const options = { key: readFileSync(keyFile), cert: readFileSync(certFile), ...own }
    const terminator = createServer(options, (socket) => {
      const onward = connect(server.port, '127.0.0.1')
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
      socket.pipe(onward).pipe(socket)
    }).listen(0, 'localhost')
    await once(terminator, 'listening')
    closing.push(() => terminator.close())
    const address = terminator.address()
    return `rediss://localhost:${typeof address === 'object' ? address?.port : 0}`
  }

  it.skipIf(!hasOpenssl)('works with a certificate that is trusted, and never with another', async () => {
    const url = await listenTls()
    const distrustful = await open(url)
    expect(distrustful.isAway()).toBe(true)
    expect(lastingRefusalOf(distrustful.failure())).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')

    const informed = await open(`${url}?sslrootcert=${certFile}`)
    expect(informed.isAway()).toBe(false)

    setDefaultCACertificates([...trusted, readFileSync(certFile, 'utf8')])
    const trustful = await open(url)
    expect(trustful.isAway()).toBe(false)
    const replies = await Promise.all(Array.from({ length: 2_000 }, (_, i) => trustful.send('ECHO', `${i}`)))
    expect(replies).toEqual(Array.from({ length: 2_000 }, (_, i) => `${i}`))
  })

  it.skipIf(!hasOpenssl)('shows its own certificate where one is wanted', async () => {
    const url = await listenTls({ requestCert: true, rejectUnauthorized: true, ca: readFileSync(certFile) })
    const nameless = await open(`${url}?sslrootcert=${certFile}`)
    expect(nameless.isAway()).toBe(true)
    const known = await open(`${url}?sslrootcert=${certFile}&sslcert=${certFile}&sslkey=${keyFile}`)
    expect(known.isAway()).toBe(false)
    expect(await known.send('GET', 'nothing')).toBeNull()
  })
})
